import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** What was looked at last, to go on behind it. */
export interface SubjectCursor {
  readonly workspaceId: string
  /** Opaque. */
  readonly subjectId: string
}

/** Forgets what is kept for a time only. Each operation is one statement of bounded work. */
export class RetentionStore extends Context.Tag("@outbound/domain/control/erasure/RetentionStore")<
  RetentionStore,
  {
    /**
     * Looks at the next `limit` persons of the trail after a cursor, and takes the address of those away who were last
     * seen at this time or before. `next` is null at the end.
     */
    readonly forgetUnseen: (
      untilMillis: number,
      after: SubjectCursor | null,
      limit: number
    ) => Effect.Effect<{ readonly forgotten: number; readonly next: SubjectCursor | null }, StoreUnavailable, Tx>
    /**
     * Forgets up to `limit` of what calls are remembered by that began before then, but of these verbs, and of calls
     * under way. How many there were.
     */
    readonly forgetOutcomes: (
      beforeMillis: number,
      keptVerbs: ReadonlyArray<string>,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable, Tx>
    /** Forgets up to `limit` cached contacts that answer no repeat any more. How many there were. */
    readonly forgetContacts: (nowMillis: number, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
    /** Forgets up to `limit` people of directories whom no list has named since then. How many there were. */
    readonly forgetPeople: (beforeMillis: number, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
  }
>() {}
