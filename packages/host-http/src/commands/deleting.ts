import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions, DeletionReport } from "./Actions.js"
import { command, type Command, required } from "./Command.js"
import { count } from "./count.js"
import * as Flags from "./flags.js"

const deletionWords = ({ people, rows, tables, was_deleted }: DeletionReport): string =>
  was_deleted
    ? `The workspace had been deleted before. Of what was left, ${count(rows, "row is", "rows are")} gone now.`
    : [
        `The workspace is deleted: ${count(rows, "row", "rows")} of ${count(tables, "table", "tables")}, and ${count(people, "person", "people")} without another workspace.`,
        "Its id, its dates and the sums of its credits stay. Backups, archives and exports still hold it: delete those too."
      ].join("\n")

/** `outbound workspace delete` */
export const deleteCommand = (
  actions: Pick<Actions, "deleteWorkspace">,
  config: Effect.Effect<OutboundConfig, unknown>
): Command =>
  command(
    "delete",
    "Deletes a stopped workspace with all that it holds. It can't be undone.",
    {
      workspace: required(Flags.Id, "ID", "The workspace"),
      name: required(Schema.NonEmptyString, "N", "Its name, exactly, so that no other one is meant")
    },
    ({ name, workspace }) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.deleteWorkspace(read, workspace, name)),
        (made) => ({ json: { ...made }, text: deletionWords(made) })
      )
  )
