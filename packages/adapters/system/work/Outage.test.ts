import { assert, layer } from "@effect/vitest"
import { type Job, LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { StoreUnavailable, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { done, layer as scriptedJobs, ScriptedJobs, wait } from "@outbound/testkit/contracts/ScriptedJobs.js"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { migrate } from "../../src/postgres/Migrations.js"
import { layer as unitOfWork } from "../../src/postgres/PgUnitOfWork.js"
import * as GraphileRunner from "../../src/work/GraphileRunner.js"
import * as GraphileWork from "../../src/work/GraphileWork.js"
import { TestDatabase } from "../../test/support/TestDatabase.js"
import { line } from "./Outage.js"
import { poolAt, quiet } from "../../test/work/pool.js"

const JOBS = 16
const ROUNDS = 4

const jobs = (): ReadonlyArray<Job> =>
  Array.from({ length: JOBS }, () => ({ kind: "operation", key: `${randomUUID()}/${randomUUID()}` }))

/** A host's long work over a line to the database. */
const engineAt = (url: string) =>
  Layer.mergeAll(GraphileRunner.layer, GraphileWork.layer, unitOfWork).pipe(
    Layer.provide(Layer.effectDiscard(migrate())),
    Layer.provide(poolAt(url, { statementMillisMax: 2_000, acquireMillisMax: 2_000 }))
  )

const announce = (...announced: ReadonlyArray<Job>) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    yield* atomically((yield* LongWork).announce(announced))
  })

/** Jobs at work while the line fails for a time. */
const survives = (failure: "cut" | "freeze", millis: number) =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase
    const way = yield* line(url)
    const scripted = yield* ScriptedJobs
    yield* Effect.gen(function* () {
      const all = jobs()
      yield* Effect.forEach(all, (job, n) =>
        scripted.script(job, [...Array.from({ length: ROUNDS - 1 }, () => wait(n % 2 === 0 ? 150 : 1_100)), done])
      )
      yield* announce(...all)
      yield* Effect.forEach(all, (job) => scripted.awaitRuns(job, 2))
      yield* way[failure]
      yield* Effect.sleep(millis)
      yield* way.restore
      yield* Effect.forEach(all, (job) => scripted.awaitRuns(job, ROUNDS))
    }).pipe(Effect.provide(engineAt(way.url)))
  })

layer(Layer.provideMerge(scriptedJobs, TestDatabase.layer).pipe(Layer.provideMerge(quiet)), {
  excludeTestServices: true
})("when the database cannot be reached for a time", (it) => {
  for (const millis of [100, 900, 6_000]) {
    it.effect(`every job goes on after connections broke for ${millis} ms`, () => survives("cut", millis), 180_000)
  }

  it.effect("every job goes on after the network lost everything for 5 s", () => survives("freeze", 5_000), 180_000)

  it.effect("an announcement that could not be stored says so", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const way = yield* line(url)
      yield* Effect.gen(function* () {
        yield* way.cut
        assert.instanceOf(yield* Effect.flip(announce(...jobs())), StoreUnavailable)
        yield* way.restore
      }).pipe(Effect.provide(engineAt(way.url)))
    })
  )
})
