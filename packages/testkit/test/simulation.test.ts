import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rounds } from "../src/thorough.js"
import { describeRun, simulate } from "../src/simulation/simulate.js"

const SEEDS = rounds(200, 60)
const ACTS = 40

/** For a slow machine with other work; a run takes a tenth of a second. */
const MILLIS_MAX = 600_000

describe("a simulated service", () => {
  it.live(
    `keeps every invariant in ${SEEDS} runs of chance, faults and deaths`,
    () =>
      Effect.gen(function* () {
        for (let seed = 1; seed <= SEEDS; seed += 1) {
          const run = yield* simulate(seed, ACTS)
          assert.isNull(run.broken, describeRun(run))
        }
      }),
    MILLIS_MAX
  )

  // A kill between a clock that was set back and the round that notices it; a repeat that outlived its host; a look-up
  // that slept while the clock was set back.
  it.live("keeps every invariant in the runs of chance that once broke one", () =>
    Effect.gen(function* () {
      for (const seed of [5670, 12_271, 60_262]) {
        const run = yield* simulate(seed, ACTS)
        assert.isNull(run.broken, describeRun(run))
      }
    })
  )

  it.live("a seed is one run, step by step", () =>
    Effect.gen(function* () {
      for (const seed of [3, 14, 15]) {
        const [once, again] = [yield* simulate(seed, ACTS), yield* simulate(seed, ACTS)]
        assert.strictEqual(describeRun(again), describeRun(once))
      }
    })
  )
})
