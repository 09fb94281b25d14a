import { Context, type Effect, type Stream } from "effect"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { Cells } from "./readRow.js"
import type { DirectoryKind } from "./Records.js"

/** A row of a list, by recognised column; or why it could not be read as one. */
export type ListedRow =
  | { readonly line: number; readonly cells: Cells }
  | { readonly line: number; readonly what: string; readonly mend: string }

/** Something of a list that was not taken over. */
export interface RowMistake {
  /** Where it stands, counted from 1. */
  readonly line: number
  /** Null: it is about the row. */
  readonly column: string | null
  readonly what: string
  readonly mend: string
  /** Whether the row is left out, or only the cell. */
  readonly left_out: "row" | "cell"
}

/** How many mistakes a report names; the rest is a count. */
export const MISTAKES_LISTED_MAX = 10_000

/** How many rows one transaction takes over. */
export const DIRECTORY_BATCH_MAX = 2_000

/**
 * How much of what it would write a dry run keeps in mind, as JSON, so that it knows again whom the list names later.
 * What is named again beyond that is counted as if it were new.
 */
export const REHEARSED_CHARS_MAX = 64_000_000

/** What became of a list so far, or would. Every row of it is in one of the last four counts. */
export interface DirectoryReport {
  readonly kind: DirectoryKind
  readonly dryRun: boolean
  /** A dry run of a list so long that its repetitions could not all be known: fewer may be added than it says. */
  readonly isEstimate: boolean
  readonly rows: number
  /** New to the directory. */
  readonly added: number
  /** Known, with something new. */
  readonly updated: number
  /** Known, with nothing new; and repetitions. */
  readonly known: number
  /** Rows that were left out. */
  readonly unusable: number
  readonly mistakes: number
  /** The first of them. */
  readonly mistakesListed: ReadonlyArray<RowMistake>
}

export interface DirectoryList<E> {
  readonly kind: DirectoryKind
  readonly rows: Stream.Stream<ListedRow, E>
  /** Everything but the taking over. */
  readonly dryRun: boolean
  /** Hears of every batch that was taken over. */
  readonly progress?: (report: DirectoryReport) => Effect.Effect<void>
}

/**
 * Takes over lists of a workspace's own people and companies, of any length, in bounded memory. Each batch is a
 * transaction: an import that breaks off has taken over its first rows, and the same again ends where one run had.
 */
export class DirectoryImport extends Context.Tag("@outbound/domain/data/directory/DirectoryImport")<
  DirectoryImport,
  {
    /** For the operator. `not_found`: there is no such workspace. */
    readonly takeFor: <E>(
      workspaceId: string,
      list: DirectoryList<E>
    ) => Effect.Effect<DirectoryReport, E | AnyWireError | StoreUnavailable>
  }
>() {}
