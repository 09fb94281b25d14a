import { Effect } from "effect"
import type { OutboundConfig } from "../../Config.js"
import { type Command, commandOn, required } from "../../commands/Command.js"
import { count } from "../../commands/count.js"
import * as Flags from "../../commands/flags.js"
import type { ExportReport, ImportReport, MovingActions } from "./MovingActions.js"

const exportWords = (made: ExportReport): string =>
  [
    `${made.file} holds workspace "${made.name}" as of ${made.made_at}: ${count(made.rows, "row", "rows")}, ${count(made.suppressed, "person who must never be emailed", "people who must never be emailed")}.`,
    ...(made.campaigns_active === 0
      ? []
      : [
          `${count(made.campaigns_active, "campaign goes", "campaigns go")} on sending here. Pause them if the workspace moves.`
        ]),
    "It can be imported where the same OUTBOUND_SECRET is set, which is not in it."
  ].join("\n")

const importWords = (made: ImportReport): string =>
  [
    `Imported workspace "${made.name}" (${made.workspace_id}) as of ${made.made_at}: ${count(made.rows, "row", "rows")}, ${count(made.suppressed, "person who must never be emailed", "people who must never be emailed")}.`,
    `${count(made.campaigns_paused, "campaign was", "campaigns were")} active and paused, and ${count(made.approvals_cancelled, "open approval", "open approvals")} cancelled: nothing is sent until an owner launches again.`,
    ...(made.people_known === 0
      ? []
      : [
          `${count(made.people_known, "member signs", "members sign")} in here already, and keep the id they have here.`
        ]),
    "Let only one of the two installations use the workspace: read docs/operating.md, Moving a workspace."
  ].join("\n")

/** `outbound export FILE` and `outbound import FILE` */
export const movingCommands = (
  actions: MovingActions,
  config: Effect.Effect<OutboundConfig, unknown>
): ReadonlyArray<Command> => [
  commandOn(
    "export",
    "Writes one workspace into a new file, as it is at one instant, beside a running service.",
    { workspace: required(Flags.Id, "ID", "The workspace") },
    "file",
    ({ workspace }, file) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.exportWorkspace(read, workspace, file)),
        (made) => ({ json: { ...made }, text: exportWords(made) })
      )
  ),
  commandOn(
    "import",
    "Adds the workspace of an export beside the others, all of it or nothing, and pauses its campaigns.",
    {},
    "file",
    (_flags, file) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.importWorkspace(read, file)),
        (made) => ({ json: { ...made }, text: importWords(made) })
      )
  )
]
