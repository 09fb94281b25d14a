import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import pg from "pg"
import { Answering } from "./Answering.js"
import * as PgClient from "./PgClient.js"
import { connectionFailed } from "./PgErrors.js"
import { type PooledClient, pooledClientClass } from "./PooledClient.js"
import { chooseSchema } from "./Schema.js"
import { SqlClient, type SqlError } from "./Sql.js"
import { StatementNames } from "./StatementNames.js"

/** How long closing waits for connections in use. */
const CLOSE_MILLIS_MAX = 5_000
/** How long after the server's statement timeout we stop waiting for an answer: the network is gone. */
const READ_GRACE_MILLIS = 5_000
/** A connection that nobody used for so long is closed. An idle host looks each minute and keeps that connection. */
const IDLE_MILLIS = 120_000
/** When to probe a silent peer, how often, and after how many probes it counts as gone. */
const KEEPALIVE = { idleSeconds: 10, intervalSeconds: 5, probes: 3 } as const
/** The same on the server, of a host that others must not wait for. */
const HOST_KEEPALIVE = { idleSeconds: 1, intervalSeconds: 1, probes: 2 } as const

export interface PgPoolOptions {
  /** `postgres://…`. Its `schema` names the schema of our tables. */
  readonly url: Redacted.Redacted
  /** What the server shows in `pg_stat_activity`. */
  readonly applicationName: string
  /** Few, because hot rows get slower with more connections. */
  readonly connectionsMax?: number
  /** How long a statement may wait for a connection. */
  readonly acquireMillisMax?: number
  readonly statementMillisMax?: number
  readonly lockMillisMax?: number
  readonly idleInTransactionMillisMax?: number
  /**
   * For a host that others must not wait for: how long a statement may be without an answer before it is asked whether the
   * database is there at all, and how soon the server finds out that the host is not.
   */
  readonly answerMillisMax?: number
}

/**
 * The bounds of a host's own transactions. Between two statements there is only computing; and a connection whose host is
 * gone, in the middle of a statement too, is found out by the server.
 */
export const HOST_BOUNDS = { idleInTransactionMillisMax: 2_000, answerMillisMax: 2_000 } as const

/** The pool beneath the `SqlClient`, for the hot path. */
export class RawPool extends Context.Service<RawPool, pg.Pool>()("@outbound/adapters/postgres/PgPool/RawPool") {}

/** Opens a few more connections to the same database, for a library that needs the driver's own types. */
export class LibraryPool extends Context.Service<
  LibraryPool,
  { readonly open: (connectionsMax: number) => Effect.Effect<pg.Pool, SqlError, Scope.Scope> }
>()("@outbound/adapters/postgres/PgPool/LibraryPool") {}

const TEXT_ARRAY: number = 1009

const asText = (text: string): string => text

const arrayOf =
  <A>(element: (text: string) => A) =>
  (text: string): ReadonlyArray<A | null> =>
    (pg.types.getTypeParser(TEXT_ARRAY, "text")(text) as ReadonlyArray<string | null>).map((item) =>
      item === null ? null : element(item)
    )

/** By the numbers of the types `int8`, `date` and their arrays. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  20: BigInt,
  1082: asText,
  1016: arrayOf(BigInt),
  1182: arrayOf(asText)
}

/**
 * Column parsers: `int8` as `bigint` (`count(*)` too), `date` as ISO text, `numeric` as text, `timestamptz` as `Date`.
 * They apply to this pool only; the process-wide parsers of `pg` stay unchanged.
 */
const columnTypes = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    format === "binary"
      ? pg.types.getTypeParser(oid, "binary")
      : (PARSERS[oid] ?? pg.types.getTypeParser(oid, "text"))) as typeof pg.types.getTypeParser
}

/**
 * A pool whose `release` waits until the connection is idle. An interrupted caller leaves its statement running; the
 * connection's next user must neither wait for it nor get its answer.
 */
class Pool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(
    callback: (err: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void
  ): void
  override connect(
    callback?: (err: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void
  ): Promise<pg.PoolClient> | void {
    if (callback === undefined) {
      return new Promise((resolve, reject) =>
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      )
    }
    super.connect((error, client, done) => {
      if (client === undefined) return callback(error, client, done)
      const { whenIdle } = client as unknown as PooledClient
      const release = (reason?: unknown): void => {
        if (reason) return done(reason)
        whenIdle.call(client, () => done((client as unknown as PooledClient).unusable))
      }
      client.release = release
      callback(error, client, release)
    })
  }
}

/** The server looks for its client while a statement runs. Some systems can't: there it looks afterwards. */
const LOOK_WHILE_BUSY = `DO $$ BEGIN SET client_connection_check_interval = 500; EXCEPTION WHEN OTHERS THEN NULL; END $$`

/**
 * Session settings use statements, because session-mode poolers refuse start-up parameters. They are built as text,
 * because `SET` takes no parameters; every value is a number of ours, or quoted.
 */
const sessionSettings = (
  options: Required<Omit<PgPoolOptions, "answerMillisMax">> & Pick<PgPoolOptions, "answerMillisMax">
): string => {
  const { answerMillisMax } = options
  const keepalive = answerMillisMax === undefined ? KEEPALIVE : HOST_KEEPALIVE
  return [
    // Times without a zone mean the same on every connection, also when clocks change.
    `SET TimeZone = 'UTC'`,
    // A scan that joined another half way would return a search's rows in a different order each time and break paging.
    `SET synchronize_seqscans = off`,
    `SET statement_timeout = ${options.statementMillisMax}`,
    `SET lock_timeout = ${options.lockMillisMax}`,
    `SET idle_in_transaction_session_timeout = ${options.idleInTransactionMillisMax}`,
    `SET tcp_keepalives_idle = ${keepalive.idleSeconds}`,
    `SET tcp_keepalives_interval = ${keepalive.intervalSeconds}`,
    `SET tcp_keepalives_count = ${keepalive.probes}`,
    chooseSchema(Redacted.value(options.url)),
    ...(answerMillisMax === undefined ? [] : [`SET tcp_user_timeout = ${answerMillisMax}`, LOOK_WHILE_BUSY])
  ].join("; ")
}

const makePool = (given: PgPoolOptions, types: typeof columnTypes | undefined): pg.Pool => {
  const options = {
    connectionsMax: 16,
    acquireMillisMax: 5_000,
    statementMillisMax: 30_000,
    lockMillisMax: 10_000,
    idleInTransactionMillisMax: 30_000,
    ...given
  }
  const settings = sessionSettings(options)
  const pool = new Pool({
    connectionString: Redacted.value(options.url),
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: options.acquireMillisMax,
    query_timeout: options.statementMillisMax + READ_GRACE_MILLIS,
    idleTimeoutMillis: IDLE_MILLIS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE.idleSeconds * 1_000,
    types,
    Client: pooledClientClass(
      new StatementNames(),
      options.answerMillisMax === undefined
        ? undefined
        : new Answering(options.url, options.applicationName, options.answerMillisMax)
    ) as unknown as typeof pg.Client,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settings)
    }
  } as pg.PoolConfig)
  // An idle connection that dies (the database restarts) has already left the pool; the next statement opens another.
  pool.on("error", () => {})
  // A connection in use sees its own end (PooledClient). Without this listener, graphile-worker warns at every start.
  pool.on("connect", () => {})
  return pool
}

const acquirePool = (options: PgPoolOptions, types?: typeof columnTypes): Effect.Effect<pg.Pool, SqlError> =>
  Effect.suspend(() => {
    const pool = makePool(options, types)
    return Effect.tryPromise({
      try: () => pool.query("SELECT 1"),
      catch: (cause) => connectionFailed("The database cannot be reached", cause)
    }).pipe(
      Effect.tapError(() => Effect.promise(() => pool.end())),
      Effect.as(pool)
    )
  })

const closePool = (pool: pg.Pool): Effect.Effect<void> =>
  Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption(CLOSE_MILLIS_MAX), Effect.asVoid)

/**
 * One pool of connections as `SqlClient` and `RawPool`, and `LibraryPool` to open another. Statements with
 * parameters are prepared once per connection, and each has time limits. Interrupting a fiber never cancels its
 * statement: the statement runs to its end, and the caller doesn't learn its outcome. Fails when the database can't be
 * reached.
 */
export const layer = (options: PgPoolOptions): Layer.Layer<SqlClient | RawPool | LibraryPool, SqlError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const pool = yield* Effect.acquireRelease(acquirePool(options, columnTypes), closePool)
      const client = yield* PgClient.make(pool)
      const open = (connectionsMax: number) =>
        Effect.acquireRelease(acquirePool({ ...options, connectionsMax }), closePool)
      return Context.make(RawPool, pool).pipe(Context.add(LibraryPool, { open }), Context.add(SqlClient, client))
    })
  )
