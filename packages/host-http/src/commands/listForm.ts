/** What lists in CSV and in JSON Lines have in common. */
import type { ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { Data } from "effect"

/** The list can't be read, or not to its end. What came before may have been taken over. */
export class UnusableFile extends Data.TaggedError("UnusableFile")<{ readonly message: string }> {}

export interface ListOptions {
  /** Null: the headings tell. */
  readonly kind: DirectoryKind | null
  readonly ignoreUnknown: boolean
}

/** A row longer than this is a quote that nobody closed. */
export const ROW_CHARS_MAX = 100_000

/** A list whose columns are known. */
export interface Opened {
  readonly kind: DirectoryKind
  readonly ignored: ReadonlyArray<string>
  readonly rows: AsyncGenerator<ListedRow>
}
