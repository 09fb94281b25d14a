/** Opens lists of people and companies: tables and JSON Lines, read row by row in constant memory. */
import { TableDecoder } from "../csv/decodeTable.js"
import { chooseColumns, isKnownHeading } from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { ColumnMistakes, columnsOf, recogniseColumns } from "@outbound/domain/data/directory/columns.js"
import type { ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { mailRefusal, REFUSAL_WORDS, REFUSED_MEND } from "@outbound/domain/kernel/people/mailRefusals.js"
import { shownText } from "@outbound/domain/kernel/tables/cellAddresses.js"
import { headingKey } from "@outbound/domain/kernel/tables/headings.js"
import type { TableHead, TableRow } from "@outbound/domain/kernel/tables/Table.js"
import { Effect, Result, Stream } from "effect"
import { extname } from "node:path"
import { type OpenedTable, tableFault, tableOf, textOf } from "../csv/openTable.js"
import { type ListOptions, type Opened, UnusableFile } from "./listForm.js"
import { openJsonLines } from "./trail.js"

export interface OpenedList {
  readonly kind: DirectoryKind
  /** Unknown headings, which are ignored. */
  readonly ignored: ReadonlyArray<string>
  readonly rows: Stream.Stream<ListedRow, UnusableFile>
  /** Null: the list is JSON Lines. */
  readonly table: OpenedTable | null
}

/** Rows that are looked at before the columns are taken as their headings say. */
const SAMPLE_ROWS = 200

const placeOf = ({ columns }: TableHead, name: string): number => {
  const found = columns.findIndex((column) => headingKey(column) === headingKey(name))
  return found === -1 && /^\d{1,4}$/.test(name) && Number(name) <= columns.length ? Number(name) - 1 : found
}

/** What columns hold by `FIELD=HEADING`, or what is wrong with that. */
const givenOf = (head: TableHead, said: ReadonlyArray<string>): ReadonlyMap<number, string> => {
  const given = new Map<number, string>()
  const mistakes: Array<string> = []
  for (const one of said) {
    const at = one.indexOf("=")
    const field = one.slice(0, Math.max(at, 0)).trim()
    const place = at === -1 ? -1 : placeOf(head, one.slice(at + 1).trim())
    const isField = columnsOf("people").includes(field) || columnsOf("companies").includes(field)
    if (!isField || place === -1) {
      mistakes.push(
        `--column ${one} must be FIELD=HEADING, such as email=${head.columns[0] ?? "Email"}. Columns: ${head.columns.join(", ")}.`
      )
    } else given.set(place, field)
  }
  if (mistakes.length > 0) throw new ColumnMistakes({ mistakes })
  return given
}

/** A heading may lie: a column of addresses without one, beside a column that has them, is a mistake of the file. */
const checkAddresses = ({ first, head }: OpenedTable, columns: ReadonlyArray<string | null>): void => {
  const at = columns.indexOf("email")
  const found = chooseColumns(head, first).columns
  const named = found[at]
  const others = found.filter(
    ({ addresses, filled, index }) => index !== at && addresses > 0 && addresses * 2 >= filled
  )
  if (named === undefined || named.filled === 0 || named.addresses > 0 || others.length === 0) return
  const names = others.map(({ name }) => `"${name}"`).join(", ")
  throw new ColumnMistakes({
    mistakes: [`"${named.name}" holds no addresses, but ${names} does. Choose with --column email=HEADING.`]
  })
}

const rowOf = (columns: ReadonlyArray<string | null>, headings: ReadonlyArray<string>, row: TableRow): ListedRow => {
  const { flaw, kind, line, width, written } = row
  if (kind === "empty" || kind === "heading") return { line, isEmpty: true }
  if (flaw !== null) return { line, written, ...flaw }
  if (width > columns.length) {
    const what = `the row has ${width} cells, but the heading has ${columns.length}`
    return { line, written, what, mend: "Quote cells that contain the delimiter, and don't leave cells out." }
  }
  // A column that is not taken may still say that nobody may write to them.
  const refusal = mailRefusal(
    headings.flatMap((name, at) => (columns[at] === null ? [[name, row.cells[at] ?? ""] as const] : []))
  )
  if (refusal?.word === "opted_out") {
    const what = `"${refusal.heading}" is ${shownText(refusal.value)}, which ${REFUSAL_WORDS.opted_out}`
    return { line, written, what, mend: REFUSED_MEND }
  }
  const cells: Record<string, string> = {}
  for (const [at, column] of columns.entries()) if (column !== null) cells[column] = row.cells[at] ?? ""
  return width === columns.length
    ? { line, written, cells }
    : { line, written, cells, lacks: `the row has ${width} cells, but the heading has ${columns.length}` }
}

const openTableList = (table: OpenedTable, options: ListOptions): Opened => {
  const { head } = table
  if (head.headingLine === null) {
    const is = table.first.length === 0 ? "is empty" : "has no heading"
    throw new UnusableFile({ message: `the file ${is}. A line above its rows must name the columns.` })
  }
  const given = givenOf(head, options.columns ?? [])
  const recognised = Result.getOrThrowWith(
    recogniseColumns(head.columns, { ...options, given }),
    (mistakes) => mistakes
  )
  checkAddresses(table, recognised.columns)
  async function* rows(): AsyncGenerator<ListedRow> {
    for await (const row of table.rows) yield rowOf(recognised.columns, head.columns, row)
  }
  return { ...recognised, rows: rows(), table }
}

const JSON_LINES = new Set([".jsonl", ".ndjson", ".json"])

const open = async (path: string, options: ListOptions): Promise<Opened> => {
  const decoder = new TableDecoder()
  const texts = textOf(path, decoder)
  let head = ""
  let isEnded = false
  while (!isEnded && head === "") {
    const next = await texts.next()
    isEnded = next.done === true
    head = next.done === true ? "" : next.value
  }
  async function* all() {
    yield head
    yield* texts
  }
  const isJson = JSON_LINES.has(extname(path).toLowerCase()) || /^\uFEFF?\s*\{/.test(head)
  if (isJson) return openJsonLines(all(), options)
  return openTableList(await tableOf(all(), decoder, { isHeading: isKnownHeading, firstMax: SAMPLE_ROWS }), options)
}

const unusable = (path: string) => (cause: unknown) =>
  new UnusableFile({ message: `${path} can't be read: ${tableFault(cause)}` })

/** Opens a list and detects its kind from the headings. All errors in the headings are reported together. */
export const openList = (
  path: string,
  options: ListOptions
): Effect.Effect<OpenedList, UnusableFile | ColumnMistakes> =>
  Effect.map(
    Effect.tryPromise({
      try: () => open(path, options),
      catch: (cause) => (cause instanceof ColumnMistakes ? cause : unusable(path)(cause))
    }),
    ({ ignored, kind, rows, table }) => ({ kind, ignored, table, rows: Stream.fromAsyncIterable(rows, unusable(path)) })
  )
