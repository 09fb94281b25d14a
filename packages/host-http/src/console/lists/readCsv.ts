import { isKnownHeading } from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { readTable, type TableHead, type TableRow } from "@outbound/domain/kernel/tables/Table.js"
import { Result } from "effect"

/** Most bytes of a list, so that the form which carries it through its pages fits. */
export const CSV_BYTES_MAX = 900 * 1024

const COLUMNS_MAX = 100

export interface Csv {
  readonly head: TableHead
  /** What each column is called. */
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<TableRow>
}

/** The columns and rows of a table, or why it can't be taken. */
export const readCsv = (text: string): Result.Result<Csv, string> => {
  if (text.trim() === "") return Result.fail("must contain at least one row")
  if (Buffer.byteLength(text) > CSV_BYTES_MAX) return Result.fail(`must have at most ${CSV_BYTES_MAX / 1024} KiB`)
  const { head, rows } = readTable(text, { isHeading: isKnownHeading })
  if (rows.length === 0) return Result.fail("must contain at least one row")
  if (head.columns.length > COLUMNS_MAX) return Result.fail(`must have at most ${COLUMNS_MAX} columns`)
  return Result.succeed({ head, columns: head.columns, rows })
}
