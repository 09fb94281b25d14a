import { Effect } from "effect"
import type { Approval } from "../../calls/approvals/ApprovalStore.js"
import { type Mailbox, SendingStore } from "../sending/SendingStore.js"
import { type Campaign, CampaignStore } from "./CampaignStore.js"

/**
 * The active mailboxes that a campaign may send from: any of its workspace before its launch, afterwards those that its
 * approval showed and those that an owner added (contract: approvals, binding).
 */
export const makeBoundMailboxes = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  return ({ campaignId, launchedAtMillis, workspaceId }: Campaign) =>
    Effect.gen(function* () {
      const active = yield* sendings.activeMailboxes(workspaceId)
      if (launchedAtMillis === null) return active
      const bound = yield* campaigns.mailboxIds(workspaceId, campaignId)
      return active.filter(({ mailboxId }) => bound.has(mailboxId))
    })
})

/** The addresses that the approval's page showed as senders. */
export const shownMailboxes = ({ snapshot }: Approval): ReadonlyArray<string> =>
  snapshot.kind === "launch" || snapshot.kind === "add_leads" ? snapshot.mailboxes : []

/** Whether the approval's page showed every one of these mailboxes. It may have shown more. */
export const showsEach = (approval: Approval, mailboxes: ReadonlyArray<Pick<Mailbox, "address">>): boolean => {
  const shown = new Set(shownMailboxes(approval))
  return mailboxes.every(({ address }) => shown.has(address))
}
