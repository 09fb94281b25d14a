import { assert, layer } from "@effect/vitest"
import { DurableEngine, type OperationRef } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { done, layer as scriptedSteps, ScriptedSteps, wait } from "@outbound/testkit/contracts/ScriptedSteps.js"
import { Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import * as ClusterEngine from "../../src/engine/ClusterEngine.js"
import { TestDatabase } from "../../test/support/TestDatabase.js"
import { line } from "./Outage.js"
import { poolAt, quiet } from "../../test/engine/pool.js"

const OPERATIONS = 16
const ROUNDS = 4

const operations = (): ReadonlyArray<OperationRef> =>
  Array.from({ length: OPERATIONS }, () => ({ workspaceId: randomUUID(), operationId: randomUUID() }))

/** Operations at work, of which half wait in memory and half by the durable clock, while the line fails for a time. */
const survives = (failure: "cut" | "freeze", millis: number) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const way = yield* line(url)
    const scripted = yield* ScriptedSteps
    const pool = poolAt(way.url, { statementMillisMax: 2_000, acquireMillisMax: 2_000 })
    const engine = ClusterEngine.layer({ runnerAddress: Option.none(), sweepPause: "500 millis" })
    yield* Effect.gen(function* () {
      const running = yield* DurableEngine
      const all = operations()
      yield* Effect.forEach(all, (operation, n) =>
        scripted.script(operation, [...Array.from({ length: ROUNDS - 1 }, () => wait(n % 2 === 0 ? 150 : 1_100)), done])
      )
      yield* Effect.forEach(all, running.start, { concurrency: 8 })
      yield* Effect.forEach(all, (operation) => scripted.awaitRuns(operation, 2))
      yield* way[failure]
      yield* Effect.sleep(millis)
      yield* way.restore
      yield* Effect.forEach(all, (operation) => scripted.awaitRuns(operation, ROUNDS))
    }).pipe(Effect.provide(Layer.provide(engine, pool)))
  })

layer(Layer.provideMerge(scriptedSteps, TestDatabase.layer).pipe(Layer.provideMerge(quiet)), {
  excludeTestServices: true
})("when the database cannot be reached for a time", (it) => {
  for (const millis of [100, 900, 6_000]) {
    it.scoped(
      `every operation goes on after connections broke for ${millis} ms`,
      () => survives("cut", millis),
      180_000
    )
  }

  it.scoped(
    "every operation goes on after the network lost everything for 5 s",
    () => survives("freeze", 5_000),
    180_000
  )

  it.scoped("a start that could not be stored says so", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const way = yield* line(url)
      const pool = poolAt(way.url, { statementMillisMax: 2_000, acquireMillisMax: 2_000 })
      const engine = ClusterEngine.layer({ runnerAddress: Option.none() })
      yield* Effect.gen(function* () {
        const running = yield* DurableEngine
        yield* way.cut
        const [operation] = operations()
        const error = yield* Effect.flip(running.start(operation ?? { workspaceId: "", operationId: "" }))
        assert.instanceOf(error, StoreUnavailable)
        yield* way.restore
      }).pipe(Effect.provide(Layer.provide(engine, pool)))
    })
  )
})
