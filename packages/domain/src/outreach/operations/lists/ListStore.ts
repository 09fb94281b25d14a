import { Context, type Option } from "effect"
import type { JsonObject } from "../../../kernel/canonical.js"
import type { Credits } from "../../../kernel/money/Credits.js"
import type { UploadedRow } from "../../../kernel/tables/UploadedRow.js"
import type { FromStore, InTx } from "../../../kernel/ports/UnitOfWork.js"
import type { OperationRef } from "../OperationStore.js"
import type { RowState } from "./RowMachine.js"

export interface ListRow extends OperationRef {
  /** Where it stands in the list, from 0. */
  readonly index: number
  /** The id of its call. */
  readonly rowId: string
  /** The list's call. */
  readonly listRequestId: string
  readonly state: RowState
  /** What its call reserves. */
  readonly maximum: Credits
  readonly charged: Credits
  /** The wire form of the single call's request; null once it is forgotten. */
  readonly input: JsonObject | null
  /** The JSON text of its result or error; null before, and once it is forgotten. */
  readonly body: string | null
  /** Null: the list came by a verb, or it is forgotten. */
  readonly uploaded: UploadedRow | null
  /** The keyed hash of the one address that an uploaded row names. Null: it names none or several, or is forgotten. */
  readonly addressHash: string | null
  readonly endedAtMillis: number | null
}

/** How many rows are in each state. */
export type RowCounts = Readonly<Record<RowState, number>>

/** The members of a result, or of an error, of which the first one names what came out. */
export const OUTCOME_MEMBERS = ["outcome", "status", "code"] as const

/** How many rows ended alike, and what they cost. */
export interface RowOutcome {
  readonly state: "done" | "failed"
  /** Null: the result is no longer kept, or names none. */
  readonly outcome: string | null
  readonly rows: number
  readonly charged: Credits
}

/** Most kinds of outcomes that a list is summarised by. */
export const OUTCOMES_MAX = 20

/** The rows of lists. Each changes its state once on the way; a repeat changes nothing. */
export class ListStore extends Context.Service<
  ListStore,
  {
    readonly insert: (rows: ReadonlyArray<ListRow>) => InTx<void>
    /** Up to `limit` rows in this state, in their order. */
    readonly inState: (ref: OperationRef, state: RowState, limit: number) => FromStore<ReadonlyArray<ListRow>>
    /** Begins waiting rows. */
    readonly begin: (workspaceId: string, rowIds: ReadonlyArray<string>) => InTx<void>
    /** Ends a row that is under way. False, without changes: it isn't. */
    readonly end: (
      row: Pick<ListRow, "workspaceId" | "rowId" | "charged" | "body">,
      state: "done" | "failed",
      nowMillis: number
    ) => InTx<boolean>
    /** Ends every waiting row of a list. Returns how many there were. */
    readonly endWaiting: (
      ref: OperationRef,
      state: "failed" | "cancelled",
      body: string | null,
      nowMillis: number
    ) => InTx<number>
    readonly counts: (ref: OperationRef) => FromStore<RowCounts>
    /** What came out of the rows that ended, most rows first; at most `OUTCOMES_MAX` kinds. */
    readonly outcomes: (ref: OperationRef) => FromStore<ReadonlyArray<RowOutcome>>
    /** The rows after this index, at most `limit`, in their order. */
    readonly page: (ref: OperationRef, after: number, limit: number) => FromStore<ReadonlyArray<ListRow>>
    readonly get: (workspaceId: string, rowId: string) => FromStore<Option.Option<ListRow>>
  }
>()("@outbound/domain/outreach/operations/lists/ListStore") {}
