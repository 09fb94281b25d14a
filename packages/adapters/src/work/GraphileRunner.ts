import { JobHandlers } from "@outbound/domain/kernel/ports/LongWork.js"
import { type Round, round } from "@outbound/domain/kernel/ports/JobRound.js"
import { Context, Deferred, Effect, Layer, Option, Queue, Random } from "effect"
import { run as runWorkers, type Task, type WorkerEvents, type WorkerPool } from "graphile-worker"
import { EventEmitter } from "node:events"
import { LibraryPool, RawPool } from "../postgres/PgPool.js"
import { SqlClient, type SqlError } from "../postgres/Sql.js"
import { type EngineError, storeUnavailable } from "./EngineError.js"
import { install, silent } from "./GraphileWork.js"
import { checkSessionMode } from "./SessionMode.js"

/** How many handlers one host runs at once. */
const JOBS_AT_ONCE_MAX = 32

/** The library's own connections: one is told of jobs, the others take them and give them back. */
const CONNECTIONS_MAX = 4

/** The jobs of a host that died, froze or was cut off run elsewhere after so long; hosts renew what they hold meanwhile. */
export const LEASE_MILLIS = 9_000
const RENEW_MILLIS = 3_000

/** How long handlers under way may go on once a host is asked to stop; then their jobs are handed over. */
export const HANDOVER_MILLIS_MAX = 3_000

/** How long the library may take to stop. What it then still holds is another host's when its lease is over. */
const STOP_MILLIS_MAX = HANDOVER_MILLIS_MAX + 2_000

/** Whatever nobody told a host about is found after so long, give or take a quarter. */
const SAFETY_MILLIS = 60_000

/** A host that was woken for a job looks again by then, though all of its workers are busy. */
const BUSY_MILLIS = 1_000
/** After what a host could not do because of the database. */
const TROUBLE_MILLIS = 1_000

/** No worker of the library looks by itself: it is woken by `NOTIFY`, and by us when something is due. */
const NEVER_MILLIS = 2 ** 31 - 1

interface Payload {
  readonly key: string
  readonly troubles: number
}

interface Next {
  readonly due: number
  readonly after_ms: number
}

/** What is due next among all jobs; none where none waits. */
const nextDue = (sql: SqlClient): Effect.Effect<Option.Option<Next>, SqlError> =>
  Effect.map(sql<Next>`SELECT due, after_ms FROM work_next(${LEASE_MILLIS})`, ([next]) => Option.fromNullishOr(next))

/**
 * Runs one wake-up: holds its key, runs the handler, and says when the key is woken next. What could not be held
 * fails, and is the library's to try again. `stopping` ends the handler a moment later, and another host runs it anew.
 */
const wakeUp = (kind: string, { key, troubles }: Payload, jobId: string, stopping: Deferred.Deferred<void>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const handlers = yield* JobHandlers
    const [row] = yield* sql<{ readonly held: bigint | null }>`
      SELECT work_hold(${kind}, ${key}, ${jobId}::bigint, ${troubles}, ${LEASE_MILLIS}) AS held
    `
    const held = row?.held ?? null
    if (held === null) return
    const renew = sql`
      SELECT id FROM graphile_worker.reschedule_jobs(
        ARRAY[${held}::bigint], run_at => clock_timestamp() + ${LEASE_MILLIS} * interval '1 millisecond'
      )
    `.pipe(Effect.ignore, Effect.delay(RENEW_MILLIS), Effect.forever)
    const left = Deferred.await(stopping).pipe(
      Effect.andThen(Effect.sleep(HANDOVER_MILLIS_MAX)),
      Effect.as<Round>({ next: { _tag: "Wait", millis: 0 }, troubles })
    )
    const came = yield* Effect.raceFirst(Effect.raceFirst(round(handlers, { kind, key }, troubles), left), renew)
    const afterMillis = came.next._tag === "Wait" ? came.next.millis : null
    yield* sql`SELECT work_end(${kind}, ${key}, ${held}, ${came.troubles}, ${afterMillis}::double precision)`
  })

/** The workers of this host, until the scope closes or the library gives up. */
const workers = (looks: Queue.Enqueue<void>, onPool: (pool: WorkerPool) => void) =>
  Effect.gen(function* () {
    const pgPool = yield* Effect.flatMap(LibraryPool, ({ open }) => open(CONNECTIONS_MAX))
    const stopping = yield* Deferred.make<void>()
    const runtime = yield* Effect.context<SqlClient | JobHandlers>()
    const events = new EventEmitter() as WorkerEvents
    events.on("pool:create", ({ workerPool }) => onPool(workerPool))
    // Cut off from the database, it shuts down, and may wait for its workers without end.
    const broken = yield* Deferred.make<void>()
    // Not in the middle of what the library does about it.
    const onBroken = () => queueMicrotask(() => Deferred.doneUnsafe(broken, Effect.void))
    events.on("pool:gracefulShutdown", onBroken)
    events.on("pool:forcefulShutdown", onBroken)
    events.on("worker:fatalError", onBroken)
    events.on("worker:getJob:empty", () => void Queue.offerUnsafe(looks, undefined))
    events.on("worker:getJob:error", () => void Queue.offerUnsafe(looks, undefined))
    const taskOf =
      (kind: string): Task =>
      (payload, { job }) =>
        Effect.runPromiseWith(runtime)(wakeUp(kind, payload as Payload, String(job.id), stopping))
    const options = { pgPool, events, concurrency: JOBS_AT_ONCE_MAX, noHandleSignals: true, pollInterval: NEVER_MILLIS }
    // Given back in batches, jobs end the workers where that fails. One by one, it would fail where nobody hears it.
    const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }
    const runner = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          runWorkers(
            { ...options, preset, logger: silent },
            Object.fromEntries(Object.keys(Context.get(runtime, JobHandlers)).map((kind) => [kind, taskOf(kind)])),
            []
          ),
        catch: storeUnavailable
      }),
      (running) =>
        Deferred.succeed(stopping, undefined).pipe(
          Effect.andThen(Effect.ignore(Effect.tryPromise(() => running.stop()))),
          Effect.interruptible,
          Effect.timeoutOption(STOP_MILLIS_MAX)
        )
    )
    const ended = Effect.tryPromise({ try: () => runner.promise, catch: storeUnavailable })
    yield* Effect.raceFirst(ended, Deferred.await(broken))
  }).pipe(Effect.scoped)

/** Wakes the workers when something is due. No host looks otherwise, but once a minute. */
const planner = (looks: Queue.Dequeue<void>, wake: (count: number) => void) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const jitter = yield* Random.nextBetween(0.75, 1.25)
    const next = yield* nextDue(sql)
    const waitMillis = Math.min(
      Option.match(next, { onNone: () => Infinity, onSome: ({ after_ms }) => Math.max(0, after_ms) }),
      SAFETY_MILLIS * jitter
    )
    const told = yield* Effect.timeoutOption(Queue.take(looks), Math.ceil(waitMillis))
    if (Option.isSome(told) || Option.isNone(next)) return
    wake(next.value.due)
    yield* Effect.timeoutOption(Queue.take(looks), BUSY_MILLIS)
  }).pipe(
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.logWarning("long work: the database could not be asked", cause),
        Effect.sleep(TROUBLE_MILLIS)
      )
    ),
    Effect.forever
  )

/**
 * Does the jobs that any host announces, by graphile-worker, over a few connections of its own.
 * Fails where the database is behind a pooler that can't tell.
 */
export const layer: Layer.Layer<never, EngineError, SqlClient | RawPool | LibraryPool | JobHandlers> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      yield* checkSessionMode(yield* SqlClient)
      yield* install
      const looks = yield* Queue.sliding<void>(1)
      let pool: WorkerPool | null = null
      const working = workers(looks, (made) => (pool = made)).pipe(
        Effect.catchCause((cause) => Effect.logWarning("long work stopped; it begins again", cause)),
        Effect.andThen(Effect.sleep(TROUBLE_MILLIS)),
        Effect.forever
      )
      yield* Effect.forkScoped(planner(looks, (count) => pool?.nudge(Math.min(count, JOBS_AT_ONCE_MAX))))
      yield* Effect.forkScoped(working)
    })
  )
