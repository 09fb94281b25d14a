import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { dueTimes } from "@outbound/adapters/work/dueTimes.js"
import { Clock, Effect } from "effect"

/** A round that may find something at any time, whatever the clock says. What it waits for is elsewhere. */
const ALWAYS: ReadonlyArray<string> = ["calls", "webhooks", "mailboxes", "judging"]

/** Jobs that tidy up again and again. They run when their time has passed, but nobody waits for the moment. */
const HOUSEKEEPING: ReadonlyArray<string> = ["sweeps", "watch"]

export interface Due {
  /** Jobs that run, or are to run now. */
  readonly jobs: number
  /** The rounds that have something to do now. */
  readonly rounds: ReadonlyArray<string>
  /** In how long more is due. Null: nothing waits. */
  readonly nextMillis: number | null
}

/**
 * What is due, now and next. Jobs wait by the database's clock, which nobody moves: as this one is moved forward, they are
 * brought forward by as much.
 */
export const makeDue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const due: Effect.Effect<Due, unknown> = Effect.gen(function* () {
    const rounds = (yield* dueTimes(sql, yield* Clock.currentTimeMillis)).filter(({ round }) => !ALWAYS.includes(round))
    const [jobs] = yield* sql<{ readonly busy: number; readonly next: number | null }>`
      SELECT count(*) FILTER (
          WHERE j.locked_at IS NOT NULL OR j.flags ? 'held' OR j.run_at <= clock_timestamp()
        )::integer AS busy,
        (extract(epoch FROM min(j.run_at) FILTER (
          WHERE j.locked_at IS NULL AND (j.flags IS NULL OR NOT j.flags ? 'held') AND j.run_at > clock_timestamp()
            AND j.task_identifier <> ALL(${HOUSEKEEPING}::text[])
        ) - clock_timestamp()) * 1000)::float8 AS next
      FROM graphile_worker.jobs j
      WHERE j.key IS NOT NULL AND j.attempts < j.max_attempts
    `
    const waits = [...rounds.map(({ inMillis }) => inMillis), jobs?.next ?? null]
    const later = waits.filter((millis) => millis !== null && millis > 0) as ReadonlyArray<number>
    return {
      jobs: jobs?.busy ?? 0,
      rounds: rounds.flatMap(({ inMillis, round }) => (inMillis !== null && inMillis <= 0 ? [round] : [])),
      nextMillis: later.length === 0 ? null : Math.min(...later)
    }
  })
  /** Those that a handler holds are its lease, and stay. */
  const bringForward = (millis: number) => sql`
    UPDATE graphile_worker._private_jobs SET run_at = run_at - ${millis}::float8 * interval '1 millisecond'
    WHERE locked_at IS NULL AND (flags IS NULL OR NOT flags ? 'held')
  `
  return { due, bringForward }
})
