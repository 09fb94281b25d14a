import { Effect, Schema } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { Actions } from "./Actions.js"
import { type Command, commandOn, required } from "./Command.js"
import { count } from "./count.js"

/** A month is sealed 35 days after its end, so that a shorter time would keep no less. */
const MONTHS_MIN = 2
const MONTHS_MAX = 1_200

const Months = Schema.NumberFromString.pipe(Schema.int(), Schema.between(MONTHS_MIN, MONTHS_MAX)).annotations({
  message: () => ({ message: `a number of months from ${MONTHS_MIN} to ${MONTHS_MAX}`, override: true })
})

/** `outbound archive FOLDER` */
export const archiveCommand = (
  actions: Pick<Actions, "archive">,
  config: Effect.Effect<OutboundConfig, unknown>
): Command =>
  commandOn(
    "archive",
    "Moves the calls and ledger entries of old months into files, beside a running service. Sums of them stay.",
    { "keep-months": required(Months, "N", "Full months before this one that stay in the database") },
    "folder",
    (flags, folder) =>
      Effect.map(
        Effect.flatMap(config, (read) => actions.archive(read, folder, flags["keep-months"])),
        ({ months }) => ({
          json: { months },
          text:
            months.length === 0
              ? "No sealed month is that old. A month is sealed 35 days after its end."
              : [
                  ...months.map((month) => `${month.folder} holds ${count(month.rows, "row", "rows")}.`),
                  `Check it at any time: npx outbound check --archive ${folder}`
                ].join("\n")
        })
      )
  )
