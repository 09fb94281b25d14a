import { makeCompiler } from "@effect/sql-pg/PgClient"
import { Effect, Stream } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as SqlClient from "effect/sql/SqlClient"
import type { Acquirer, Connection } from "effect/sql/SqlConnection"
import pg from "pg"
import { BeginningLater, type Send } from "./Beginning.js"
import { connectionFailed, statementFailed } from "./PgErrors.js"
import type { PooledClient } from "./PooledClient.js"
import type { SqlError } from "./Sql.js"

/** Sends one statement and hands over its end. */
type Ask<A> = (send: Send, done: (ended: Effect.Effect<A, SqlError>) => void) => void

/** Runs `ask` on a connection. Interrupted, the caller goes, and the statement runs to its end. */
type Run = <A>(ask: Ask<A>) => Effect.Effect<A, SqlError>

type RowsOf = <A extends object>(rows: ReadonlyArray<A>) => ReadonlyArray<A>

const acquireFailed = (message: string, cause: unknown): Effect.Effect<never, SqlError> =>
  Effect.fail(connectionFailed(message, cause ?? new Error("No client returned")))

/** Takes a connection for the one statement. */
const onAny =
  (pool: pg.Pool): Run =>
  <A>(ask: Ask<A>) =>
    Effect.callback<A, SqlError>((resume) => {
      let isOver = false
      let taken: pg.PoolClient | undefined
      const giveBack = (lost?: Error): void => {
        if (!isOver) taken?.release(lost)
        isOver = true
        taken?.off("error", onError)
      }
      const onError = (cause: Error): void => {
        giveBack(cause)
        resume(Effect.fail(connectionFailed("Connection error", cause)))
      }
      pool.connect((cause, client) => {
        if (client === undefined) return resume(acquireFailed("Failed to acquire connection", cause))
        // It arrives after its caller was interrupted.
        if (isOver) return client.release()
        taken = client
        client.once("error", onError)
        ask(
          (config, answered) => client.query(config, answered),
          (ended) => {
            giveBack()
            resume(ended)
          }
        )
      })
      return Effect.sync(() => giveBack())
    })

const onThis =
  (send: Send): Run =>
  <A>(ask: Ask<A>) =>
    Effect.callback<A, SqlError>((resume) => {
      ask(send, resume)
    })

const ended = <A>(error: Error | null | undefined, value: () => A): Effect.Effect<A, SqlError> =>
  error ? Effect.fail(statementFailed(error)) : Effect.succeed(value())

const queryOf = (text: string, values: ReadonlyArray<unknown>): pg.QueryConfig => ({ text, values: [...values] })

const raw =
  (sql: string, params: ReadonlyArray<unknown>): Ask<pg.QueryResult> =>
  (send, done) =>
    send(queryOf(sql, params), (error, result) => done(ended(error, () => result as pg.QueryResult)))

/** Several statements in one text have several results. */
const rows =
  (sql: string, params: ReadonlyArray<unknown>): Ask<ReadonlyArray<object>> =>
  (send, done) =>
    send(queryOf(sql, params), (error, result?: pg.QueryResult | Array<pg.QueryResult>) =>
      done(ended(error, () => (Array.isArray(result) ? result.map((one) => one.rows ?? []) : (result?.rows ?? []))))
    )

const values =
  (sql: string, params: ReadonlyArray<unknown>): Ask<ReadonlyArray<ReadonlyArray<unknown>>> =>
  (send, done) =>
    send({ ...queryOf(sql, params), rowMode: "array" } as pg.QueryConfig, (error, result) =>
      done(ended(error, () => result?.rows as ReadonlyArray<ReadonlyArray<unknown>>))
    )

/** Whether a statement is prepared is for `PooledClient` to choose. */
const connection = (run: Run): Connection => {
  const execute = (sql: string, params: ReadonlyArray<unknown>, transform: RowsOf | undefined) => {
    const found = run(rows(sql, params))
    return transform === undefined ? found : Effect.map(found, transform)
  }
  const executeValues = (sql: string, params: ReadonlyArray<unknown>) => run(values(sql, params))
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => run(raw(sql, params)),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: () => Stream.die(new Error("No statement is read as a stream."))
  }
}

/** A connection for transactions, whose BEGIN travels with their first statement. */
const transacting = (client: PooledClient): Connection => {
  const later = new BeginningLater(client)
  const plain = connection(onThis(later.send))
  return {
    ...plain,
    executeUnprepared: (sql, params, transform) =>
      Effect.suspend(() => (later.spares(sql) ? Effect.succeed([]) : plain.executeUnprepared(sql, params, transform)))
  }
}

/** A connection that waits for its scope. One that is lost meanwhile is not used again. */
const reserve = (pool: pg.Pool): Acquirer =>
  Effect.acquireRelease(
    Effect.callback<{ readonly client: pg.PoolClient; readonly giveBack: () => void }, SqlError>((resume) => {
      pool.connect((cause, client, release) => {
        if (client === undefined) return resume(acquireFailed("Failed to acquire connection for transaction", cause))
        let lost: Error | undefined
        const onError = (error: Error): void => {
          lost = error
        }
        client.on("error", onError)
        const giveBack = (): void => {
          client.off("error", onError)
          release(lost)
        }
        resume(Effect.succeed({ client, giveBack }))
      })
    }),
    ({ giveBack }) => Effect.sync(giveBack)
  ).pipe(
    // Otherwise a connection that arrives after its fiber was interrupted would never be returned.
    Effect.uninterruptible,
    Effect.map(({ client }) => transacting(client as unknown as PooledClient))
  )

/** Where the pool's connections lead, for the spans of its statements. */
const spanAttributes = (pool: pg.Pool): ReadonlyArray<readonly [string, unknown]> => {
  const { database, host, port, user } = new pg.Client(pool.options)
  return [
    ["db.system.name", "postgresql"],
    ["db.namespace", database ?? user ?? "postgres"],
    ["server.address", host],
    ["server.port", port]
  ]
}

/**
 * A `SqlClient` over the pool. Interrupting a fiber never cancels its statement, and a connection is taken without
 * interruption.
 */
export const make = (pool: pg.Pool): Effect.Effect<SqlClient.SqlClient> => {
  const any = connection(onAny(pool))
  return SqlClient.make({
    driver: "pg",
    acquirer: Effect.succeed(any),
    borrower: (use) => use(any),
    transactionAcquirer: reserve(pool),
    compiler: makeCompiler(),
    spanAttributes: spanAttributes(pool)
  }).pipe(Effect.provideServiceEffect(Reactivity.Reactivity, Reactivity.make))
}
