import { Erasure, type ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import { type ImportReport, SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { readAddressList } from "./addressList.js"
import { command, commandOn, type Outcome, required, switched } from "./Command.js"
import * as Flags from "./flags.js"

const workspace = required(Flags.Id, "ID", "The workspace")

/** How many unusable rows are printed for a person; the JSON names more. */
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
        ? `Of ${rows} rows ${added} would be added; ${known} are known or repeated, ${unusable} can't be used.`
        : `Of ${rows} rows ${added} were added; ${known} were known or repeated, ${unusable} can't be used.`,
      `${leadsRemoved} leads ${dryRun ? "would leave" : "left"} the campaigns they are in.`,
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
        `Erased: ${report.leads} leads, ${report.replies} replies, ${report.answers} answers, ${report.waiting} waiting`,
        `messages, ${report.outcomes} remembered outcomes, ${report.contacts} contacts, ${report.late} late`,
        `answers, ${report.directory} of the directory, ${report.mentions} mentions.`,
        report.suppressed ? "They stay on the list of those who are never written to." : "They had not said no."
      ].join("\n")
    : "Nothing is stored of this person."
})

/** Those who are never written to, and those whose data is to go. */
export const peopleCommands = (actions: Pick<Actions, "operate">, config: Effect.Effect<OutboundConfig, unknown>) => {
  const operate = (work: Effect.Effect<Outcome, unknown, Erasure | SuppressionImport>) =>
    Effect.flatMap(config, (read) => actions.operate(read, work))

  const importList = commandOn(
    "import",
    "Takes over a list of people who are never to be written to, from a CSV file. It can't be undone.",
    { workspace, "dry-run": switched("Say what would happen, and change nothing") },
    "file",
    (flags, file) =>
      operate(
        Effect.gen(function* () {
          const { takeFor } = yield* SuppressionImport
          const dryRun = flags["dry-run"] !== undefined
          return imported(yield* takeFor(flags.workspace, readAddressList(file), { dryRun }))
        })
      )
  )

  const erase = command(
    "erase",
    "Takes a person's data out of a workspace, for good. Who said no is still never written to.",
    { workspace, email: required(Schema.String, "E", "Whose") },
    (flags) =>
      operate(
        Effect.gen(function* () {
          const { eraseFor } = yield* Erasure
          return erased(yield* eraseFor(flags.workspace, flags.email))
        })
      )
  )

  return { suppression: [importList], erase } as const
}
