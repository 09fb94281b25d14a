import { assert, layer } from "@effect/vitest"
import { troublePauseMillis } from "@outbound/domain/outreach/operations/OperationRound.js"
import { DurableEngine, type OperationRef, type OperationSteps } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Effect, Layer, Logger, LogLevel, TestClock } from "effect"
import { randomUUID } from "node:crypto"
import {
  die,
  done,
  fail,
  hang,
  layer as scriptedSteps,
  ScriptedSteps,
  type ScriptedStep,
  wait
} from "./ScriptedSteps.js"

/** Long enough for every pause that the scripts and the engine's first retries make. */
const VIRTUAL_PASS = "10 seconds"
const STARTS_AT_ONCE = 20

/** Steps fail on purpose here. */
const quiet = Logger.minimumLogLevel(LogLevel.None)

/**
 * What every engine guarantees. `virtual`: it goes by the fiber's clock, which the suite moves. `real`: it goes by the
 * machine's clock, and the suite waits for what it started.
 */
export const engineContract = <E>(
  name: string,
  engine: Layer.Layer<DurableEngine, E, OperationSteps>,
  options: { readonly clock: "virtual" | "real" }
): void => {
  const given = (steps: ReadonlyArray<ScriptedStep>) =>
    Effect.gen(function* () {
      const operation: OperationRef = { workspaceId: randomUUID(), operationId: randomUUID() }
      const scripted = yield* ScriptedSteps
      yield* scripted.script(operation, steps)
      return operation
    })

  const start = (operation: OperationRef) => Effect.flatMap(DurableEngine, (running) => running.start(operation))

  /** Returns once so many of the operation's steps were run, and moves the clock for it. */
  const runs = (operation: OperationRef, count: number) =>
    Effect.gen(function* () {
      if (options.clock === "virtual") yield* TestClock.adjust(VIRTUAL_PASS)
      const scripted = yield* ScriptedSteps
      yield* scripted.awaitRuns(operation, count)
      return yield* scripted.times(operation)
    })

  /** Long enough for a step too many to show: another operation begins, waits and ends meanwhile. */
  const runsInTheEnd = (operation: OperationRef) =>
    Effect.gen(function* () {
      const other = yield* given([wait(300), done])
      yield* start(other)
      yield* runs(other, 2)
      return (yield* (yield* ScriptedSteps).times(operation)).length
    })

  const suite = layer(Layer.provideMerge(engine, scriptedSteps).pipe(Layer.provide(quiet)), {
    timeout: "180 seconds",
    excludeTestServices: options.clock === "real"
  })

  suite(`engine (${name})`, (it) => {
    it.effect("an operation is started once, however many ask at the same time and again", () =>
      Effect.gen(function* () {
        const operation = yield* given([wait(100), done])
        yield* Effect.replicateEffect(start(operation), STARTS_AT_ONCE, { concurrency: "unbounded", discard: true })
        yield* runs(operation, 2)
        yield* start(operation)
        assert.strictEqual(yield* runsInTheEnd(operation), 2)
      })
    )

    it.effect("a step is not asked again before the time that it said", () =>
      Effect.gen(function* () {
        const operation = yield* given([wait(250), wait(50), done])
        yield* start(operation)
        const [first = 0, second = 0, third = 0] = yield* runs(operation, 3)
        assert.isAtLeast(second - first, 250)
        assert.isAtLeast(third - second, 50)
      })
    )

    it.effect("an operation ends when a step says that it is done", () =>
      Effect.gen(function* () {
        const operation = yield* given([wait(0), done, done, done])
        yield* start(operation)
        yield* runs(operation, 2)
        assert.strictEqual(yield* runsInTheEnd(operation), 2)
      })
    )

    it.effect("a step that finds the store unavailable is tried again until it succeeds", () =>
      Effect.gen(function* () {
        const operation = yield* given([fail, fail, done])
        yield* start(operation)
        yield* runs(operation, 3)
        assert.strictEqual(yield* runsInTheEnd(operation), 3)
      })
    )

    it.effect("a step that dies is tried again, later each time, and harms no other operation", () =>
      Effect.gen(function* () {
        const broken = yield* given([die, die, die, done])
        const sound = yield* given([wait(50), wait(50), done])
        yield* start(broken)
        yield* start(sound)
        yield* runs(sound, 3)
        const [first = 0, second = 0, third = 0, fourth = 0] = yield* runs(broken, 4)
        for (const [index, pause] of [second - first, third - second, fourth - third].entries()) {
          assert.isAtLeast(pause, troublePauseMillis(index + 1))
        }
        assert.isAbove(troublePauseMillis(3), troublePauseMillis(1))
        assert.strictEqual(yield* runsInTheEnd(broken), 4)
      })
    )

    it.effect("a step that hangs holds up no other operation", () =>
      Effect.gen(function* () {
        const hanging = yield* given([hang])
        const other = yield* given([wait(10), done])
        yield* start(hanging)
        yield* runs(hanging, 1)
        yield* start(other)
        assert.strictEqual((yield* runs(other, 2)).length, 2)
      })
    )
  })
}
