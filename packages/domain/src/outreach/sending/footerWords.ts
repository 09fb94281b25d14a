import { Effect, Option } from "effect"
import { ApprovalStore } from "../../calls/approvals/ApprovalStore.js"
import { wordsOf } from "../../calls/approvals/Snapshot.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { type FooterWords, footerWordsOf } from "../../kernel/words/notice.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import type { CampaignLead } from "../campaigns/CampaignStore.js"

type Worded = Pick<CampaignLead, "workspaceId" | "approvalId" | "words" | "stepsSent">

/**
 * How a lead's next message ends: in their language, and the first one with the words of their country, as they stand in
 * the approval that covers them. Whatever the workspace has set since, nobody approved for them.
 */
export const makeFooterWords = Effect.map(
  ApprovalStore,
  (approvals) =>
    ({ approvalId, stepsSent, words, workspaceId }: Worded): FromStore<FooterWords, ProviderFailure> =>
      Effect.gen(function* () {
        const plain = footerWordsOf(words, stepsSent, {})
        if (plain !== null) return plain
        const approved = approvalId === null ? Option.none() : yield* approvals.find(workspaceId, approvalId)
        const texts = Option.isNone(approved) ? undefined : wordsOf(approved.value.approval.snapshot)?.texts
        const footer = footerWordsOf(words, stepsSent, texts ?? {})
        if (footer === null) {
          const cause = "the words that were approved for them are not to be found"
          return yield* Effect.fail(new ProviderFailure({ provider: "none", reason: "transient", cause }))
        }
        return footer
      })
)
