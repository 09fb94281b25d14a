import { Effect } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { type Command, commandOn } from "./Command.js"
import { count } from "./count.js"

/** `outbound backup FOLDER` and `outbound restore FOLDER` */
export const backupCommands = (
  actions: Pick<Actions, "backUp" | "restore">,
  config: Effect.Effect<OutboundConfig, unknown>
): ReadonlyArray<Command> => [
  commandOn(
    "backup",
    "Copies everything that the service stores into a new folder, as it is at one instant, beside a running service. Not the secret: keep that apart.",
    {},
    "folder",
    (_flags, folder) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.backUp(read, folder)),
        (made) => ({
          json: { ...made },
          text: [
            `${made.folder} holds ${count(made.rows, "row", "rows")} of ${count(made.tables, "table", "tables")}, as of ${made.made_at}.`,
            `The secret is not in it. Keep it apart: ${made.secret}.`
          ].join("\n")
        })
      )
  ),
  commandOn(
    "restore",
    "Puts a backup into an empty database, all of it or nothing, and pauses its campaigns.",
    {},
    "folder",
    (_flags, folder) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.restore(read, folder)),
        (restored) => ({
          json: { ...restored },
          text: [
            `Restored ${count(restored.rows, "row", "rows")} as of ${restored.made_at}.`,
            `${count(restored.campaigns_paused, "campaign was", "campaigns were")} active and paused: what they sent since then is not known here.`,
            "Before you launch one again: repeat the erasures and import the refusals that came since, and read docs/operating.md, Backup."
          ].join("\n")
        })
      )
  )
]
