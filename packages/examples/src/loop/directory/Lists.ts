/** The lists that the loop imports, read for what it needs to know of them: who is in them, and with which addresses. */
import { isKnownHeading } from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { columnNamed, ColumnMistakes, recogniseColumns } from "@outbound/domain/data/directory/columns.js"
import { type Cells, readCompany, readPerson } from "@outbound/domain/data/directory/readRow.js"
import type { DirectoryCompany, DirectoryKind, DirectoryPerson } from "@outbound/domain/data/directory/Records.js"
import { Table, type TableRow } from "@outbound/domain/kernel/tables/Table.js"
import { Result } from "effect"
import { createReadStream } from "node:fs"
import { extname } from "node:path"
import { createInterface } from "node:readline"
import { Foreseen } from "../Foreseen.js"

/** Rows that are looked at, of all lists together: what is known of them is kept in memory. */
export const ROWS_MAX = 1_000_000

const JSON_LINES = new Set([".jsonl", ".ndjson", ".json"])

export class UnusableList extends Foreseen {}

/** Hears of every row that can be used. */
export interface Reader {
  readonly person: (person: DirectoryPerson) => void
  readonly company: (company: DirectoryCompany) => void
}

type Columns = ReadonlyArray<string | null>

const recognised = (headings: ReadonlyArray<string>): { readonly kind: DirectoryKind; readonly columns: Columns } =>
  Result.getOrThrowWith(recogniseColumns(headings, { kind: null, ignoreUnknown: true }), (mistakes) => mistakes)

interface Read {
  readonly kind: DirectoryKind
  /** Null: the row can't be read. The import says so. */
  readonly cells: Cells | null
}

const EMPTY = "the file is empty. Its first line must name the columns."

const utf8 = () => new TextDecoder("utf-8", { fatal: true })

async function* tableRows(path: string): AsyncGenerator<Read> {
  const table = new Table({ isHeading: isKnownHeading })
  let form: ReturnType<typeof recognised> | undefined
  const readsOf = (rows: ReadonlyArray<TableRow>): ReadonlyArray<Read> => {
    if (table.head === null) return []
    const { columns, kind } = (form ??= recognised(table.head.headingLine === null ? [] : table.head.columns))
    return rows
      .filter((row) => row.kind === "row" || row.kind === "flawed")
      .map((row) => {
        if (row.kind === "flawed" || row.width !== columns.length) return { kind, cells: null }
        const cells = row.cells.flatMap((cell, at) => {
          const column = columns[at]
          return typeof column === "string" ? [[column, cell] as const] : []
        })
        return { kind, cells: Object.fromEntries(cells) }
      })
  }
  const text = utf8()
  for await (const bytes of createReadStream(path)) {
    yield* readsOf(table.push(text.decode(bytes as Uint8Array, { stream: true })))
  }
  const rest = table.end()
  if (rest.length === 0 && table.head?.headingLine === null) throw new UnusableList(EMPTY)
  yield* readsOf(rest)
}

const objectOf = (line: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

const cellOf = (value: unknown): string => (Array.isArray(value) ? value.join(";") : String(value ?? ""))

async function* jsonRows(path: string): AsyncGenerator<Read> {
  let kind: DirectoryKind | undefined
  const lines = createInterface({ input: createReadStream(path, { encoding: "utf8" }), crlfDelay: Infinity })
  for await (const line of lines) {
    const text = line.replace(/^\uFEFF/, "").trim()
    if (text === "") continue
    const object = objectOf(text)
    if (object === null) {
      if (kind !== undefined) yield { kind, cells: null }
      continue
    }
    const of = (kind ??= recognised(Object.keys(object)).kind)
    const cells = Object.entries(object).flatMap(([name, value]) => {
      const column = columnNamed(of, name)
      return column === null ? [] : [[column, cellOf(value)] as const]
    })
    yield { kind: of, cells: Object.fromEntries(cells) }
  }
  if (kind === undefined) throw new UnusableList("the file contains no JSON objects. Write one per line.")
}

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const hear = ({ cells, kind }: Read, reader: Reader): void => {
  if (cells === null) return
  if (kind === "people") {
    const { row } = readPerson(cells)
    if (row !== null) reader.person(row)
  } else {
    const { row } = readCompany(cells)
    if (row !== null) reader.company(row)
  }
}

/** Reads a list, row by row, and says what it is of. Rows that can't be used are left to the import to report. */
export const readList = async (path: string, reader: Reader, rowsMax: number) => {
  let rows = 0
  let kind: DirectoryKind = "people"
  try {
    const all = JSON_LINES.has(extname(path).toLowerCase()) ? jsonRows(path) : tableRows(path)
    for await (const row of all) {
      if (rows === rowsMax) return { path, kind, rows, isWhole: false }
      rows += 1
      kind = row.kind
      hear(row, reader)
    }
  } catch (cause) {
    if (cause instanceof ColumnMistakes || cause instanceof Error) {
      throw new UnusableList(`${path} can't be read: ${wordsOf(cause)}`)
    }
    throw cause
  }
  if (rows === 0) throw new UnusableList(`${path} has no rows.`)
  return { path, kind, rows, isWhole: true }
}
