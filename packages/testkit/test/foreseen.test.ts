import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../src/thorough.js"
import { describeForeseen, simulateForeseen } from "../src/simulation/foreseen.js"

const SEEDS = rounds(60, 8)

it.live(
  "a forecast is what then happens, by day and mailbox, in any zone, at any time of a year",
  () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const run = yield* simulateForeseen(seed)
        assert.isNull(run.broken, describeForeseen(run))
      }
    }),
  600_000
)
