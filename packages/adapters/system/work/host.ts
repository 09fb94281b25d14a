/**
 * One host of the take-over tests, a process of its own: the runner, and handlers that write down who ran them. Its
 * only argument is the database's URL; it prints `ready`.
 */
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { DONE, type JobHandler, JobHandlers, waitFor } from "@outbound/domain/kernel/ports/LongWork.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer, Runtime } from "effect"
import { poolAt, quiet } from "../../test/work/pool.js"
import * as GraphileRunner from "../../src/work/GraphileRunner.js"

const unavailable = (cause: unknown) => new StoreUnavailable({ operation: "host", cause })

/** A job ends with its `rounds`-th wake-up; each takes `takes_millis`, and asks for the next after `wait_millis`. */
const handlers = Layer.effect(
  JobHandlers,
  Effect.map(SqlClient, (sql) => {
    const operation: JobHandler = (key) =>
      Effect.gen(function* () {
        const [row] = yield* sql<{
          readonly takes_millis: number
          readonly wait_millis: number
          readonly rounds: number
        }>`
          WITH written AS (INSERT INTO ran (key, pid) VALUES (${key}, ${process.pid}))
          SELECT rounds, takes_millis, wait_millis FROM asked WHERE key = ${key}
        `
        if (row === undefined) return DONE
        yield* Effect.sleep(row.takes_millis)
        const [ran] = yield* sql<{ readonly count: number }>`SELECT count(*)::int FROM ran WHERE key = ${key}`
        return ran !== undefined && ran.count >= row.rounds ? DONE : waitFor(row.wait_millis)
      }).pipe(Effect.mapError(unavailable))
    const nothing: JobHandler = () => Effect.succeed(DONE)
    return {
      operation,
      kill: nothing,
      domain: nothing,
      watch: nothing,
      follow_ups: nothing,
      winner: nothing,
      crm: nothing,
      sweeps: nothing
    }
  })
)

const host = GraphileRunner.layer.pipe(
  Layer.provide(handlers),
  Layer.provide(poolAt(process.argv.at(-1) ?? "")),
  Layer.provide(quiet)
)

/** SIGTERM asks it to stop. */
const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
  const stop = () => fiber.interruptUnsafe()
  process.once("SIGTERM", stop)
  fiber.addObserver((exit) => teardown(exit, (code) => process.exit(code)))
})

Layer.build(host).pipe(
  Effect.andThen(Effect.sync(() => process.stdout.write("ready\n"))),
  Effect.andThen(Effect.never),
  Effect.scoped,
  runMain
)
