import { assert, it } from "@effect/vitest"
import { DurableEngine } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Singletons } from "@outbound/domain/kernel/ports/Singletons.js"
import { engineContract } from "@outbound/testkit/contracts/engine.js"
import { done, layer as scriptedSteps, ScriptedSteps, wait } from "@outbound/testkit/contracts/ScriptedSteps.js"
import { layer as memoryEngine, MemoryEngine } from "@outbound/testkit/memory/MemoryEngine.js"
import { layer as memorySingletons } from "@outbound/testkit/memory/MemorySingletons.js"
import { Effect, Layer, Ref, TestClock } from "effect"

engineContract("memory", memoryEngine, { clock: "virtual" })

it.scoped("after a restart, what had not ended goes on, and what had ended does not", () =>
  Effect.gen(function* () {
    const scripted = yield* ScriptedSteps
    const engine = yield* DurableEngine
    const waiting = { workspaceId: "w", operationId: "waiting" }
    const ended = { workspaceId: "w", operationId: "ended" }
    yield* scripted.script(waiting, [wait(60_000), done])
    yield* engine.start(waiting)
    yield* engine.start(ended)
    yield* TestClock.adjust("1 second")
    yield* (yield* MemoryEngine).restart
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* scripted.times(waiting)).length, 2)
    assert.strictEqual((yield* scripted.times(ended)).length, 1)
  }).pipe(Effect.provide(Layer.provideMerge(memoryEngine, scriptedSteps)))
)

it.scoped("a singleton that fails is run again after a pause", () =>
  Effect.gen(function* () {
    const runs = yield* Ref.make(0)
    yield* (yield* Singletons).run("failing", Ref.update(runs, (n) => n + 1).pipe(Effect.zipRight(Effect.fail("no"))))
    yield* TestClock.adjust("2 seconds")
    assert.strictEqual(yield* Ref.get(runs), 3)
  }).pipe(Effect.provide(memorySingletons))
)
