import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { InterestStatus } from "../../kernel/sequences/Sequence.js"

/** What was said of a person, still to be said to the sending provider. */
export interface InterestSync {
  readonly workspaceId: string
  readonly campaignLeadId: string
  readonly interest: InterestStatus
  /** The call that said it: what was said since has another. */
  readonly requestId: string
  /** How often the provider was asked. */
  readonly attempts: number
  readonly dueAtMillis: number
}

/** The work of mirroring interest. Of what was said of a person only the last is kept. */
export class InterestSyncStore extends Context.Tag("@outbound/domain/outreach/campaigns/InterestSyncStore")<
  InterestSyncStore,
  {
    /** Takes the place of what was to be said of the person before. */
    readonly put: (sync: InterestSync) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locks up to `limit` that are due, earliest first, skipping those another host holds. */
    readonly lockDue: (
      nowMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<InterestSync>, StoreUnavailable, Tx>
    /** Ends it, where nothing else was said since. Whether it did. */
    readonly end: (sync: InterestSync) => Effect.Effect<boolean, StoreUnavailable, Tx>
  }
>() {}
