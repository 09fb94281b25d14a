/**
 * One host of the take-over tests, a process of its own: an engine, steps that write down who ran them, and an outbox
 * that starts what stands in `asked`. Its only argument is the database's URL; it prints `ready`.
 */
import { NodeRuntime } from "@effect/platform-node"
import { SqlClient } from "@effect/sql"
import { DurableEngine, OperationSteps } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Singletons } from "@outbound/domain/kernel/ports/Singletons.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer, Option, Schedule } from "effect"
import * as ClusterEngine from "../../src/engine/ClusterEngine.js"
import { poolAt, quiet } from "../../test/engine/pool.js"

const unavailable = (cause: unknown) => new StoreUnavailable({ operation: "host", cause })

/** An operation ends with its `rounds`-th step; each asks to be called again after `wait_millis`. */
const steps = Layer.effect(
  OperationSteps,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    advance: ({ operationId }) =>
      sql<{ readonly done: boolean; readonly wait_millis: number }>`
        WITH written AS (INSERT INTO ran (operation_id, pid) VALUES (${operationId}, ${process.pid}))
        SELECT (SELECT count(*) FROM ran r WHERE r.operation_id = a.operation_id) + 1 >= a.rounds AS done, a.wait_millis
        FROM asked a WHERE a.operation_id = ${operationId}
      `.pipe(
        Effect.mapError(unavailable),
        Effect.map(([row]) =>
          row === undefined || row.done ? { _tag: "Done" as const } : { _tag: "Wait" as const, millis: row.wait_millis }
        )
      )
  }))
)

const outbox = Layer.scopedDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const engine = yield* DurableEngine
    const singletons = yield* Singletons
    const pass = Effect.gen(function* () {
      yield* sql`INSERT INTO beats (pid) VALUES (${process.pid})`
      const rows = yield* sql<{ readonly operation_id: string }>`SELECT operation_id FROM asked WHERE NOT started`
      for (const row of rows) {
        yield* engine.start({ workspaceId: "w", operationId: row.operation_id })
        yield* sql`UPDATE asked SET started = true WHERE operation_id = ${row.operation_id}`
      }
    })
    yield* singletons.run("outbox", Effect.repeat(pass, Schedule.spaced("100 millis")).pipe(Effect.asVoid))
  })
)

const host = outbox.pipe(
  Layer.provide(ClusterEngine.layer({ runnerAddress: Option.none(), sweepPause: "1 second" })),
  Layer.provide(steps),
  Layer.provide(poolAt(process.argv.at(-1) ?? "")),
  Layer.provide(quiet)
)

Layer.build(host).pipe(
  Effect.zipRight(Effect.sync(() => process.stdout.write("ready\n"))),
  Effect.zipRight(Effect.never),
  Effect.scoped,
  NodeRuntime.runMain
)
