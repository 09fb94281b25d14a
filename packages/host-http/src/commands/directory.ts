import {
  DirectoryImport,
  type DirectoryReport,
  type ListedRow,
  type RowMistake
} from "@outbound/domain/data/directory/DirectoryImport.js"
import { DIRECTORY_KINDS, type DirectoryKind } from "@outbound/domain/data/directory/Records.js"
import { Console, Effect, Either, Schema, Stream } from "effect"
import { createReadStream, writeFileSync } from "node:fs"
import { ColumnMistakes, recogniseColumns } from "@outbound/domain/data/directory/columns.js"
import { CsvError, parse } from "csv-parse"
import { extname } from "node:path"
import { pipeline, Readable } from "node:stream"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { commandOn, optional, type Outcome, required, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { type ListOptions, type Opened, ROW_CHARS_MAX, UnusableFile } from "./listForm.js"
import { openJsonLines } from "./trail.js"
import { delimiterOf, withHead } from "../csv/delimiterOf.js"

/** Reads a CSV or JSON Lines list row by row, in constant memory. */

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
  const { all, head } = await withHead(textOf(createReadStream(path)), HEAD_CHARS_MAX)
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

/** How many errors are printed; the report has more. */
const MISTAKES_SHOWN_MAX = 20
/** How many errors the JSON lists; the report has more. */
const MISTAKES_IN_JSON_MAX = 1_000
/** Rows between progress lines. */
const PROGRESS_ROWS = 50_000

const Kind = Schema.Literal(...DIRECTORY_KINDS).annotations({
  message: () => ({ message: `must be ${DIRECTORY_KINDS.join(" or ")}`, override: true })
})

const n = (count: number): string => count.toLocaleString("en-US")

const placeOf = ({ column, line }: RowMistake): string => (column === null ? `line ${line}` : `line ${line}, ${column}`)

const consequenceOf = ({ left_out }: RowMistake): string => (left_out === "row" ? "row skipped" : "cell skipped")

const imported = (report: DirectoryReport, ignored: ReadonlyArray<string>): Outcome => {
  const { added, dryRun, isEstimate, kind, known, mistakes, mistakesListed, rows, unusable, updated } = report
  const shown = mistakesListed.slice(0, MISTAKES_SHOWN_MAX)
  const would = dryRun ? "would be" : "were"
  return {
    json: {
      kind,
      dry_run: dryRun,
      estimate: isEstimate,
      rows,
      added,
      updated,
      known,
      unusable,
      mistakes,
      mistakes_listed: mistakesListed.slice(0, MISTAKES_IN_JSON_MAX),
      ignored_columns: ignored
    },
    text: [
      `${n(rows)} rows of ${kind}: ${n(added)} ${would} added, ${n(updated)} updated; ${n(known)} have nothing new, ` +
        `${n(unusable)} are invalid.`,
      ...(isEstimate ? ["Estimate: the list is so long that late duplicates were counted as new."] : []),
      ...(ignored.length === 0 ? [] : [`Ignored columns: ${ignored.join(", ")}.`]),
      ...shown.map((mistake) => `  ${placeOf(mistake)}: ${mistake.what}; ${consequenceOf(mistake)}. ${mistake.mend}`),
      ...(mistakes > shown.length ? [`  and ${n(mistakes - shown.length)} more`] : [])
    ].join("\n"),
    isBad: rows > 0 && unusable === rows
  }
}

/** Marks a would-be formula as text. */
const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`

const reportOf = ({ mistakes, mistakesListed }: DirectoryReport): string =>
  [
    ["line", "column", "error", "skipped", "how to fix it"].join(","),
    ...mistakesListed.map(({ column, left_out, line, mend, what }) =>
      [String(line), cell(column ?? ""), cell(what), left_out, cell(mend)].join(",")
    ),
    ...(mistakes > mistakesListed.length
      ? [[`""`, `""`, cell(`and ${mistakes - mistakesListed.length} more`), `""`, `""`].join(",")]
      : [])
  ].join("\r\n") + "\r\n"

const writeReport = (path: string, report: DirectoryReport) =>
  Effect.try({
    try: () => writeFileSync(path, reportOf(report)),
    catch: (cause) =>
      new UnusableFile({ message: `${path} can't be written: ${cause instanceof Error ? cause.message : cause}` })
  })

/** Adds to an error in the middle of a list what was imported before it. */
const brokenOff =
  (last: () => DirectoryReport | null) =>
  <E>(error: E): E | UnusableFile => {
    const report = last()
    if (!(error instanceof UnusableFile) || report === null) return error
    const { added, dryRun, rows, unusable, updated } = report
    const before = `Before that, ${n(rows)} rows: ${n(added)} ${dryRun ? "would be" : "were"} added, ${n(updated)} updated`
    return new UnusableFile({ message: `${error.message} ${before}; ${n(unusable)} are invalid.` })
  }

/** Prints progress to standard error. */
const progressPrinter = () => {
  let told = 0
  return ({ added, rows, unusable, updated }: DirectoryReport) =>
    Effect.suspend(() => {
      if (rows - told < PROGRESS_ROWS) return Effect.void
      told = rows
      return Console.error(`${n(rows)} rows: ${n(added)} added, ${n(updated)} updated, ${n(unusable)} invalid`)
    })
}

export const directoryCommands = (
  actions: Pick<Actions, "operate">,
  config: Effect.Effect<OutboundConfig, unknown>
) => {
  const importList = commandOn(
    "import",
    "Imports people or companies from a CSV or JSON Lines file. Importing again updates them.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      kind: optional(Kind, "KIND", "people or companies; default: detected from the headings"),
      "dry-run": switched("Show what would happen; change nothing"),
      "ignore-unknown": switched("Ignore unknown columns"),
      report: optional(Schema.String, "FILE", "Write all errors to this CSV file")
    },
    "file",
    (flags, file) =>
      Effect.gen(function* () {
        const read = yield* config
        const { ignored, kind, rows } = yield* openList(file, {
          kind: flags.kind ?? null,
          ignoreUnknown: flags["ignore-unknown"] !== undefined
        })
        return yield* actions.operate(
          read,
          Effect.gen(function* () {
            const { takeFor } = yield* DirectoryImport
            const dryRun = flags["dry-run"] !== undefined
            const tell = progressPrinter()
            let last: DirectoryReport | null = null
            const progress = (report: DirectoryReport) => {
              last = report
              return tell(report)
            }
            const written = () =>
              flags.report === undefined || last === null ? Effect.void : writeReport(flags.report, last)
            const report = yield* takeFor(flags.workspace, { kind, rows, dryRun, progress }).pipe(
              Effect.mapError(brokenOff(() => last)),
              Effect.tapError(() => Effect.ignore(written()))
            )
            last = report
            yield* written()
            return imported(report, ignored)
          })
        )
      })
  )
  return [importList] as const
}
