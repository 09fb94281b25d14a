/**
 * The reading verbs and the console's pages of a workspace with a million leads and a million events, over HTTP against
 * the whole service. `BENCH_LEADS`, `BENCH_EVENTS` and `BENCH_MESSAGES` set how much there is. `--quick` asks for what people
 * wait for most, a few times, and leaves the page of benchmarks alone: the CPU time of an ask can be compared on a busy machine.
 */
import { Effect, Layer, Option, Redacted, References } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgStores from "@outbound/adapters/postgres/PgStores.js"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Readiness } from "@outbound/host-http/health/Readiness.js"
import * as HttpHost from "@outbound/host-http/HttpHost.js"
import { HttpServer } from "@outbound/host-http/HttpServer.js"
import { CAMPAIGN_PEOPLE, campaignIdOf, manyLeads } from "@outbound/testkit/seeds/ManyLeads.js"
import { type Answered, makeClient } from "@outbound/testkit/service/Client.js"
import { over } from "@outbound/testkit/service/Service.js"
import { readFileSync } from "node:fs"
import pg from "pg"
import { onBed } from "./Bed.js"
import { machine, n, row, tell } from "./Report.js"

const LEADS = Number(process.env["BENCH_LEADS"] ?? 1_000_000)
const EVENTS = Number(process.env["BENCH_EVENTS"] ?? 1_000_000)
const MESSAGES = Number(process.env["BENCH_MESSAGES"] ?? 200_000)
const QUICK = process.argv.includes("--quick")
const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? (QUICK ? 20 : 100))
const WARM_UP = 5
/** What may be slower than everything else: it plans every message of 5,000 people. */
const FORECAST_MILLIS_MAX = 2_000
const VERB_MILLIS_MAX = 50
const PAGE_MILLIS_MAX = 300

const SEQUENCE = [
  {
    variants: ["A question", "An idea", "Your site"].map((subject) => ({ subject, body: "Hi {{first_name|there}}" }))
  },
  { body: "Did it reach you?", wait_days: 3 },
  { body: "I will not write again.", wait_days: 5 }
]

const PURCHASE = { daily_sends: 25, brand: "acme", identity: { first_name: "Ada", last_name: "Lovelace" } }

const ok = ({ result, status, text }: Answered): Answered["result"] => {
  if (status !== 200) throw new Error(text)
  return result
}

interface Measured {
  readonly what: string
  readonly p50: number
  readonly p99: number
  readonly max: number
  /** CPU time of an ask, in the service with its client, and in the database's processes; null: not known here. */
  readonly serviceMillis: number
  readonly databaseMillis: number | null
}

/** The CPU time that each process of the database had, in milliseconds. */
type DatabaseCpu = () => Promise<ReadonlyMap<number, number>>

const databaseCpu =
  (watcher: pg.Client): DatabaseCpu =>
  async () => {
    const { rows } = await watcher.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'bench'"
    )
    const spent = new Map<number, number>()
    for (const { pid } of rows) {
      try {
        // Nanoseconds on a processor come first. Other systems than Linux don't have it.
        spent.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6)
      } catch {
        return new Map()
      }
    }
    return spent
  }

const at = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0

/** Until the last byte, one after the other. */
const measure = async (
  cpu: DatabaseCpu,
  what: string,
  max: number,
  ask: (round: number) => Promise<Response>,
  rounds = ROUNDS
): Promise<Measured> => {
  const times: Array<number> = []
  const once = async (round: number): Promise<number> => {
    const began = performance.now()
    const response = await ask(round)
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${what}: ${response.status} ${text.slice(0, 500)}`)
    return performance.now() - began
  }
  for (let round = 0; round < WARM_UP; round += 1) await once(round)
  const [before, ours] = [await cpu(), process.cpuUsage()]
  for (let round = WARM_UP; round < WARM_UP + rounds; round += 1) times.push(await once(round))
  const [after, { system, user }] = [await cpu(), process.cpuUsage(ours)]
  const spent = [...after].reduce((sum, [pid, millis]) => sum + millis - (before.get(pid) ?? 0), 0)
  times.sort((a, b) => a - b)
  return {
    what,
    max,
    p50: at(times, 0.5),
    p99: at(times, 0.99),
    serviceMillis: (user + system) / 1_000 / rounds,
    databaseMillis: after.size === 0 ? null : spent / rounds
  }
}

const seed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SET statement_timeout = 0`
    yield* sql`SET synchronous_commit = off`
    yield* sql`SET maintenance_work_mem = '256MB'`
    // Indexes that no constraint needs are made afterwards.
    const indexes = yield* sql<{ readonly name: string; readonly definition: string }>`
      SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
      WHERE i.indrelid IN ('campaign_leads'::regclass, 'messages'::regclass, 'replies'::regclass, 'trail_events'::regclass)
        AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)
    `
    for (const { name } of indexes) yield* sql.unsafe(`DROP INDEX ${name}`)
    const statements = manyLeads(workspaceId, { leads: LEADS, events: EVENTS, messages: MESSAGES })
    // What leads remember of their messages and replies is seeded with them. Without indexes it could not be looked up.
    const remembering = (what: "DISABLE" | "ENABLE") =>
      Effect.andThen(
        sql.unsafe(`ALTER TABLE messages ${what} TRIGGER tells_sent`),
        sql.unsafe(`ALTER TABLE replies ${what} TRIGGER tells_interested`)
      )
    yield* remembering("DISABLE")
    for (const statement of statements) yield* sql.unsafe(statement)
    yield* remembering("ENABLE")
    for (const { definition } of indexes) yield* sql.unsafe(definition)
    yield* sql`VACUUM ANALYZE`
  })

const bench = (url: string) =>
  Effect.gen(function* () {
    const { port } = yield* HttpServer
    const console = yield* Console
    const client = yield* makeClient({
      scopes: ["data:read", "usage:read", "campaign:write", "campaign:launch", "assets:purchase"]
    })
    const admin = yield* Admin
    yield* admin.grantCredits(client.workspaceId, credits("200000"))
    ok(yield* client.call("setup_sending", PURCHASE))
    const recipients = [{ email: "first@example.com" }]
    ok(yield* client.call("create_campaign", { name: "First", sequence: SEQUENCE, recipients }, { key: "first" }))
    const began = performance.now()
    // On one connection of its own, since it makes temporary tables.
    yield* Effect.provide(
      seed(client.workspaceId),
      PgPool.layer({ url: Redacted.make(url), applicationName: "seed", connectionsMax: 1, statementMillisMax: 600_000 })
    )
    const seedSeconds = (performance.now() - began) / 1_000

    const signedIn = Option.getOrThrow(yield* console.signIn(yield* console.makeSignInLink(client.ownerEmail)))
    const origin = `http://127.0.0.1:${port}`
    const call = (path: string, query: Readonly<Record<string, string>> = {}) =>
      fetch(`${origin}/v1/campaigns${path}?${new URLSearchParams(query)}`, {
        headers: { authorization: `Bearer ${client.apiKey}` }
      })
    const get = (path: string) =>
      fetch(`${origin}/console/${path}`, { headers: { cookie: `__Host-outbound_session=${signedIn.secret}` } })
    const big = campaignIdOf(1)
    const waits = campaignIdOf(LEADS / CAMPAIGN_PEOPLE)
    const people = `/${big}/leads`
    /** The cursor after `pages` pages of 200. */
    const after = async (pages: number): Promise<string> => {
      let query: Record<string, string> = { limit: "200" }
      for (let page = 0; page < pages; page += 1) {
        const { result } = (await (await call(people, query)).json()) as { result: { next_cursor: string } }
        query = { ...query, cursor: result.next_cursor }
      }
      return query["cursor"] ?? ""
    }
    return yield* Effect.promise(async () => {
      const watcher = new pg.Client({ connectionString: url })
      await watcher.connect()
      const cpu = databaseCpu(watcher)
      const cursor = QUICK ? "" : await after(24)
      const verb = (what: string, path: string, query: Readonly<Record<string, string>> = {}) =>
        measure(cpu, what, VERB_MILLIS_MAX, () => call(path, query))
      const page = (what: string, path: string) => measure(cpu, what, PAGE_MILLIS_MAX, () => get(path))
      /** What people and agents wait for most. */
      const first = [
        await verb("`get_campaign`, one that ran", `/${big}`),
        await verb("`get_campaign`, one that waits", `/${waits}`),
        await measure(
          cpu,
          "`forecast_campaign` of 5,000 people",
          FORECAST_MILLIS_MAX,
          () => call(`/${waits}/forecast`),
          10
        ),
        await page("home", "home"),
        await page("a campaign", `campaigns/${big}`),
        await page("replies", "replies"),
        await page("trail", "trail"),
        await page("sending", "sending")
      ]
      const rest = async () => [
        await verb("`list_campaigns`", ""),
        await verb("`list_campaigns`, 100 at once", "", { limit: "100" }),
        await verb("`list_campaigns`, completed ones", "", { state: "completed" }),
        await verb("`list_leads`", people),
        await verb("`list_leads`, 200 at once", people, { limit: "200" }),
        await verb("`list_leads`, the last 200", people, { limit: "200", cursor }),
        await verb("`list_leads`, who bounced", people, { state: "bounced" }),
        await verb("`list_leads`, who failed (nobody)", people, { state: "failed" }),
        await measure(cpu, "`list_leads`, by address", VERB_MILLIS_MAX, (round) =>
          call(people, { email: `person-1-${4_000 + round}@company-${(4_000 + round) % 977}.example` })
        ),
        await page("approvals", "approvals"),
        await page("campaigns", "campaigns"),
        await page("a campaign, who replied", `campaigns/${big}?state=replied`),
        await page("a campaign, searched", `campaigns/${big}?q=${encodeURIComponent("Reason number 4711")}`),
        await page("replies, not interested", "replies?classification=not_interested"),
        await page("replies, searched", `replies?classification=all&q=${encodeURIComponent("of 4711")}`),
        await page("trail of a person", `trail?person=${encodeURIComponent("person-1-42@company-42.example")}`),
        await page("trail of a campaign", `trail?campaign=${big}`),
        await page("usage", "usage"),
        await page("credits", "credits"),
        await page("alerts", "alerts")
      ]
      const rows = QUICK ? first : [...first, ...(await rest())]
      await watcher.end()
      return { rows, seedSeconds }
    })
  })

await onBed(async ({ url }) => {
  const pool = PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax: 8 })
  const database = Layer.provideMerge(Layer.effectDiscard(Effect.orDie(migrate())), pool)
  const host = HttpHost.layer({ host: "127.0.0.1", port: 0, metricsPort: null }).pipe(
    Layer.provide(Layer.succeed(Readiness, { ready: Effect.succeed(true) })),
    Layer.provideMerge(over(PgStores.layer).pipe(Layer.provideMerge(database))),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None"))
  )
  const { rows, seedSeconds } = await Effect.runPromise(bench(url).pipe(Effect.provide(host), Effect.scoped))
  const table = [
    row(["what", "p50 ms", "p99 ms", "at most", "CPU ms: service", "database"]),
    row(["---", "---:", "---:", "---:", "---:", "---:"]),
    ...rows.map(({ databaseMillis, max, p50, p99, serviceMillis, what }) =>
      row([
        what,
        n(p50, 1),
        n(p99, 1),
        n(max),
        n(serviceMillis, 1),
        databaseMillis === null ? "" : n(databaseMillis, 1)
      ])
    )
  ].join("\n")
  tell(
    "reads",
    table,
    `## Reads of a workspace with ${LEADS} leads and ${EVENTS} events

${machine}, one PostgreSQL with default settings. Campaigns of 5,000 people each; the newest of them sent ${MESSAGES}
messages and got as many replies. ${ROUNDS} asks of each over HTTP, one after the other, until the last byte. Seeded in
${n(seedSeconds)} s.

${table}

- **at most**: what the p99 of a verb or a page is held to.
- **the last 200**: a page by cursor, after 4,800 others.
- **CPU**: of one ask, in the service and its client, and in the processes of the database. It depends little on what else the machine does.
`
  )
  const slow = rows.filter(({ max, p99 }) => p99 > max)
  if (slow.length > 0 && !QUICK) throw new Error(`too slow: ${slow.map(({ what }) => what).join(", ")}`)
})
