import { assert, it } from "@effect/vitest"
import { LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { longWorkContract } from "@outbound/testkit/contracts/longWork.js"
import { done, layer as scriptedJobs, ScriptedJobs, wait } from "@outbound/testkit/contracts/ScriptedJobs.js"
import * as MemoryLayer from "@outbound/testkit/memory/layer.js"
import { layer as memoryWork, MemoryWork, runner } from "@outbound/testkit/memory/MemoryWork.js"
import { Effect, Layer, References } from "effect"
import { TestClock } from "effect/testing"

/** Handlers fail on purpose here. */
const quiet = Layer.succeed(References.MinimumLogLevel, "None")

const engine = runner.pipe(
  Layer.provideMerge(memoryWork),
  Layer.provide(MemoryLayer.layer),
  Layer.provideMerge(scriptedJobs),
  Layer.provide(quiet)
)

longWorkContract("memory", engine, { clock: "virtual" })

it.effect("after a restart, what had not ended goes on, and what had ended does not", () =>
  Effect.gen(function* () {
    const scripted = yield* ScriptedJobs
    const work = yield* LongWork
    const { atomically } = yield* UnitOfWork
    const waiting = { kind: "operation", key: "w/waiting" } as const
    const ended = { kind: "operation", key: "w/ended" } as const
    yield* scripted.script(waiting, [wait(2_000), done])
    yield* atomically(work.announce([waiting, ended]))
    yield* TestClock.adjust("1 second")
    yield* (yield* MemoryWork).restart
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* scripted.times(waiting)).length, 2)
    assert.strictEqual((yield* scripted.times(ended)).length, 1)
  }).pipe(Effect.provide(engine))
)
