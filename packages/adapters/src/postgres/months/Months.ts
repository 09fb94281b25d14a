import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, Layer, Random } from "effect"
import { checkFrom, type InvariantReport, lastSealed } from "../PgInvariants.js"
import { isLockNotAvailable } from "../PgErrors.js"
import { date, firstIdOf, NIL } from "../Columns.js"
import { SCHEMA_OID } from "../Schema.js"
import { SqlClient, type SqlError } from "../Sql.js"
import { addMonths, beyondOf, GROWING, monthOf, MONTHS_LOCK, partitions } from "./Partitions.js"

/** A month is sealed this long after its end: by then its calls have ended, and most of their repeats. */
const SEAL_AFTER_MILLIS = 35 * DAY_MILLIS

/** Calls wait behind a statement that waits for a table. */
const TABLE_MILLIS_MAX = 1_000

const ROUND_MILLIS = DAY_MILLIS
/** Hosts that started together look at different times. */
const JITTER_MILLIS = 60 * 60_000
/** How soon a round is repeated that met a table in use. */
const AGAIN_MILLIS = 60_000

/** What a round did. */
export interface MonthsKept {
  /** Months that got a partition. */
  readonly added: number
  /** Whether months were sealed. */
  readonly sealed: boolean
  /** What is wrong with the rows that would have been sealed. */
  readonly breaches: ReadonlyArray<InvariantReport>
}

/** Runs the work in a transaction of one process at a time. Returns null where another is at it. */
const inTurn = <A, E>(work: Effect.Effect<A, E, SqlClient>, isolation: "READ COMMITTED" | "REPEATABLE READ") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe(`SET TRANSACTION ISOLATION LEVEL ${isolation}`)
        yield* sql`SELECT set_config('lock_timeout', ${String(TABLE_MILLIS_MAX)}, true)`
        yield* sql`SET LOCAL statement_timeout = 0`
        const [lock] = yield* sql<{ readonly held: boolean }>`SELECT pg_try_advisory_xact_lock(${MONTHS_LOCK}) AS held`
        return lock?.held === true ? yield* work : null
      })
    )
  })

const sealedUntil = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [found] = yield* sql<{ readonly until: string }>`SELECT (${lastSealed(sql, false)})::text AS until`
  return found?.until ?? NIL
})

/** The id before which everything is to be sealed, if rows are there that are not yet. */
const dueUntil = (nowMillis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const until = firstIdOf(monthOf(nowMillis - SEAL_AFTER_MILLIS))
    const [found] = yield* sql<{ readonly due: boolean }>`
      SELECT EXISTS (SELECT FROM requests WHERE request_id >= ${lastSealed(sql, false)} AND request_id < ${until}::uuid)
        OR EXISTS (SELECT FROM ledger_entries WHERE entry_id >= ${lastSealed(sql, false)} AND entry_id < ${until}::uuid) AS due
    `
    return found?.due === true ? until : null
  })

/**
 * From here on, what comes to the months is noted. A row that a transaction under way adds is waited for. Partitions that
 * note up to an id already are left alone: so are all of them on most days, but in a database that was restored.
 */
const noteLate = (until: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const all = yield* partitions
    const done = yield* sql<{ readonly name: string }>`
      SELECT c.relname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
      WHERE t.tgname LIKE '%_note_late' AND strpos(pg_get_triggerdef(t.oid), ${until}) > 0
        AND c.relnamespace = ${sql.literal(SCHEMA_OID)}
    `
    for (const growing of GROWING) {
      const mine = all.filter(({ table }) => table === growing.table)
      // Those before the id, and the one that holds it.
      const reached = mine.filter((_, index) => index === 0 || (mine[index - 1]?.until ?? "") < until)
      const names = [...reached.map(({ name }) => name), beyondOf(growing)]
      for (const name of names.filter((one) => !done.some((other) => other.name === one))) {
        yield* sql.unsafe(
          `CREATE OR REPLACE TRIGGER ${growing.table}_note_late AFTER INSERT ON ${name} FOR EACH ROW
           WHEN (NEW.${growing.id} < '${until}') EXECUTE FUNCTION ${growing.notes}()`
        )
      }
    }
  })

/** Adds the rows to the sums, in the snapshot in which they were checked. */
const addSums = (until: string, nowMillis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const last = lastSealed(sql, false)
    const archived = lastSealed(sql, true)
    yield* sql`
      INSERT INTO sealed_sums AS s (workspace_id, archived, until, last_ended_at, calls, charged, entries, amount)
      SELECT f.workspace_id, false, ${until}::uuid, max(f.at) FILTER (WHERE f.kind = 'call'),
        count(*) FILTER (WHERE f.kind = 'call'), coalesce(sum(f.amount) FILTER (WHERE f.kind = 'call'), 0),
        count(*) FILTER (WHERE f.kind <> 'call'), coalesce(sum(f.amount) FILTER (WHERE f.kind <> 'call'), 0)
      FROM (
        SELECT r.workspace_id, 'call' AS kind, r.charged AS amount, r.finished_at AS at FROM requests r
        WHERE r.request_id >= ${last} AND r.request_id < ${until}::uuid
        UNION ALL
        SELECT e.workspace_id, e.kind, e.amount, NULL FROM ledger_entries e
        WHERE e.entry_id >= ${last} AND e.entry_id < ${until}::uuid
        UNION ALL
        SELECT l.workspace_id, l.kind, l.amount, l.ended_at FROM late_rows l
        WHERE l.id < ${last} AND l.id >= ${archived}
      ) f GROUP BY f.workspace_id
      ON CONFLICT (workspace_id, archived) DO UPDATE SET until = excluded.until,
        last_ended_at = greatest(s.last_ended_at, excluded.last_ended_at), calls = s.calls + excluded.calls,
        charged = s.charged + excluded.charged, entries = s.entries + excluded.entries, amount = s.amount + excluded.amount
    `
    yield* sql`
      INSERT INTO sealed_runs AS s (workspace_id, run_id, archived, charged)
      SELECT f.workspace_id, f.run_id, false, sum(f.charged) FROM (
        SELECT r.workspace_id, r.run_id, r.charged FROM requests r
        WHERE r.request_id >= ${last} AND r.request_id < ${until}::uuid AND r.run_id IS NOT NULL AND r.charged > 0
        UNION ALL
        SELECT l.workspace_id, l.run_id, l.amount FROM late_rows l
        WHERE l.id < ${last} AND l.id >= ${archived} AND l.run_id IS NOT NULL AND l.kind = 'call'
      ) f GROUP BY 1, 2
      ON CONFLICT (workspace_id, run_id, archived) DO UPDATE SET charged = s.charged + excluded.charged
    `
    yield* sql`INSERT INTO sealed_months (until, sealed_at) VALUES (${until}, ${date(nowMillis)})`
    yield* sql`DELETE FROM late_rows l WHERE l.id < ${until}::uuid AND l.id >= ${archived}`
  })

/**
 * Adds partitions for the months to come, and seals months that are over. Idempotent, and one process at a time. Months
 * with a breach stay unsealed.
 */
export const keepMonths = (nowMillis: number): Effect.Effect<MonthsKept, SqlError | StoreUnavailable, SqlClient> =>
  Effect.gen(function* () {
    const prepared = yield* inTurn(
      Effect.gen(function* () {
        const added = yield* addMonths(nowMillis)
        const until = yield* dueUntil(nowMillis)
        const noted = until ?? (yield* sealedUntil)
        if (noted !== NIL) yield* noteLate(noted)
        return { added, until }
      }),
      "READ COMMITTED"
    )
    if (prepared === null) return { added: 0, sealed: false, breaches: [] }
    const { added, until } = prepared
    if (until === null) return { added, sealed: false, breaches: [] }
    const found = yield* inTurn(
      Effect.gen(function* () {
        const breaches = (yield* checkFrom("sealed")).filter(({ count }) => count > 0)
        if (breaches.length === 0) yield* addSums(until, nowMillis)
        return breaches
      }),
      "REPEATABLE READ"
    )
    return { added, sealed: found?.length === 0, breaches: found ?? [] }
  })

/**
 * The same, now: by the earlier of the service's and the database's clock, since one that jumped ahead would seal the
 * month that calls are in.
 */
export const keepMonthsNow = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [database] = yield* sql<{ readonly millis: number }>`
    SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS millis
  `
  const now = yield* Clock.currentTimeMillis
  return yield* keepMonths(Math.min(now, database?.millis ?? now))
})

const round = keepMonthsNow.pipe(
  Effect.tap(({ added, breaches, sealed }) =>
    Effect.gen(function* () {
      if (added > 0) yield* Effect.annotateLogs(Effect.logDebug("months got their partitions"), { months: added })
      if (sealed) yield* Effect.logInfo("months that are over were sealed")
      for (const { breaches: named, name, rule } of breaches) {
        yield* Effect.annotateLogs(
          Effect.logError("months are not sealed: an invariant is broken. Run: outbound check"),
          { name, rule, breaches: named.map(({ breach }) => breach).join("; ") }
        )
      }
    })
  ),
  Effect.as(ROUND_MILLIS),
  Effect.catch((error) =>
    Effect.as(
      isLockNotAvailable(error)
        ? Effect.logInfo("months wait for a table that is in use")
        : Effect.logWarning("months could not be looked after. Calls go on; check the database's rights", error),
      isLockNotAvailable(error) ? AGAIN_MILLIS : ROUND_MILLIS
    )
  ),
  Effect.flatMap((millis) =>
    Effect.flatMap(Random.nextIntBetween(0, JITTER_MILLIS), (jitter) =>
      Effect.sleep(millis === ROUND_MILLIS ? millis + jitter : millis)
    )
  )
)

/** Looks after the months when a host starts, and once a day. */
export const layer = Layer.effectDiscard(Effect.forkScoped(Effect.forever(round)))
