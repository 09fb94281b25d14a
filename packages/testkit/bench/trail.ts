/**
 * Pages of a trail of 10 million events of one workspace, first and deep, by every filter, on an embedded PostgreSQL
 * with its settings untouched.
 */
import { SqlClient } from "@effect/sql"
import { start } from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgTrailStore from "@outbound/adapters/postgres/PgTrailStore.js"
import { TRAIL_KINDS } from "@outbound/domain/trail/TrailEvent.js"
import { type TrailFilter, TrailStore } from "@outbound/domain/trail/TrailStore.js"
import { Duration, Effect, Layer, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const EVENTS = Number(process.env["BENCH_EVENTS"] ?? 10_000_000)
const CAMPAIGNS = 200
const PEOPLE = 1_000_000
const PAGE = 200
const ROUNDS = 20
const FIRST_MILLIS = Date.UTC(2026, 0, 1)
const STEP_MILLIS = 100

/** Ids that the seed can say in SQL: a number in the last group. */
const campaignOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`

/** Almost every event is `sent`; one in a million is `killed`. Indexes are made afterwards. */
const seed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SET statement_timeout = 0`
    yield* sql`SET maintenance_work_mem = '512MB'`
    const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
      SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE tablename = 'trail_events' AND indexname <> 'trail_events_pkey'
    `
    for (const { name } of indexes) yield* sql`DROP INDEX ${sql(name)}`
    yield* sql`ALTER TABLE trail_events DROP CONSTRAINT trail_events_pkey`
    yield* sql`
      INSERT INTO subjects (workspace_id, email, last_seen_at)
      SELECT ${workspaceId}::uuid, 'person-' || n || '@example.com', now() FROM generate_series(1, ${PEOPLE}::integer) n
    `
    yield* sql`
      INSERT INTO trail_events (workspace_id, event_id, kind, source, observed_at, campaign_id, subject_id, detail)
      SELECT ${workspaceId}::uuid, gen_random_uuid(),
        CASE WHEN n % 1000000 = 0 THEN 'killed' WHEN n % 50 = 0 THEN 'reply' ELSE 'sent' END, 'system',
        to_timestamp((${FIRST_MILLIS}::bigint + n::bigint * ${STEP_MILLIS}::integer) / 1000.0),
        ('00000000-0000-7000-8000-' || lpad((n % ${CAMPAIGNS}::integer)::text, 12, '0'))::uuid,
        n % ${PEOPLE}::integer + 1, '{"step": 1}'
      FROM generate_series(1, ${EVENTS}::integer) n
    `
    yield* sql`ALTER TABLE trail_events ADD PRIMARY KEY (workspace_id, observed_at, event_id)`
    for (const { definition } of indexes) yield* sql.unsafe(definition)
    yield* sql`VACUUM ANALYZE trail_events`
    yield* sql`VACUUM ANALYZE subjects`
  })

const bench = Effect.gen(function* () {
  const dataDir = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = mkdtempSync(join(tmpdir(), "outbound-bench-"))
      chmodSync(made, 0o711)
      return made
    }),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const { url } = yield* start({ dataDir, log: () => Effect.void })
  const pool = (connectionsMax: number) =>
    PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax, statementMillisMax: 1_200_000 })
  const workspaceId = randomUUID()
  yield* Effect.zipRight(migrate(), seed(workspaceId)).pipe(Effect.provide(pool(1)))

  const deep = { observedAtMillis: FIRST_MILLIS + (EVENTS / 10) * STEP_MILLIS, eventId: campaignOf(0) }
  const filters: Readonly<Record<string, Partial<TrailFilter>>> = {
    everything: {},
    "a campaign": { campaignId: campaignOf(7) },
    "a person": { email: "person-4711@example.com" },
    "a common kind": { kinds: ["reply"] },
    "a rare kind": { kinds: ["killed"] },
    "every kind": { kinds: TRAIL_KINDS },
    "a campaign's replies": { campaignId: campaignOf(50), kinds: ["reply"] },
    "a campaign's kind that it has not": { campaignId: campaignOf(7), kinds: ["killed"] },
    "an unknown person": { email: "nobody@example.com" }
  }
  return yield* Effect.gen(function* () {
    const trail = yield* TrailStore
    const measure = (filter: Partial<TrailFilter>) =>
      Effect.gen(function* () {
        const page = trail.page({
          workspaceId,
          campaignId: null,
          email: null,
          kinds: [],
          sinceMillis: null,
          untilMillis: null,
          limit: PAGE,
          after: null,
          ...filter
        })
        const times: Array<number> = []
        let events = 0
        for (let i = 0; i < ROUNDS; i++) {
          const [duration, found] = yield* Effect.timed(page)
          times.push(Duration.toMillis(duration))
          events = found.length
        }
        times.sort((a, b) => a - b)
        return { events, p50: times[Math.floor(ROUNDS / 2)] ?? 0, slowest: times.at(-1) ?? 0 }
      })
    return yield* Effect.forEach(Object.entries(filters), ([name, filter]) =>
      Effect.gen(function* () {
        const first = yield* measure(filter)
        const far = yield* measure({ ...filter, after: deep })
        return { name, first, far }
      })
    )
  }).pipe(Effect.provide(PgTrailStore.layer.pipe(Layer.provide(pool(2)))))
}).pipe(Effect.scoped)

const measured = await Effect.runPromise(bench)
const shown = (millis: number): string => millis.toFixed(1)
console.log(`${EVENTS} events, pages of ${PAGE}; milliseconds`)
console.table(
  Object.fromEntries(
    measured.map(({ name, first, far }) => [
      name,
      {
        "first page": shown(first.p50),
        slowest: shown(first.slowest),
        events: first.events,
        "deep page": shown(far.p50),
        "deep, slowest": shown(far.slowest)
      }
    ])
  )
)
