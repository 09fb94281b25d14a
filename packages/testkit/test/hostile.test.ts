import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../src/thorough.js"
import { describeHostile, simulateHostile } from "../src/simulation/hostile.js"

const SEEDS = rounds(40, 10)

it.live(
  "recipients who attack touch no lead but their own, and nobody waits behind them",
  () =>
    Effect.gen(function* () {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const run = yield* simulateHostile(seed)
        assert.isNull(run.broken, describeHostile(run))
      }
    }),
  600_000
)
