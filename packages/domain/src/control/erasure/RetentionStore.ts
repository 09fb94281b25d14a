import { Context } from "effect"
import type { InTx } from "../../kernel/ports/UnitOfWork.js"

/** The last row scanned; the next scan continues after it. */
export interface SubjectCursor {
  readonly workspaceId: string
  readonly subjectId: string
}

/**
 * Deletes expired data. Each operation is one bounded statement. Whom a forgotten outcome or row named is forgotten with
 * it, except people of campaigns: their calls are what was spent on them (contract: campaigns, what it brought).
 */
export class RetentionStore extends Context.Service<
  RetentionStore,
  {
    /**
     * Scans the trail's next `limit` people after a cursor. Deletes the addresses of those last seen at or before this
     * time. `next` is null at the end.
     */
    readonly forgetUnseen: (
      untilMillis: number,
      after: SubjectCursor | null,
      limit: number
    ) => InTx<{ readonly forgotten: number; readonly next: SubjectCursor | null }>
    /**
     * Deletes up to `limit` outcomes of calls that began before then, except those of these verbs and of running calls.
     * Returns how many there were.
     */
    readonly forgetOutcomes: (beforeMillis: number, keptVerbs: ReadonlyArray<string>, limit: number) => InTx<number>
    /** Deletes up to `limit` cached contacts that serve no repeat any more. Returns how many there were. */
    readonly forgetContacts: (nowMillis: number, limit: number) => InTx<number>
    /** Deletes up to `limit` verdicts on addresses that were found before then. Returns how many there were. */
    readonly forgetVerdicts: (beforeMillis: number, limit: number) => InTx<number>
    /** Empties up to `limit` rows of lists that ended before then. Returns how many there were. */
    readonly forgetRows: (beforeMillis: number, limit: number) => InTx<number>
    /** Deletes up to `limit` directory rows that no list has returned since then. Returns how many there were. */
    readonly forgetPeople: (beforeMillis: number, limit: number) => InTx<number>
  }
>()("@outbound/domain/control/erasure/RetentionStore") {}
