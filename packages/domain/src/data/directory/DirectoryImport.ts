import { Context, type Effect, type Stream } from "effect"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { Cells } from "./readRow.js"
import type { DirectoryKind } from "./Records.js"

/** A row of a list by recognised column, or why it can't be read. */
export type ListedRow =
  | { readonly line: number; readonly cells: Cells }
  | { readonly line: number; readonly what: string; readonly mend: string }

/** A row or cell that was not imported. */
export interface RowMistake {
  /** Counted from 1. */
  readonly line: number
  /** Null: the whole row. */
  readonly column: string | null
  readonly what: string
  readonly mend: string
  readonly left_out: "row" | "cell"
}

/** The most mistakes listed in a report; the rest are counted. */
export const MISTAKES_LISTED_MAX = 10_000

/** The most rows in one transaction. */
export const DIRECTORY_BATCH_MAX = 2_000

/** How much JSON a dry run keeps to recognise repeated rows. Repetitions beyond that count as new. */
export const REHEARSED_CHARS_MAX = 64_000_000

/** The result of an import so far, or of a dry run. Each row is in one of the last four counts. */
export interface DirectoryReport {
  readonly kind: DirectoryKind
  readonly dryRun: boolean
  /** A dry run of a list too long to recognise all repetitions: the import may add fewer. */
  readonly isEstimate: boolean
  readonly rows: number
  readonly added: number
  /** Known rows that changed. */
  readonly updated: number
  /** Known rows without a change, and repetitions. */
  readonly known: number
  /** Rows left out. */
  readonly unusable: number
  readonly mistakes: number
  /** The first mistakes. */
  readonly mistakesListed: ReadonlyArray<RowMistake>
}

export interface DirectoryList<E> {
  readonly kind: DirectoryKind
  readonly rows: Stream.Stream<ListedRow, E>
  /** Checks without writing. */
  readonly dryRun: boolean
  /** Called after each batch. */
  readonly progress?: (report: DirectoryReport) => Effect.Effect<void>
}

/**
 * Imports lists of a workspace's own people and companies, of any length, in bounded memory. Each batch is a
 * transaction: an interrupted import has kept its first rows, and repeating it gives the result of one run.
 */
export class DirectoryImport extends Context.Tag("@outbound/domain/data/directory/DirectoryImport")<
  DirectoryImport,
  {
    /** For the operator. `not_found`: no such workspace. */
    readonly takeFor: <E>(workspaceId: string, list: DirectoryList<E>) => FromStore<DirectoryReport, E | AnyWireError>
  }
>() {}
