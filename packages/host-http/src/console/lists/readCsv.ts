import { CsvError, parse } from "csv-parse/sync"
import { Either } from "effect"
import { delimiterOf } from "../../csv/delimiterOf.js"

/** Most bytes of a list, so that the form which carries it through its pages fits. */
export const CSV_BYTES_MAX = 900 * 1024

/** A longer record has an unclosed quote. */
const RECORD_CHARS_MAX = 20_000

const COLUMNS_MAX = 100

export interface CsvRow {
  /** The line on which it ends. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
}

export interface Csv {
  /** What each column is called. */
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<CsvRow>
}

const wordsOf = (error: unknown): string =>
  error instanceof CsvError
    ? `can’t be read: ${error.message}. Look there for an unclosed quote`
    : "can’t be read as a CSV"

/** An address is no heading. */
const looksLikeHeading = (cells: ReadonlyArray<string>): boolean => !cells.some((cell) => cell.includes("@"))

/** The columns and rows of a CSV, or why it can't be read. Its first line names the columns unless it holds an address. */
export const readCsv = (text: string): Either.Either<Csv, string> => {
  if (text.trim() === "") return Either.left("must contain at least one row")
  if (Buffer.byteLength(text) > CSV_BYTES_MAX) return Either.left(`must have at most ${CSV_BYTES_MAX / 1024} KiB`)
  let rows: ReadonlyArray<CsvRow>
  try {
    const records = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      info: true,
      max_record_size: RECORD_CHARS_MAX,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true
    }) as unknown as ReadonlyArray<{ readonly info: { readonly lines: number }; readonly record: Array<string> }>
    rows = records.map(({ info, record }) => ({ line: info.lines, cells: record }))
  } catch (error) {
    return Either.left(wordsOf(error))
  }
  const [first] = rows
  if (first === undefined) return Either.left("must contain at least one row")
  const width = rows.reduce((widest, { cells }) => Math.max(widest, cells.length), 0)
  if (width > COLUMNS_MAX) return Either.left(`must have at most ${COLUMNS_MAX} columns`)
  const isNamed = looksLikeHeading(first.cells)
  const columns = Array.from({ length: width }, (_, index) => {
    const name = isNamed ? (first.cells[index] ?? "") : ""
    return name === "" ? `Column ${index + 1}` : name
  })
  return Either.right({ columns, rows: isNamed ? rows.slice(1) : rows })
}
