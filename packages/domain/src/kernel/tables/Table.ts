import { valueOf } from "./Cell.js"
import { type Dialect, dialectOf, widthOf } from "./dialect.js"
import { Records, type TableRecord } from "./Records.js"

/** Reads the rows of a table that a person brought. Every row comes out, once, with its line. */

export interface TableRow {
  /** The line on which it begins, from 1. */
  readonly line: number
  /** By column, as long as the heading; what spreadsheets do to a cell is undone. */
  readonly cells: ReadonlyArray<string>
  /** As written, for a list of what was left out. */
  readonly written: ReadonlyArray<string>
  /** `empty`: no cell holds anything. `heading`: the heading again. `flawed`: it can't be read, for `flaw`. */
  readonly kind: "row" | "empty" | "heading" | "flawed"
  readonly flaw: { readonly what: string; readonly mend: string } | null
  /** How many cells it has, without empty ones beyond the heading. */
  readonly width: number
}

export interface TableHead {
  /** Empty: each line is one cell. */
  readonly delimiter: string
  /** What each column is called; a column without a name is "Column 3". */
  readonly columns: ReadonlyArray<string>
  /** Null: the table has no heading. */
  readonly headingLine: number | null
  /** Whether a word of the heading is known. */
  readonly isKnown: boolean
  /** Lines above the heading. */
  readonly above: ReadonlyArray<{ readonly line: number; readonly text: string }>
}

export interface TableOptions {
  /** Whether a heading has a known meaning. */
  readonly isHeading: (cell: string) => boolean
}

/** The beginning of a table, which decides how it is read. */
const HEAD_CHARS = 128 * 1024
const HEAD_RECORDS = 200

/** Lines above a heading. */
const ABOVE_MAX = 40

/** Columns that our own lists of what was left out add; a mended list may keep them. */
export const LEFT_OUT = "left_out_"

const hasAddress = (cell: string): boolean => /[^\s@]@[^\s@]/.test(cell)

const isBlank = ({ cells, flaw }: TableRecord): boolean => flaw === null && cells.every((cell) => cell.trim() === "")

/** The width that most records have. */
const commonWidth = (records: ReadonlyArray<TableRecord>): number => {
  const counts = new Map<number, number>()
  for (const { cells } of records) {
    const width = widthOf(cells)
    counts.set(width, (counts.get(width) ?? 0) + 1)
  }
  let common = 1
  for (const [width, count] of counts) {
    const most = counts.get(common) ?? 0
    if (count > most || (count === most && width > common)) common = width
  }
  return common
}

/** Which record is the heading; -1: none. */
const headingAt = (records: ReadonlyArray<TableRecord>, isHeading: (cell: string) => boolean): number => {
  const common = commonWidth(records)
  const first = records.slice(0, ABOVE_MAX)
  const mayBe = ({ cells, flaw }: TableRecord) =>
    flaw === null && !cells.some(hasAddress) && widthOf(cells) * 2 >= common
  const known = first.findIndex((record) => mayBe(record) && record.cells.some((cell) => isHeading(valueOf(cell))))
  if (known !== -1) return known
  if (common === 1) return -1
  // A heading of unknown words names what the rows hold: it has a word where they have addresses.
  const at = first.findIndex(mayBe)
  const record = records[at]
  if (record === undefined) return -1
  const below = records.slice(at + 1)
  const filled = record.cells.findIndex((cell, column) => {
    const holding = below.filter(({ cells }) => hasAddress(cells[column] ?? "")).length
    return cell.trim() !== "" && holding > 0 && holding * 2 >= below.length
  })
  return filled !== -1 || !below.some(({ cells }) => cells.some(hasAddress)) ? at : -1
}

export class Table {
  readonly #options: TableOptions
  #head: TableHead | null = null
  #records: Records | null = null
  #text = ""
  /** Columns that are no part of the table. */
  #dropped: ReadonlySet<number> = new Set()
  #heading: ReadonlyArray<string> = []
  #said = false

  constructor(options: TableOptions) {
    this.#options = options
  }

  /** Null until enough was pushed, or all. */
  get head(): TableHead | null {
    return this.#head
  }

  push(text: string): ReadonlyArray<TableRow> {
    if (this.#records !== null) return this.#rowsOf(this.#records.push(text))
    this.#text += text
    return this.#text.length < HEAD_CHARS ? [] : this.#begin()
  }

  end(): ReadonlyArray<TableRow> {
    const begun = this.#records === null ? this.#begin() : []
    return [...begun, ...this.#rowsOf(this.#records?.end() ?? [])]
  }

  #begin(): ReadonlyArray<TableRow> {
    const text = this.#text.replace(/^\uFEFF/, "")
    const dialect = dialectOf(text.slice(0, HEAD_CHARS))
    const sample = new Records(dialect.delimiter)
    const head = [...sample.push(text.slice(0, HEAD_CHARS)), ...sample.end()]
    const first = head.filter((record) => !isBlank(record)).slice(dialect.isSaid ? 1 : 0, HEAD_RECORDS)
    const at = headingAt(first, this.#options.isHeading)
    this.#head = this.#headOf(dialect, first, at)
    this.#said = dialect.isSaid
    this.#records = new Records(dialect.delimiter)
    this.#text = ""
    return this.#rowsOf(this.#records.push(text))
  }

  #headOf({ delimiter }: Dialect, first: ReadonlyArray<TableRecord>, at: number): TableHead {
    const heading = first[at]
    const cells = heading?.cells.slice(0, Math.max(1, widthOf(heading.cells))) ?? []
    this.#heading = cells
    this.#dropped = new Set(cells.flatMap((cell, column) => (cell.trim().startsWith(LEFT_OUT) ? [column] : [])))
    const widest = heading === undefined ? first.reduce((most, record) => Math.max(most, widthOf(record.cells)), 1) : 0
    const names = heading === undefined ? Array.from({ length: widest }, () => "") : cells
    return {
      delimiter,
      columns: names
        .filter((_, column) => !this.#dropped.has(column))
        .map((name, column) => valueOf(name).replace(/\s+/g, " ") || `Column ${column + 1}`),
      headingLine: heading?.line ?? null,
      isKnown: cells.some((cell) => this.#options.isHeading(valueOf(cell))),
      above: first.slice(0, Math.max(at, 0)).map(({ cells: words, line }) => ({
        line,
        text: words.slice(0, Math.max(1, widthOf(words))).join(delimiter)
      }))
    }
  }

  #rowsOf(records: ReadonlyArray<TableRecord>): ReadonlyArray<TableRow> {
    const rows: Array<TableRow> = []
    for (const record of records) this.#take(record, rows)
    return rows
  }

  #take(record: TableRecord, rows: Array<TableRow>): void {
    const head = this.#head
    if (head === null || record.line <= (head.headingLine ?? (this.#said ? 1 : 0))) return
    const { cells: given, inner, line } = record
    if (record.flaw !== null) {
      const what = "the row is longer than 100,000 characters"
      rows.push(this.#flawed(line, [], what, "Look there for a missing line end, or shorten it."))
      return
    }
    const width = widthOf(given)
    if (width === 0) {
      // A line of white space is no row.
      if (given.length > 1) rows.push({ line, cells: [], written: given, kind: "empty", flaw: null, width })
      return
    }
    if (this.#isHeadingAgain(given, width)) {
      rows.push({ line, cells: [], written: given, kind: "heading", flaw: null, width })
      return
    }
    const written = this.#dropped.size === 0 ? given : given.filter((_, column) => !this.#dropped.has(column))
    const cells = head.columns.map((_, column) => valueOf(written[column] ?? ""))
    const row: TableRow = {
      line,
      cells,
      written,
      kind: "row",
      flaw: null,
      width: Math.max(widthOf(written), Math.min(written.length, head.columns.length))
    }
    rows.push(row)
    if (inner.length > 0) rows.push(...this.#enclosedIn(row, inner))
  }

  #flawed(line: number, written: ReadonlyArray<string>, what: string, mend: string): TableRow {
    return { line, cells: [], written, kind: "flawed", flaw: { what, mend }, width: written.length }
  }

  #isHeadingAgain(given: ReadonlyArray<string>, width: number): boolean {
    const heading = this.#heading
    return (
      heading.length > 0 &&
      width === heading.length &&
      heading.every((cell, column) => cell.trim().toLowerCase() === (given[column] ?? "").trim().toLowerCase())
    )
  }

  /** Lines within a quoted cell that look like rows: somebody may have forgotten the quote's end. */
  #enclosedIn(row: TableRow, inner: TableRecord["inner"]): ReadonlyArray<TableRow> {
    const { columns, delimiter } = this.#head as TableHead
    if (columns.length < 2 || delimiter === "") return []
    return inner.flatMap(({ line, text }) => {
      const written = text.split(delimiter)
      const looksAlike = written.length === columns.length && written.some(hasAddress)
      const what = `a quote that is opened on line ${row.line} encloses this line, which looks like a row`
      return looksAlike
        ? [this.#flawed(line, written, what, `If it is a row, close or remove the quote on line ${row.line}.`)]
        : []
    })
  }
}

/** A table whose text is at hand. */
export const readTable = (
  text: string,
  options: TableOptions
): { readonly head: TableHead; readonly rows: ReadonlyArray<TableRow> } => {
  const table = new Table(options)
  const rows = [...table.push(text), ...table.end()]
  return { head: table.head as TableHead, rows }
}
