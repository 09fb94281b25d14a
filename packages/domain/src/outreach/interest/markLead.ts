import { Effect, Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { InterestStatus } from "../../kernel/sequences/Sequence.js"
import { makeTell, ofLead, type TrailSource } from "../../kernel/trail/TrailEvent.js"
import { type CampaignLead, CampaignStore } from "../campaigns/CampaignStore.js"
import type { ProviderSyncStatus } from "../campaigns/LeadMachine.js"
import { LeadNews } from "../campaigns/LeadNews.js"
import { suppress as makeSuppress } from "../optOut/Suppress.js"
import { SendingStore } from "../sending/SendingStore.js"
import { InterestSyncStore } from "./InterestSyncStore.js"

/** Who sets the status. `by`: the person's address; absent where a key does. */
export interface MarkedBy {
  readonly source: TrailSource
  /** Of the call, or of the form that a person sent. */
  readonly requestId: string
  readonly by?: string
}

/**
 * Sets the status of a locked lead, tells it, and asks that it is mirrored to the sending provider. Null: nobody has set
 * one, as before. `not_interested` is an opt-out, for good. The status that it has already changes nothing.
 */
export const makeMarkLead = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const sendings = yield* SendingStore
  const syncs = yield* InterestSyncStore
  const tell = yield* makeTell
  const suppress = yield* makeSuppress
  const tellNews = yield* LeadNews

  /**
   * Mirrored in the background. People not covered by a launch never reached the provider. For an own mailbox outbound
   * is the provider, so it is synced at once.
   */
  const syncStatusOf = ({ campaignId, mailboxId, workspaceId }: CampaignLead): FromStore<ProviderSyncStatus> =>
    Effect.gen(function* () {
      const campaign = yield* campaigns.get(workspaceId, campaignId)
      if (mailboxId === null || !Option.exists(campaign, (one) => one.launchedAtMillis !== null)) return "unsupported"
      const mailbox = yield* sendings.mailbox(workspaceId, mailboxId)
      return Option.exists(mailbox, ({ kind }) => kind === "own") ? "synced" : "pending"
    })

  return (
    lead: CampaignLead,
    status: InterestStatus | null,
    { by, requestId, source }: MarkedBy,
    nowMillis: number
  ): InTx<ProviderSyncStatus | null> =>
    Effect.gen(function* () {
      const { campaignLeadId, workspaceId } = lead
      if (lead.interestStatus === status) return lead.providerSyncStatus
      const providerSyncStatus = yield* syncStatusOf(lead)
      const marked = { ...lead, interestStatus: status, providerSyncStatus }
      const common = { ...ofLead(lead), source, ...(by === undefined ? { requestId } : {}) }
      const detail = { status, previous_status: lead.interestStatus, ...(by === undefined ? {} : { by }) }
      yield* tell(nowMillis, { ...common, kind: "status_set", detail })
      if (status === "not_interested") {
        yield* suppress(
          { lead: marked, sources: ["not_interested"], event: "leave", reason: "not_interested", common },
          nowMillis
        )
      } else {
        yield* campaigns.updateLead(marked)
      }
      if (status === "meeting_booked") yield* tellNews(lead, { kind: "meeting" }, nowMillis)
      if (providerSyncStatus === "pending") {
        // A provider knows no "nobody has set one".
        const interest = status ?? "neutral"
        yield* syncs.put({ workspaceId, campaignLeadId, interest, requestId, attempts: 0, dueAtMillis: nowMillis })
      }
      return providerSyncStatus
    })
})
