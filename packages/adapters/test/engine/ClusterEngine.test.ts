import { assert, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { DurableEngine, type OperationRef } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Singletons } from "@outbound/domain/kernel/ports/Singletons.js"
import { engineContract } from "@outbound/testkit/contracts/engine.js"
import { done, fail, layer as scriptedSteps, ScriptedSteps, wait } from "@outbound/testkit/contracts/ScriptedSteps.js"
import { Effect, Layer, Option, Ref } from "effect"
import { randomUUID } from "node:crypto"
import * as ClusterEngine from "../../src/engine/ClusterEngine.js"
import { EXECUTION_ROUNDS_MAX } from "../../src/engine/OperationWorkflow.js"
import { eventually, quiet } from "./pool.js"
import { testPool } from "./support.js"

const engine = ClusterEngine.layer({ runnerAddress: Option.none(), sweepPause: "200 millis" })

engineContract("PostgreSQL", Layer.provide(engine, testPool), { clock: "real" })

const operation = (): OperationRef => ({ workspaceId: randomUUID(), operationId: randomUUID() })

const rowsOfEngine = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly messages: number; readonly replies: number }>`
    SELECT (SELECT count(*)::int FROM engine_messages) AS messages, (SELECT count(*)::int FROM engine_replies) AS replies
  `
  return row
})

layer(Layer.provideMerge(scriptedSteps, testPool).pipe(Layer.provideMerge(quiet)), {
  excludeTestServices: true,
  timeout: "180 seconds"
})("engine (PostgreSQL)", (it) => {
  it.scoped("an operation goes on after the engine has been stopped in a wait and started again", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedSteps
      const [short, long] = [operation(), operation()]
      yield* scripted.script(short, [wait(900), done])
      yield* scripted.script(long, [wait(1_500), done])
      yield* Effect.gen(function* () {
        const running = yield* DurableEngine
        yield* running.start(short)
        yield* running.start(long)
        yield* scripted.awaitRuns(short, 1)
        yield* scripted.awaitRuns(long, 1)
      }).pipe(Effect.provide(engine))
      yield* Layer.build(engine)
      yield* scripted.awaitRuns(short, 2)
      yield* scripted.awaitRuns(long, 2)
      const [first = 0, second = 0] = yield* scripted.times(long)
      assert.isAtLeast(second - first, 1_500)
    })
  )

  it.scoped("an operation that was asked before any step of it ran is run by the next engine", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedSteps
      const asked = operation()
      yield* Effect.flatMap(DurableEngine, (running) => running.start(asked)).pipe(Effect.provide(engine))
      yield* Layer.build(engine)
      yield* scripted.awaitRuns(asked, 1)
    })
  )

  it.scoped("an operation of more rounds than one execution has goes on in the next, and leaves no rows behind", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedSteps
      const long = operation()
      const rounds = 2 * EXECUTION_ROUNDS_MAX + 3
      yield* scripted.script(long, [...Array.from({ length: rounds - 1 }, () => wait(0)), done])
      yield* Effect.gen(function* () {
        const running = yield* DurableEngine
        yield* running.start(long)
        yield* scripted.awaitRuns(long, EXECUTION_ROUNDS_MAX + 1)
        yield* running.start(long)
        yield* scripted.awaitRuns(long, rounds)
        yield* eventually(rowsOfEngine, (rows) => rows?.messages === 0 && rows.replies === 0)
        assert.strictEqual((yield* scripted.times(long)).length, rounds)
      }).pipe(Effect.provide(engine))
    })
  )

  it.scoped("operations that ended leave no rows, and those under way are not touched", () =>
    Effect.gen(function* () {
      const scripted = yield* ScriptedSteps
      const waiting = operation()
      const ending = Array.from({ length: 10 }, operation)
      yield* scripted.script(waiting, [wait(3_600_000), done])
      yield* Effect.forEach(ending, (each) => scripted.script(each, [wait(0), fail, wait(1_100), done]))
      yield* Effect.gen(function* () {
        const running = yield* DurableEngine
        yield* Effect.forEach([waiting, ...ending], running.start)
        yield* Effect.forEach(ending, (each) => scripted.awaitRuns(each, 4))
        // Of the one that waits: its run, its round, its clock, and the replies of the first two.
        yield* eventually(rowsOfEngine, (rows) => rows?.messages === 3 && rows.replies === 2)
        assert.strictEqual((yield* scripted.times(waiting)).length, 1)
      }).pipe(Effect.provide(engine))
    })
  )

  it.scoped("a singleton runs once over two engines, and is run again when it fails", () =>
    Effect.gen(function* () {
      const [running, failures] = [yield* Ref.make(0), yield* Ref.make(0)]
      const most = yield* Ref.make(0)
      const work = Effect.acquireUseRelease(
        Effect.tap(
          Ref.updateAndGet(running, (n) => n + 1),
          (n) => Ref.update(most, (m) => Math.max(m, n))
        ),
        () =>
          Effect.zipRight(
            Effect.sleep("20 millis"),
            Effect.zipRight(
              Ref.update(failures, (n) => n + 1),
              Effect.fail("no")
            )
          ),
        () => Ref.update(running, (n) => n - 1)
      )
      const host = Layer.scopedDiscard(Effect.flatMap(Singletons, (singletons) => singletons.run("work", work)))
      yield* Layer.build(Layer.provide(Layer.fresh(host), Layer.fresh(engine)))
      yield* Layer.build(Layer.provide(Layer.fresh(host), Layer.fresh(engine)))
      yield* eventually(Ref.get(failures), (n) => n >= 3)
      assert.strictEqual(yield* Ref.get(most), 1)
    })
  )
})
