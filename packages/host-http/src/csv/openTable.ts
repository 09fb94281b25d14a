import { NotText, TableDecoder } from "./decodeTable.js"
import { Table, type TableHead, type TableOptions, type TableRow } from "@outbound/domain/kernel/tables/Table.js"
import { createReadStream } from "node:fs"

const PIECE_BYTES = 256 * 1024

/** A table in a file, read piece by piece in constant memory. */
export interface OpenedTable {
  readonly head: TableHead
  /** The first rows, at most as many as asked for; they are in `rows` too. */
  readonly first: ReadonlyArray<TableRow>
  readonly rows: AsyncGenerator<TableRow>
  /** What the bytes were; final when all rows were read. */
  readonly encoding: () => string
}

/** Why a table can't be read, in words. */
export const tableFault = (cause: unknown): string =>
  cause instanceof NotText || cause instanceof Error ? cause.message : String(cause)

/** Reads the text of a file, whatever its encoding. `decoder` tells afterwards what it was. */
export async function* textOf(path: string, decoder: TableDecoder): AsyncGenerator<string> {
  for await (const bytes of createReadStream(path, { highWaterMark: PIECE_BYTES })) yield decoder.push(bytes as Buffer)
  yield decoder.end()
}

/** Splits a text into the rows of a table. `decoder`: what decodes it. */
export const tableOf = async (
  texts: AsyncGenerator<string>,
  decoder: TableDecoder,
  options: TableOptions & { readonly firstMax: number }
): Promise<OpenedTable> => {
  const table = new Table(options)
  const first: Array<TableRow> = []
  let isEnded = false
  while (!isEnded && first.length < options.firstMax) {
    const next = await texts.next()
    isEnded = next.done === true
    for (const row of next.done === true ? table.end() : table.push(next.value)) first.push(row)
  }
  async function* rows() {
    yield* first
    if (isEnded) return
    for await (const text of texts) yield* table.push(text)
    yield* table.end()
  }
  if (table.head === null) throw new NotText({ message: "the file has no rows" })
  return { head: table.head, first: first.slice(0, options.firstMax), rows: rows(), encoding: () => decoder.encoding }
}

/** Opens a table, and reads its beginning. Throws `NotText`, and what the file system says. */
export const openTable = (
  path: string,
  options: TableOptions & { readonly firstMax: number }
): Promise<OpenedTable> => {
  const decoder = new TableDecoder()
  return tableOf(textOf(path, decoder), decoder, options)
}

const NAMES: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" }

/** What divides the cells, in words. */
export const delimiterWords = ({ delimiter }: TableHead): string =>
  delimiter === "" ? "one cell a line" : (NAMES[delimiter] ?? `"${delimiter}"`)
