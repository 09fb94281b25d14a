import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { CALL_MONTHS_MIN as MONTHS_MIN, MONTHS_MAX, TRAIL_MONTHS_MIN } from "@outbound/domain/app/Admin.js"
import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../../Config.js"
import { type Command, commandOn, optional, required } from "../../commands/Command.js"
import { count } from "../../commands/count.js"
import { saying } from "../../commands/flags.js"
import type { ArchiveActions } from "./ArchiveActions.js"

const Months = NumberText.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: MONTHS_MIN, maximum: MONTHS_MAX })
).annotate(saying(`a number of months from ${MONTHS_MIN} to ${MONTHS_MAX}`))

const TrailMonths = NumberText.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: TRAIL_MONTHS_MIN, maximum: MONTHS_MAX })
).annotate(saying(`a number of months from ${TRAIL_MONTHS_MIN} to ${MONTHS_MAX}`))

/** `outbound archive FOLDER` */
export const archiveCommands = (
  actions: ArchiveActions,
  config: Effect.Effect<OutboundConfig, unknown>
): ReadonlyArray<Command> => [
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
]
