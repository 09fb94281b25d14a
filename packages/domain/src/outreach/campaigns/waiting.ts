/** Whom the campaigns of a workspace still owe a message. */
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** A covered lead with a step left, whose mailbox is active. */
export interface WaitingLead {
  readonly campaignId: string
  readonly campaignLeadId: string
  readonly email: string
  readonly addressHash: string
  readonly mailboxId: string
  readonly stepsSent: number
  readonly nextAtMillis: number
  /** Their own hours; null: the campaign's. */
  readonly hours: string | null
}

/** Of a campaign in any state, or of all others that are active. */
export type WaitingOf = { readonly of: string } | { readonly besides: string }

export interface WaitingReads {
  /** The first `limit`, soonest due first, by id among those who are due at once. */
  readonly waiting: (workspaceId: string, which: WaitingOf, limit: number) => FromStore<ReadonlyArray<WaitingLead>>
}
