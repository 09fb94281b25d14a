/** Reads a CSV or JSON Lines list row by row, in constant memory. */
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
import { delimiterOf } from "../csv/delimiterOf.js"

export interface OpenedList {
  readonly kind: DirectoryKind
  /** Unknown headings, which are ignored. */
  readonly ignored: ReadonlyArray<string>
  readonly rows: Stream.Stream<ListedRow, UnusableFile>
}

/** How much of the file is read to detect its format. */
const HEAD_CHARS_MAX = 64 * 1024

const UNCLOSED = "Look there for an unclosed quote, or a line that is not text."

/** A NUL this early means that the file is not text. */
const NUL_WITHIN = 16
const NOT_TEXT = "the file is not UTF-8 text. Save it as CSV UTF-8."

/**
 * Decodes UTF-8. Invalid bytes become U+FFFD, so that the row reader can report their lines. UTF-16 and spreadsheet files
 * are refused as a whole.
 */
async function* textOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8")
  let isFirst = true
  for await (const bytes of source) {
    if (isFirst && ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))) {
      throw new UnusableFile({ message: "the file is UTF-16. Save it as CSV UTF-8." })
    }
    if (isFirst && bytes.subarray(0, NUL_WITHIN).includes(0)) throw new UnusableFile({ message: NOT_TEXT })
    isFirst = false
    yield decoder.decode(bytes, { stream: true })
  }
  const rest = decoder.decode()
  if (rest !== "") yield rest
}

/** The beginning of the text, and the whole text. */
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

interface Record_ {
  readonly info: { readonly lines: number }
  readonly record: ReadonlyArray<string>
}

const openCsv = async (head: string, all: AsyncGenerator<string>, options: ListOptions): Promise<Opened> => {
  // Some spreadsheets name the delimiter on a line of its own.
  const said = /^\s*sep=(.)\r?\n/i.exec(head)?.[1]
  const parser = parse({
    bom: true,
    delimiter: said ?? delimiterOf(head),
    info: true,
    max_record_size: ROW_CHARS_MAX,
    // Merged lists mix line endings.
    record_delimiter: head.includes("\n") ? ["\r\n", "\n"] : ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true
  })
  // A failure surfaces when the rows are read.
  pipeline(Readable.from(all), parser, () => {})
  const records = (parser as unknown as AsyncIterable<Record_>)[Symbol.asyncIterator]()
  if (said !== undefined) await records.next()
  const first = await records.next()
  if (first.done === true)
    throw new UnusableFile({ message: "the file is empty. Its first line must name the columns." })
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
        const what = `the row has ${record.length} cells, but the heading has ${columns.length}`
        yield { line, what, mend: "Quote cells that contain the delimiter, and don't leave cells out." }
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
    ({ ignored, kind, rows }) => ({ kind, ignored, rows: Stream.fromAsyncIterable(rows, unusable(path)) })
  )
