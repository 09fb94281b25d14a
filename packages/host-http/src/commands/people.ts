import { Erasure, type ErasureReport } from "@outbound/domain/control/erasure/Erasure.js"
import { type ImportReport, SuppressionImport } from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { readAddressList } from "./addressList.js"
import { command, commandOn, type Outcome, required, switched } from "./Command.js"
import * as Flags from "./flags.js"

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
