import { Erasure, type ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import {
  type ImportReport,
  type ListedAddress,
  SuppressionImport
} from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Data, Effect, Schema, Stream } from "effect"
import { CsvError, parse } from "csv-parse"
import { createReadStream } from "node:fs"
import { pipeline, Readable } from "node:stream"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, commandOn, type Outcome, required, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { delimiterOf, withHead } from "../csv/delimiterOf.js"

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

/** Uses the column with a known heading, or else the first. */
async function* addressesOf(source: Readable): AsyncGenerator<ListedAddress> {
  const { all, head } = await withHead(textOf(source), HEAD_BYTES_MAX)
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

const workspace = required(Flags.Id, "ID", "The workspace")

/** How many invalid rows are printed; the JSON lists more. */
const ROWS_SHOWN_MAX = 20

const imported = (report: ImportReport): Outcome => {
  const { added, dryRun, known, leadsRemoved, rows, unusable, unusableRows } = report
  const shown = unusableRows.slice(0, ROWS_SHOWN_MAX)
  return {
    json: {
      dry_run: dryRun,
      rows,
      added,
      known,
      unusable,
      unusable_rows: unusableRows,
      leads_removed: leadsRemoved
    },
    text: [
      dryRun
        ? `${rows} rows: ${added} would be added, ${known} are already on the list or repeated, ${unusable} are invalid.`
        : `${rows} rows: ${added} were added, ${known} were already on the list or repeated, ${unusable} are invalid.`,
      `${leadsRemoved} leads ${dryRun ? "would be" : "were"} removed from running campaigns.`,
      ...shown.map(({ line, reason }) => `  line ${line}: ${reason}`),
      ...(unusable > shown.length ? [`  and ${unusable - shown.length} more`] : [])
    ].join("\n"),
    isBad: rows > 0 && unusable === rows
  }
}

const erased = ({ erasureId, ...report }: ErasureReport): Outcome => ({
  json: { erasure_id: erasureId, ...report },
  text: report.known
    ? [
        `Erased: ${report.leads} leads, ${report.replies} replies, ${report.answers} of our replies, ${report.waiting} unread`,
        `messages, ${report.outcomes} stored results, ${report.contacts} stored contacts, ${report.late} late lookups,`,
        `${report.directory} directory entries, ${report.mentions} mentions.`,
        report.suppressed
          ? "They stay on the suppression list and are never emailed."
          : "They are not on the suppression list."
      ].join("\n")
    : "Nothing is stored about this person."
})

/** The suppression list, and erasure. */
export const peopleCommands = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = (work: Effect.Effect<Outcome, unknown, Erasure | SuppressionImport>) =>
    Effect.flatMap(config, (read) => actions.operate(read, work))

  const importList = commandOn(
    "import",
    "Adds the people in a CSV file to the suppression list: they are never emailed. This can't be undone.",
    { workspace, "dry-run": switched("Show what would happen; change nothing") },
    "file",
    (flags, file) =>
      operate(
        Effect.flatMap(SuppressionImport, ({ takeFor }) =>
          Effect.map(
            takeFor(flags.workspace, readAddressList(file), { dryRun: flags["dry-run"] !== undefined }),
            imported
          )
        )
      )
  )

  const erase = command(
    "erase",
    "Permanently deletes a person's data from a workspace. Their suppression stays.",
    { workspace, email: required(Schema.String, "E", "The person's email address") },
    (flags) =>
      operate(Effect.flatMap(Erasure, ({ eraseFor }) => Effect.map(eraseFor(flags.workspace, flags.email), erased)))
  )

  return { suppression: [importList], erase } as const
}
