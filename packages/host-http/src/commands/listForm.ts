/** Shared by CSV and JSON Lines lists. */
import type { ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { Data } from "effect"
import type { OpenedTable } from "../csv/openTable.js"

/** The list can't be read to its end. Earlier rows may have been imported. */
export class UnusableFile extends Data.TaggedError("UnusableFile")<{ readonly message: string }> {}

export interface ListOptions {
  /** Null: detected from the headings. */
  readonly kind: DirectoryKind | null
  readonly ignoreUnknown: boolean
  /** `FIELD=HEADING`, or with the heading's number: what columns hold. */
  readonly columns?: ReadonlyArray<string>
}

/** A longer row has an unclosed quote. */
export const ROW_CHARS_MAX = 100_000

export interface Opened {
  readonly kind: DirectoryKind
  readonly ignored: ReadonlyArray<string>
  readonly rows: AsyncGenerator<ListedRow>
  /** How a table was read; null: the list is JSON Lines. */
  readonly table: OpenedTable | null
}
