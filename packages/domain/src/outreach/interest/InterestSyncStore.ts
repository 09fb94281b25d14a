import { Context } from "effect"
import type { InTx } from "../../kernel/ports/UnitOfWork.js"
import type { InterestStatus } from "../../kernel/sequences/Sequence.js"

/** A person's interest status that must still reach the sending provider. */
export interface InterestSync {
  readonly workspaceId: string
  readonly campaignLeadId: string
  readonly interest: InterestStatus
  /** The call that set it; a newer status has another call. */
  readonly requestId: string
  /** How many times we have asked the provider. */
  readonly attempts: number
  readonly dueAtMillis: number
}

/** Pending interest mirroring. Only a person's latest status is kept. */
export class InterestSyncStore extends Context.Service<
  InterestSyncStore,
  {
    /** Replaces the person's earlier pending status. */
    readonly put: (sync: InterestSync) => InTx<void>
    /** Locks up to `limit` due ones, earliest first. Skips rows locked by other hosts. */
    readonly lockDue: (nowMillis: number, limit: number) => InTx<ReadonlyArray<InterestSync>>
    /** Ends it unless a newer status was set. Returns whether it did. */
    readonly end: (sync: InterestSync) => InTx<boolean>
  }
>()("@outbound/domain/outreach/interest/InterestSyncStore") {}
