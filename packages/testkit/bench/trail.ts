/**
 * Pages of a trail of 10 million events of one workspace, first and deep, by every filter; beside pages of the bare table
 * by OFFSET, as they are usually made.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgTrailStore from "@outbound/adapters/postgres/PgTrailStore.js"
import { TRAIL_KINDS, type TrailFilter, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { randomUUID } from "node:crypto"
import { onBed } from "./Bed.js"
import { machine, n, row, tell } from "./Report.js"

const EVENTS = Number(process.env["BENCH_EVENTS"] ?? 10_000_000)
const CAMPAIGNS = 200
const PEOPLE = 1_000_000
const PAGE = 200
const ROUNDS = 20
/** Deep pages by OFFSET take seconds each. */
const OFFSET_ROUNDS = 3
/** How much of the trail is newer than the deep page. */
const DEPTH = 0.9
const FIRST_MILLIS = Date.UTC(2026, 0, 1)
const STEP_MILLIS = 100

/** Ids that the seed can say in SQL: a number in the last group. */
const campaignOf = (number: number): string => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`

/** Almost every event is `sent`; one in a million is `killed`. Indexes are made afterwards. */
const seed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
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

interface Times {
  readonly p50: number
  readonly slowest: number
  readonly events: number
}

const timesOf = <A extends { readonly length: number }, E, R>(page: Effect.Effect<A, E, R>, rounds: number) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    let events = 0
    for (let i = 0; i < rounds; i++) {
      const [duration, found] = yield* Effect.timed(page)
      times.push(Duration.toMillis(duration))
      events = found.length
    }
    times.sort((a, b) => a - b)
    return { events, p50: times[Math.floor(rounds / 2)] ?? 0, slowest: times.at(-1) ?? 0 } satisfies Times
  })

/** The bare table's page: no person, no decoding. */
const byOffset = (workspaceId: string, offset: number) =>
  Effect.flatMap(SqlClient, (sql) =>
    timesOf(
      sql`
        SELECT * FROM trail_events WHERE workspace_id = ${workspaceId}::uuid
        ORDER BY observed_at DESC, event_id DESC LIMIT ${PAGE} OFFSET ${offset}
      `,
      OFFSET_ROUNDS
    )
  )

const bench = (url: string) =>
  Effect.gen(function* () {
    const pool = (connectionsMax: number) =>
      PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax, statementMillisMax: 1_200_000 })
    const workspaceId = randomUUID()
    yield* Effect.andThen(migrate(), seed(workspaceId)).pipe(Effect.provide(pool(1)))

    const deep = { observedAtMillis: FIRST_MILLIS + EVENTS * (1 - DEPTH) * STEP_MILLIS, eventId: campaignOf(0) }
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
          return yield* timesOf(page, ROUNDS)
        })
      const pages = yield* Effect.forEach(Object.entries(filters), ([name, filter]) =>
        Effect.gen(function* () {
          const first = yield* measure(filter)
          const far = yield* measure({ ...filter, after: deep })
          return { name, first, far }
        })
      )
      const offset = {
        first: yield* byOffset(workspaceId, 0),
        far: yield* byOffset(workspaceId, Math.floor(EVENTS * DEPTH))
      }
      return { pages, offset }
    }).pipe(Effect.provide(PgTrailStore.layer.pipe(Layer.provideMerge(pool(2)))))
  })

interface Measured {
  readonly pages: ReadonlyArray<{ readonly name: string; readonly first: Times; readonly far: Times }>
  readonly offset: { readonly first: Times; readonly far: Times }
}

const table = ({ offset, pages }: Measured): string => {
  const line = (name: string, first: Times, far: Times) =>
    row([name, n(first.events), n(first.p50, 1), n(first.slowest, 1), n(far.p50, 1), n(far.slowest, 1)])
  const all = pages[0]
  return [
    row(["page of", "events", "first: p50 ms", "slowest", "deep: p50 ms", "slowest"]),
    row(["---", "---:", "---:", "---:", "---:", "---:"]),
    ...pages.map(({ far, first, name }) => line(name, first, far)),
    line("the bare table by OFFSET", offset.first, offset.far),
    ...(all === undefined
      ? []
      : [
          row([
            "**everything / the bare table by OFFSET**",
            "",
            `**${n(all.first.p50 / offset.first.p50, 2)}**`,
            "",
            `**${n(all.far.p50 / offset.far.p50, 4)}**`,
            ""
          ])
        ])
  ].join("\n")
}

const report = (text: string): string => `## Pages of the trail, compared with OFFSET

${machine}, one PostgreSQL with default settings, ${EVENTS} events of one workspace, pages of
${PAGE}. A deep page is one that ${DEPTH * 100} % of the trail precedes.

${text}

- **a page**: read as by \`GET /v1/trail\`, filtered, with the person's address if it is still retained, and decoded.
- **the bare table by OFFSET**: the same order and size, without filter or decoding.
`

await onBed(async ({ url }) => {
  const text = table(await Effect.runPromise(bench(url)))
  tell("trail", text, report(text))
})
