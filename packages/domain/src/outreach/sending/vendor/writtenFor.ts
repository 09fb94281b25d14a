import { Effect } from "effect"
import { Crypto } from "../../../kernel/ports/Crypto.js"
import type { FromStore } from "../../../kernel/ports/UnitOfWork.js"
import { footerWordsOf, PLAIN_FOOTER } from "../../../kernel/words/notice.js"
import { type Workspace, WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import type { ProviderFailure } from "../../../sources/ports/Source.js"
import type { VendorPerson } from "../../../sources/ports/VendorScheduled.js"
import type { Campaign, CampaignLead } from "../../campaigns/CampaignStore.js"
import { wordsUnder } from "../../campaigns/recipients/wording.js"
import { makeUnsubscribeUrls } from "../../suppression/links.js"
import { makeFirstFooters } from "../footerWords.js"
import { personOf } from "./personalise.js"

/**
 * What a vendor is given of people. Those whom an approval covers get the words that it shows; the others get those that
 * an approval would show now, and are looked at again before anything is sent to them.
 */
export const makeWrittenFor = Effect.gen(function* () {
  const workspaces = yield* WorkspaceStore
  const crypto = yield* Crypto
  const firstFooters = yield* makeFirstFooters
  const urlsOf = yield* makeUnsubscribeUrls
  return (
    workspace: Workspace,
    { sequence }: Pick<Campaign, "sequence">,
    leads: ReadonlyArray<CampaignLead>
  ): FromStore<ReadonlyArray<VendorPerson>, ProviderFailure> =>
    Effect.gen(function* () {
      // The vendor chooses the mailbox of each message.
      const urlFor = yield* urlsOf({ workspaceId: workspace.workspaceId, domain: null })
      const settings = yield* workspaces.words(workspace.workspaceId)
      const wordsOf = wordsUnder({ settings, workspace }, crypto.sha256Hex)
      const foreseen = (lead: CampaignLead) => {
        const { notice, words } = wordsOf(lead)
        return footerWordsOf(words, 0, notice === null ? {} : { [notice.id]: notice.text }) ?? PLAIN_FOOTER
      }
      const approved = leads.filter(({ approvalId }) => approvalId !== null)
      const footers = yield* firstFooters(approved)
      const footerOf = new Map(approved.map(({ campaignLeadId }, index) => [campaignLeadId, footers[index]]))
      return leads.map((lead) => {
        const footer = footerOf.get(lead.campaignLeadId) ?? foreseen(lead)
        return personOf(lead, sequence, { footer, unsubscribeUrl: urlFor(lead) })
      })
    })
})
