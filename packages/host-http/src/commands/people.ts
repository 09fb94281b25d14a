import { Erasure, type ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import {
  chooseListed,
  columnsGiven,
  type ColumnsChosen,
  DECIDING_ROWS,
  isKnownHeading
} from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { type ListedRow, type RowMistake, rowLister } from "@outbound/domain/control/suppressionImport/listedRows.js"
import {
  type ImportReport,
  type LeftOutRow,
  SuppressionImport
} from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { shownText } from "@outbound/domain/kernel/tables/cellAddresses.js"
import type { TableHead } from "@outbound/domain/kernel/tables/Table.js"
import { Data, Effect, Schema, Stream } from "effect"
import { appendFileSync, writeFileSync } from "node:fs"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { command, commandOn, optional, type Outcome, repeated, required, switched } from "./Command.js"
import * as Flags from "./flags.js"
import { leftOutHead, leftOutLine } from "../csv/leftOut.js"
import { delimiterWords, type OpenedTable, openTable, tableFault } from "../csv/openTable.js"

/** The list can't be read to its end. Earlier rows may have been imported. */
export class UnusableList extends Data.TaggedError("UnusableList")<{ readonly message: string }> {}

/** A list of people, opened: what its columns hold, and its rows. */
interface PeopleList {
  readonly table: OpenedTable
  readonly found: ColumnsChosen
  readonly rows: Stream.Stream<ListedRow, UnusableList>
}

const unusable = (path: string) => (cause: unknown) =>
  new UnusableList({ message: `${path} can't be read: ${tableFault(cause)}` })

/** Opens a list of people. `given`: the columns that somebody chose, by heading or number; none: those that hold addresses. */
export const openPeople = (path: string, given: ReadonlyArray<string>): Effect.Effect<PeopleList, UnusableList> =>
  Effect.gen(function* () {
    const table = yield* Effect.tryPromise({
      try: () => openTable(path, { isHeading: isKnownHeading, firstMax: DECIDING_ROWS }),
      catch: unusable(path)
    })
    const found = chooseListed(table.head, table.first)
    const { chosen, unknown } = columnsGiven(table.head, given)
    if (unknown.length > 0) {
      const names = unknown.map((name) => `"${name}"`).join(", ")
      return yield* new UnusableList({
        message: `${path} has no column ${names}. Its columns: ${table.head.columns.join(", ")}.`
      })
    }
    const columns = given.length > 0 ? chosen : found.chosen
    return {
      table,
      found:
        given.length === 0
          ? found
          : {
              chosen,
              doubts: [],
              columns: found.columns.map((one) => ({ ...one, isChosen: chosen.includes(one.index) }))
            },
      rows: Stream.map(Stream.fromAsyncIterable(table.rows, unusable(path)), rowLister(table.head, columns))
    }
  })

const workspace = required(Flags.Id, "ID", "The workspace")

/** Begins the file of what was left out, and returns what writes rows to it. */
const leftOutFile = (path: string, head: TableHead) =>
  Effect.as(
    Effect.try({
      try: () => writeFileSync(path, leftOutHead(head)),
      catch: (cause) => new UnusableList({ message: `${path} can't be written: ${tableFault(cause)}` })
    }),
    (rows: ReadonlyArray<LeftOutRow>) =>
      Effect.sync(() =>
        appendFileSync(path, rows.map(({ mistakes, row }) => leftOutLine(head, row, mistakes)).join(""))
      )
  )

/** How many mistakes are printed; the JSON lists more, and the file of `--left-out` all. */
const MISTAKES_SHOWN_MAX = 20

/** How many rows a preview shows. */
const PREVIEW_ROWS = 5

/** How the file was read, in words: for people, before and after. */
const readingOf = ({ found, table }: PeopleList): ReadonlyArray<string> => {
  const { above, headingLine } = table.head
  const heading = headingLine === null ? "no heading" : `the heading is on line ${headingLine}`
  return [
    `Read as ${table.encoding()}, divided by ${delimiterWords(table.head)}; ${heading}.`,
    ...above.map(({ line, text }) => `  line ${line} is above the heading: ${shownText(text)}`),
    ...found.columns.map(
      ({ index, isChosen, name, why }) => `  column ${index + 1} "${name}": ${isChosen ? "taken" : "not taken"}; ${why}`
    )
  ]
}

const readingJson = ({ found, table }: PeopleList) => ({
  encoding: table.encoding(),
  delimiter: table.head.delimiter,
  heading_line: table.head.headingLine,
  lines_above: table.head.above,
  columns: found.columns.map(({ addresses, filled, index, isChosen, name, why }) => ({
    column: index + 1,
    name,
    taken: isChosen,
    addresses,
    filled,
    why
  }))
})

/** Nothing was imported, because the list's meaning is not certain. */
const uncertain = (list: PeopleList): Outcome => {
  const { found, table } = list
  const names = found.columns.filter(({ addresses }) => addresses > 0).map(({ name }) => name)
  const mend = [
    `Nothing was imported. Choose the columns with --column${names.length === 0 ? " NAME" : names.map((name) => ` "${name}"`).join(" or --column")}`,
    found.chosen.length === 0 ? "." : ", or confirm what is shown with --yes."
  ].join("")
  return {
    json: { error: "uncertain_list", doubts: found.doubts, reading: readingJson(list), remedy: mend },
    text: [
      ...found.doubts,
      ...readingOf(list),
      "The first rows:",
      ...table.first
        .slice(0, PREVIEW_ROWS)
        .map(({ cells, line }) => `  line ${line}: ${cells.map(shownText).join(" | ")}`),
      mend
    ].join("\n"),
    isBad: true
  }
}

const mistakeWords = ({ column, line, reason, remedy }: RowMistake): string =>
  `  line ${line}${column === null ? "" : `, ${column}`}: ${reason}. ${remedy}`

const imported = (report: ImportReport, list: PeopleList): Outcome => {
  const { added, domains, dryRun, empty, known, leadsRemoved, mistakes, notes, people, rows, unusable } = report
  const shown = mistakes.slice(0, MISTAKES_SHOWN_MAX)
  const noted = notes.slice(0, MISTAKES_SHOWN_MAX)
  const more = (all: number, some: number) => (all > some ? [`  and more; --left-out FILE writes every row`] : [])
  const were = dryRun ? "would be" : "were"
  return {
    json: {
      dry_run: dryRun,
      rows,
      added,
      known,
      empty,
      unusable,
      people_added: people,
      domains_added: domains,
      unusable_rows: mistakes,
      notes,
      leads_removed: leadsRemoved,
      reading: readingJson(list)
    },
    text: [
      ...readingOf(list),
      `${rows} rows: ${added} ${were} added, ${known} ${dryRun ? "are" : "were"} already on the list or repeated, ` +
        `${empty} are empty, ${unusable} are invalid.`,
      `${people} addresses and ${domains} domains ${were} new.`,
      `${leadsRemoved} leads ${were} removed from running campaigns.`,
      ...shown.map(mistakeWords),
      ...more(unusable, shown.length),
      ...noted.map(mistakeWords)
    ].join("\n"),
    // Somebody in a row that was left out would be written to again.
    isBad: unusable > 0
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
    {
      workspace,
      "dry-run": switched("Show what would happen; change nothing"),
      column: repeated(Schema.String, "NAME", "A column of addresses, by its heading or number"),
      yes: switched("Import the list although its meaning is not certain, as its preview shows it"),
      "left-out": optional(Schema.String, "FILE", "Write every row that was left out to this CSV file, to be mended")
    },
    "file",
    (flags, file) =>
      Effect.gen(function* () {
        const list = yield* openPeople(file, flags.column)
        const { doubts, chosen } = list.found
        if (doubts.length > 0 && (flags.yes === undefined || chosen.length === 0)) return uncertain(list)
        return yield* operate(
          Effect.gen(function* () {
            const { takeFor } = yield* SuppressionImport
            const to = flags["left-out"]
            const left = to === undefined ? null : yield* leftOutFile(to, list.table.head)
            const report = yield* takeFor(flags.workspace, list.rows, {
              dryRun: flags["dry-run"] !== undefined,
              ...(left === null ? {} : { leftOut: left })
            })
            return imported(report, list)
          })
        )
      })
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
