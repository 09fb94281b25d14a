/** Whom the campaigns of a workspace still owe a message. */
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { LeadState } from "./LeadMachine.js"

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

/** A lead that may still be written to, and what decides when. */
export interface OpenLead extends Omit<WaitingLead, "campaignId" | "mailboxId" | "nextAtMillis"> {
  readonly state: LeadState
  readonly mailboxId: string | null
  readonly nextAtMillis: number | null
}

/** Of a campaign in any state, or of all others that are active. */
export type WaitingOf = { readonly of: string } | { readonly besides: string }

export interface WaitingReads {
  /**
   * The first `limit`, soonest due first; those of one campaign by id among those who are due at once, those of others in no
   * order then.
   */
  readonly waiting: (workspaceId: string, which: WaitingOf, limit: number) => FromStore<ReadonlyArray<WaitingLead>>
  /** A campaign's first `limit` leads that may still be written to, by id. */
  readonly openLeads: (workspaceId: string, campaignId: string, limit: number) => FromStore<ReadonlyArray<OpenLead>>
}
