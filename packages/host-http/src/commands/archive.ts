import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { CALL_MONTHS_MIN as MONTHS_MIN, MONTHS_MAX, TRAIL_MONTHS_MIN } from "@outbound/domain/app/Admin.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { type Command, commandOn, optional, required } from "./Command.js"
import { count } from "./count.js"
import { saying } from "./flags.js"

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

const Months = NumberText.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: MONTHS_MIN, maximum: MONTHS_MAX })
).annotate(saying(`a number of months from ${MONTHS_MIN} to ${MONTHS_MAX}`))

const TrailMonths = NumberText.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: TRAIL_MONTHS_MIN, maximum: MONTHS_MAX })
).annotate(saying(`a number of months from ${TRAIL_MONTHS_MIN} to ${MONTHS_MAX}`))

/** `outbound archive FOLDER` */
export const archiveCommand = (
  actions: Pick<Actions, "archive">,
  config: Effect.Effect<OutboundConfig, unknown>
): Command =>
  commandOn(
    "archive",
    "Moves old calls, ledger entries and parts of trails into files, beside a running service. Sums and seals stay.",
    {
      "keep-months": required(Months, "N", "Full months before this one whose calls stay in the database"),
      "keep-trail-months": optional(TrailMonths, "N", "The same for trails; default: trails stay")
    },
    "folder",
    (flags, folder) =>
      Effect.map(
        Effect.flatMap(config, (read) =>
          actions.archive(read, folder, {
            callMonths: flags["keep-months"],
            trailMonths: flags["keep-trail-months"] ?? null
          })
        ),
        ({ months, trails }) => ({
          json: { months, trails },
          text:
            months.length + trails.length === 0
              ? "Nothing is that old. A month is sealed 35 days after its end."
              : [
                  ...months.map((month) => `${month.folder} holds ${count(month.rows, "row", "rows")}.`),
                  ...trails.map(({ events, file }) => `${file} holds ${count(events, "event", "events")}.`),
                  `Check it at any time: outbound check --archive ${folder}`
                ].join("\n")
        })
      )
  )
