import {
  DirectoryImport,
  type DirectoryReport,
  type LeftOutRow,
  type RowMistake
} from "@outbound/domain/data/directory/DirectoryImport.js"
import { DIRECTORY_KINDS } from "@outbound/domain/data/directory/Records.js"
import { Console, Effect, Schema } from "effect"
import { appendFileSync, writeFileSync } from "node:fs"
import { fileNameOf } from "@outbound/domain/kernel/tables/UploadedRow.js"
import { csvLine } from "@outbound/domain/kernel/tables/Cell.js"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { commandOn, optional, type Outcome, repeated, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { leftOutHead, leftOutLine } from "../csv/leftOut.js"
import { delimiterWords, type OpenedTable } from "../csv/openTable.js"
import { UnusableFile } from "./listForm.js"
import { flagError } from "./secrets.js"
import type { PublishedFiles } from "../wings/PublishedFile.js"
import { openList } from "./openList.js"

/** How many errors are printed; the report has more. */
const MISTAKES_SHOWN_MAX = 20
/** How many errors the JSON lists; the report has more. */
const MISTAKES_IN_JSON_MAX = 1_000
/** Rows between progress lines. */
const PROGRESS_ROWS = 50_000

const Kind = Schema.Literals(DIRECTORY_KINDS).annotate(Flags.saying(DIRECTORY_KINDS.join(" or ")))

const n = (count: number): string => count.toLocaleString("en-US")

const placeOf = ({ column, line }: RowMistake): string => (column === null ? `line ${line}` : `line ${line}, ${column}`)

const consequenceOf = ({ left_out }: RowMistake): string => (left_out === "row" ? "row skipped" : "cell skipped")

const imported = (report: DirectoryReport, ignored: ReadonlyArray<string>, table: OpenedTable | null): Outcome => {
  const { added, dryRun, empty, isEstimate, kind, known, mistakes, mistakesListed, rows, unusable, updated } = report
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
      empty,
      unusable,
      mistakes,
      mistakes_listed: mistakesListed.slice(0, MISTAKES_IN_JSON_MAX),
      ignored_columns: ignored,
      ...(table === null ? {} : { encoding: table.encoding(), heading_line: table.head.headingLine })
    },
    text: [
      ...(table === null ? [] : [`Read as ${table.encoding()}, divided by ${delimiterWords(table.head)}.`]),
      `${n(rows)} rows of ${kind}: ${n(added)} ${would} added, ${n(updated)} updated; ${n(known)} have nothing new, ` +
        `${n(empty)} are empty, ${n(unusable)} are invalid.`,
      ...(isEstimate ? ["Estimate: the list is so long that late duplicates were counted as new."] : []),
      ...(ignored.length === 0 ? [] : [`Ignored columns: ${ignored.join(", ")}.`]),
      ...shown.map((mistake) => `  ${placeOf(mistake)}: ${mistake.what}; ${consequenceOf(mistake)}. ${mistake.mend}`),
      ...(mistakes > shown.length ? [`  and ${n(mistakes - shown.length)} more`] : [])
    ].join("\n"),
    isBad: rows > 0 && unusable === rows
  }
}

const reportOf = ({ mistakes, mistakesListed }: DirectoryReport): string =>
  [
    csvLine(["line", "column", "error", "skipped", "how to fix it"]),
    ...mistakesListed.map(({ column, left_out, line, mend, what }) =>
      csvLine([String(line), column, what, left_out, mend])
    ),
    ...(mistakes > mistakesListed.length
      ? [csvLine(["", "", `and ${mistakes - mistakesListed.length} more`, "", ""])]
      : [])
  ].join("")

const writeReport = (path: string, report: DirectoryReport) =>
  Effect.try({
    try: () => writeFileSync(path, reportOf(report)),
    catch: (cause) =>
      new UnusableFile({ message: `${path} can't be written: ${cause instanceof Error ? cause.message : cause}` })
  })

/** Begins the file of what was left out, and returns what writes rows to it. */
const leftOutFile = (path: string, { head }: OpenedTable) =>
  Effect.as(
    Effect.try({
      try: () => writeFileSync(path, leftOutHead(head)),
      catch: (cause) =>
        new UnusableFile({ message: `${path} can't be written: ${cause instanceof Error ? cause.message : cause}` })
    }),
    (rows: ReadonlyArray<LeftOutRow>) =>
      Effect.sync(() => {
        const lines = rows.map((row) =>
          leftOutLine(
            head,
            row,
            row.mistakes.map(({ column, mend, what }) => ({ column, reason: what, remedy: mend }))
          )
        )
        appendFileSync(path, lines.join(""))
      })
  )

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

/** A list's own flags mean nothing to a published file. */
const OF_LISTS = ["workspace", "kind", "dry-run", "ignore-unknown", "report", "left-out"] as const

const takePublished = (
  published: ReadonlyArray<PublishedFiles>,
  flags: Readonly<Partial<Record<(typeof OF_LISTS)[number], unknown>>> & {
    readonly from?: string
    readonly part?: string
    readonly fewer?: "on"
    readonly column: ReadonlyArray<string>
  },
  file: string
): Effect.Effect<Outcome, unknown> => {
  const { column, fewer, from = "", part = null } = flags
  const given = [...OF_LISTS.filter((name) => flags[name] !== undefined), ...(column.length > 0 ? ["column"] : [])]
  if (given.length > 0) return flagError(`--${given.join(", --")} can't be used with --from`)
  const taker = published.find(({ names }) => names.includes(from))
  return taker === undefined
    ? flagError(`--from must be one of ${published.flatMap(({ names }) => names).join(", ")}`)
    : taker.take({ from, file, part, mayShrink: fewer !== undefined })
}

/** `published`: the files of publishers that `--from` takes, which belong to no workspace. */
export const directoryCommands = (
  actions: Pick<Actions, "operate">,
  config: Effect.Effect<OutboundConfig, unknown>,
  published: ReadonlyArray<PublishedFiles>
) => {
  const names = published.flatMap((one) => one.names)
  const importList = commandOn(
    "import",
    "Imports people or companies from a CSV or JSON Lines file, or companies for all workspaces from a published file. Importing again updates them.",
    {
      workspace: optional(Flags.Id, "ID", "The workspace; required without --from"),
      from: optional(
        Schema.NonEmptyString,
        "PUBLISHER",
        `Whose published file it is: ${names.join(", ")}; all workspaces of the service may search it`
      ),
      part: optional(Schema.NonEmptyString, "NAME", "With --from: what the file covers, such as berlin"),
      fewer: switched("With --from: the file is whole, though it holds less than half of what it replaces"),
      kind: optional(Kind, "KIND", "people or companies; default: detected from the headings"),
      "dry-run": switched("Show what would happen; change nothing"),
      "ignore-unknown": switched("Ignore unknown columns"),
      column: repeated(
        Schema.String,
        "FIELD=HEADING",
        "What a column holds, such as email=Contact; or by number: email=3"
      ),
      report: optional(Schema.String, "FILE", "Write all errors to this CSV file"),
      "left-out": optional(Schema.String, "FILE", "Write every row that was left out to this CSV file, to be mended")
    },
    "file",
    (flags, file) => {
      const { workspace } = flags
      if (flags.from !== undefined) return takePublished(published, flags, file)
      if (flags.part !== undefined || flags.fewer !== undefined) return flagError("--part and --fewer need --from")
      if (workspace === undefined) return flagError("--workspace is required, or --from for a published file")
      return Effect.gen(function* () {
        const read = yield* config
        const { ignored, kind, rows, table } = yield* openList(file, {
          columns: flags.column,
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
            const to = flags["left-out"]
            const leftOut = to === undefined || table === null ? null : yield* leftOutFile(to, table)
            const list = {
              kind,
              rows,
              file: file === "-" ? null : fileNameOf(file),
              dryRun,
              progress,
              ...(leftOut === null ? {} : { leftOut })
            }
            const report = yield* takeFor(workspace, list).pipe(
              Effect.mapError(brokenOff(() => last)),
              Effect.tapError(() => Effect.ignore(written()))
            )
            last = report
            yield* written()
            return imported(report, ignored, table)
          })
        )
      })
    }
  )
  return [importList, ...published.flatMap(({ commands }) => commands)]
}
