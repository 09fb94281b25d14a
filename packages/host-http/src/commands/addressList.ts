/** Reads a list of addresses row by row, in constant memory. */
import type { ListedAddress } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { CsvError, parse } from "csv-parse"
import { Data, Stream } from "effect"
import { createReadStream } from "node:fs"
import { pipeline, Readable } from "node:stream"
import { delimiterOf } from "../csv/delimiterOf.js"

/** The list can't be read to its end. Earlier rows may have been imported. */
export class UnusableList extends Data.TaggedError("UnusableList")<{ readonly message: string }> {}

/** How much of the file is read to detect its format. */
const HEAD_BYTES_MAX = 64 * 1024

/** A longer record has an unclosed quote. */
const RECORD_CHARS_MAX = 100_000

const HEADERS = new Set(["email", "e_mail", "mail", "email_address", "e_mail_address", "address"])

const headerOf = (cell: string): string =>
  cell
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_")

interface Row {
  readonly info: { readonly lines: number }
  readonly record: ReadonlyArray<string>
}

/** Only UTF-8: another encoding would suppress the wrong people. */
async function* textOf(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  for await (const bytes of source) yield decoder.decode(bytes, { stream: true })
  const rest = decoder.decode()
  if (rest !== "") yield rest
}

/** The beginning of the text, to detect its format, and the whole text. */
const withHead = async (texts: AsyncGenerator<string>): Promise<{ head: string; all: AsyncGenerator<string> }> => {
  let head = ""
  while (head.length < HEAD_BYTES_MAX && !head.includes("\n")) {
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

/** Uses the column with a known heading, or else the first. */
async function* addressesOf(source: Readable): AsyncGenerator<ListedAddress> {
  const { all, head } = await withHead(textOf(source))
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(head),
    info: true,
    max_record_size: RECORD_CHARS_MAX,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true
  })
  // A failure surfaces when the rows are read.
  pipeline(Readable.from(all), parser, () => {})
  let column: number | null = null
  for await (const { info, record } of parser as unknown as AsyncIterable<Row>) {
    if (column === null) {
      const named = record.findIndex((cell) => HEADERS.has(headerOf(cell)))
      column = Math.max(named, 0)
      if (named !== -1) continue
    }
    yield { line: info.lines, address: record[column] ?? "" }
  }
}

const wordsOf = (cause: unknown): string => {
  if (cause instanceof CsvError) return cause.message
  if (cause instanceof TypeError) return "the file is not UTF-8. Save it as CSV UTF-8."
  return cause instanceof Error ? cause.message : String(cause)
}

/** The rows of a CSV file, or of a file with one address on each line. */
export const readAddressList = (path: string): Stream.Stream<ListedAddress, UnusableList> =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable(
      addressesOf(createReadStream(path)),
      (cause) => new UnusableList({ message: `${path} can't be read: ${wordsOf(cause)}` })
    )
  )
