/** A list of people or companies, CSV or JSON Lines, read row by row: a file of any length takes the same memory. */
import { ColumnMistakes, recogniseColumns } from "@outbound/domain/data/directory/columns.js"
import type { ListedRow } from "@outbound/domain/data/directory/DirectoryImport.js"
import type { DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { CsvError, parse } from "csv-parse"
import { Effect, Either, Stream } from "effect"
import { createReadStream } from "node:fs"
import { extname } from "node:path"
import { pipeline, Readable } from "node:stream"
import { openJsonLines } from "./jsonLines.js"
import { type ListOptions, type Opened, ROW_CHARS_MAX, UnusableFile } from "./listForm.js"

export interface OpenedList {
  readonly kind: DirectoryKind
  /** Headings that mean nothing, and are left aside. */
  readonly ignored: ReadonlyArray<string>
  readonly rows: Stream.Stream<ListedRow, UnusableFile>
}

/** How much of the file the form of the rest is told by. */
const HEAD_CHARS_MAX = 64 * 1024
const DELIMITERS = [",", ";", "\t", "|"] as const

const UNCLOSED = "Look for a quote that is not closed there, or a line that is no text."

/** In what is no text a NUL comes as early as this. */
const NUL_WITHIN = 16
const NO_TEXT = "it is no text in UTF-8. Save it as CSV UTF-8."

/**
 * What is not UTF-8 becomes U+FFFD, by which the reader of the rows tells the lines. UTF-16, with its mark or without, and
 * a spreadsheet's own format would be that in all of it.
 */
async function* textOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8")
  let isFirst = true
  for await (const bytes of source) {
    if (isFirst && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
      throw new UnusableFile({ message: "it is UTF-16. Save it as CSV UTF-8." })
    }
    if (isFirst && bytes.subarray(0, NUL_WITHIN).includes(0)) throw new UnusableFile({ message: NO_TEXT })
    isFirst = false
    yield decoder.decode(bytes, { stream: true })
  }
  const rest = decoder.decode()
  if (rest !== "") yield rest
}

/** The beginning of the text, and then all of it. */
const withHead = async (texts: AsyncGenerator<string>): Promise<{ head: string; all: AsyncGenerator<string> }> => {
  let head = ""
  while (head.length < HEAD_CHARS_MAX && !head.trimStart().includes("\n")) {
    const next = await texts.next()
    if (next.done === true) break
    head += next.value
  }
  async function* all() {
    yield head
    yield* texts
  }
  return { head, all: all() }
}

/** Spreadsheets write what their language separates with: the first line tells. */
const delimiterOf = (head: string): string => {
  // A heading may hold a separator within its quotes.
  const line = (head.trimStart().split(/\r?\n/, 1)[0] ?? "").replace(/"(?:[^"]|"")*"/g, "")
  const counts = DELIMITERS.map((delimiter) => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ","
}

interface Record_ {
  readonly info: { readonly lines: number }
  readonly record: ReadonlyArray<string>
}

const openCsv = async (head: string, all: AsyncGenerator<string>, options: ListOptions): Promise<Opened> => {
  // Some spreadsheets say it on a line of its own.
  const said = /^\s*sep=(.)\r?\n/i.exec(head)?.[1]
  const parser = parse({
    bom: true,
    delimiter: said ?? delimiterOf(head),
    info: true,
    max_record_size: ROW_CHARS_MAX,
    // Lists that were put together of several end their lines in several ways.
    record_delimiter: head.includes("\n") ? ["\r\n", "\n"] : ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true
  })
  // What fails there fails the reading of the rows.
  pipeline(Readable.from(all), parser, () => {})
  const records = (parser as unknown as AsyncIterable<Record_>)[Symbol.asyncIterator]()
  if (said !== undefined) await records.next()
  const first = await records.next()
  if (first.done === true) throw new UnusableFile({ message: "it is empty. Its first line names the columns." })
  const headings = first.value.record
  const recognised = Either.getOrThrowWith(recogniseColumns(headings, options), (mistakes) => mistakes)
  const { columns } = recognised
  async function* rows(): AsyncGenerator<ListedRow> {
    for (;;) {
      const next = await records.next()
      if (next.done === true) return
      const { info, record } = next.value
      const line = info.lines
      if (record.every((cell) => cell.trim() === "")) continue
      if (record.length !== columns.length) {
        const what = `it has ${record.length} cells, where the heading has ${columns.length}`
        yield { line, what, mend: "Quote cells that hold the separator, and leave no cell out." }
        continue
      }
      const cells: Record<string, string> = {}
      for (const [at, column] of columns.entries()) if (column !== null) cells[column] = record[at] ?? ""
      yield { line, cells }
    }
  }
  return { ...recognised, rows: rows() }
}

const JSON_LINES = new Set([".jsonl", ".ndjson", ".json"])

const open = async (path: string, options: ListOptions): Promise<Opened> => {
  const { all, head } = await withHead(textOf(createReadStream(path)))
  const isJson = JSON_LINES.has(extname(path).toLowerCase()) || /^\uFEFF?\s*\{/.test(head)
  return isJson ? openJsonLines(all, options) : openCsv(head.replace(/^\uFEFF/, ""), all, options)
}

const wordsOf = (cause: unknown): string => {
  if (cause instanceof UnusableFile) return cause.message
  if (cause instanceof CsvError) return `${cause.message}. ${UNCLOSED}`
  return cause instanceof Error ? cause.message : String(cause)
}

const unusable = (path: string) => (cause: unknown) =>
  new UnusableFile({ message: `${path} can't be read: ${wordsOf(cause)}` })

/** Opens a list, and tells by its headings what it is of. All mistakes in the headings are told at once. */
export const openList = (
  path: string,
  options: ListOptions
): Effect.Effect<OpenedList, UnusableFile | ColumnMistakes> =>
  Effect.map(
    Effect.tryPromise({
      try: () => open(path, options),
      catch: (cause) => (cause instanceof ColumnMistakes ? cause : unusable(path)(cause))
    }),
    ({ ignored, kind, rows }) => ({ kind, ignored, rows: Stream.fromAsyncIterable(rows, unusable(path)) })
  )
