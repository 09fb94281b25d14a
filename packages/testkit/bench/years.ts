/**
 * What years of calls cost those who come after them: a call, a page of the ledger and a check, on an empty database and
 * on ones with a million and ten million calls of the last two years, each with its charge. Months are filled and sealed
 * one after the other, as time would. `BENCH_CALLS` is the largest number of calls: fifty million are a hundred million
 * rows, and take 25 GB and half an hour.
 */
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { accountReads } from "@outbound/adapters/postgres/console/accountReads.js"
import { EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import { keepMonths } from "@outbound/adapters/postgres/months/Months.js"
import { GROWING, monthOf } from "@outbound/adapters/postgres/months/Partitions.js"
import * as PgCallJournal from "@outbound/adapters/postgres/PgCallJournal.js"
import { check, type CheckedFrom } from "@outbound/adapters/postgres/PgInvariants.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import { firstIdOf } from "@outbound/adapters/postgres/Columns.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { anAttempt, settlementOf } from "@outbound/testkit/contracts/calls.js"
import { createHash, randomBytes } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import pg from "pg"
import { join } from "node:path"
import { onBed } from "./Bed.js"
import { machine, n, row, tell } from "./Report.js"
import { ARCHIVING } from "./wings/archives.js"

/** The largest number of calls that are there already. */
const CALLS = Number(process.env["BENCH_CALLS"] ?? 10_000_000)
const SIZES = (process.env["BENCH_SIZES"] ?? `0,${CALLS / 10},${CALLS}`).split(",").map(Number)
const WORKSPACES = 100
const YEARS = 2
/** Of more calls than this not every row is read again, nor archived: it takes hours. */
const WHOLE_MAX = Number(process.env["BENCH_WHOLE"] ?? 10_000_000)
const ROUNDS = 5
const MEASURED_CALLS = 1_000
const CONNECTIONS = 16
const PAGES = 50
const PAGE = 50

const NOW = Date.now()
const DAY = 24 * 60 * 60_000
/** Everything before this month is sealed then. */
const SEALED_AFTER = 36 * DAY
const SEALING = monthOf(NOW) + SEALED_AFTER
const FIRST = monthOf(NOW, -12 * YEARS)

const hashOf = (workspace: number): string => createHash("sha256").update(`years ${workspace}`).digest("hex")

const WORKSPACES_MADE = `
WITH w AS (SELECT n, uuidv7() AS workspace_id, uuidv7() AS key_id FROM generate_series(1, ${WORKSPACES}) n),
workspaces_made AS (
  INSERT INTO workspaces SELECT workspace_id, 'years ' || n, 'sandbox', NULL, 500, 100, 20, 25, now() FROM w
), sending AS (
  INSERT INTO workspace_sending (workspace_id) SELECT workspace_id FROM w
), accounts_made AS (
  INSERT INTO accounts (workspace_id, available) SELECT workspace_id, 1000000000000000 FROM w
), granted AS (
  INSERT INTO ledger_entries (workspace_id, entry_id, kind, amount, at)
  SELECT workspace_id, uuidv7(), 'grant', 1000000000000000, now() FROM w
), keys AS (
  INSERT INTO api_keys (workspace_id, key_id, workspace_kind, name, prefix, state, scopes, capabilities_off,
    autonomous_external_actions, monthly_spend_cap, premium_allowance, rate_per_minute, run_required, created_at)
  SELECT workspace_id, key_id, 'sandbox', 'years', 'svc_key_', 'active', '{data:read,usage:read}', '{}', true,
    NULL, 0, 1000000000, false, now() FROM w
), used AS (
  INSERT INTO key_usage (workspace_id, key_id, month) SELECT workspace_id, key_id, to_char(now(), 'YYYY-MM') FROM w
)
INSERT INTO key_catalogue SELECT ($1::text[])[n], workspace_id, key_id FROM w`

/** Fills a month apart from its table. Attaching it again makes its indexes, each of all rows at once. */
const fillApart = (table: (typeof GROWING)[number]["table"], month: string, columns: string, rows: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const name = `${table}_${month}`
    const [{ bound } = { bound: "" }] = yield* sql.unsafe<{ readonly bound: string }>(
      `SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE relname = '${name}'`
    )
    yield* sql.unsafe(`ALTER TABLE ${table} DETACH PARTITION ${name}`)
    yield* sql.unsafe(`
      DO $$ DECLARE d record; BEGIN
        FOR d IN SELECT conname FROM pg_constraint WHERE conrelid = '${name}'::regclass AND contype IN ('p', 'u')
        LOOP EXECUTE format('ALTER TABLE ${name} DROP CONSTRAINT %I', d.conname); END LOOP;
        FOR d IN SELECT indexrelid::regclass AS name FROM pg_index WHERE indrelid = '${name}'::regclass
        LOOP EXECUTE format('DROP INDEX %s', d.name); END LOOP;
      END $$`)
    yield* sql.unsafe(`INSERT INTO ${name} (${columns}) SELECT ${rows} FROM grown`)
    yield* sql.withTransaction(
      Effect.andThen(
        sql.unsafe("SET LOCAL maintenance_work_mem = '512MB'"),
        sql.unsafe(`ALTER TABLE ${table} ATTACH PARTITION ${name} ${bound}`)
      )
    )
    yield* sql.unsafe(`VACUUM ANALYZE ${name}`)
  })

const countCalls = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO usage_of_keys AS u (workspace_id, day, key_id, verb, calls, charged)
    SELECT workspace_id, (at AT TIME ZONE 'UTC')::date, key_id, 'verify_email', count(*), count(*) * 10000 FROM grown
    GROUP BY 1, 2, 3
    ON CONFLICT (workspace_id, day, key_id, verb)
      DO UPDATE SET calls = u.calls + excluded.calls, charged = u.charged + excluded.charged
  `
  yield* sql`
    UPDATE accounts a SET available = a.available - g.calls * 10000
    FROM (SELECT workspace_id, count(*) AS calls FROM grown GROUP BY 1) g WHERE g.workspace_id = a.workspace_id
  `
})

/** The calls of one month, and all that they leave behind. */
const growMonth = (month: number, size: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [from, until] = [monthOf(FIRST, month), monthOf(FIRST, month + 1)]
    const name = new Date(from).toISOString().slice(0, 7).replace("-", "_")
    yield* sql`
      CREATE UNLOGGED TABLE grown AS
      SELECT k.workspace_id, k.key_id, uuidv7(t.at - clock_timestamp()) AS id, t.at FROM (
        SELECT i, to_timestamp((${from}::bigint + (${until}::bigint - ${from}::bigint) * i / ${Math.max(size, 1)}::bigint) / 1000.0) AS at
        FROM generate_series(0, ${size - 1}::bigint) i
      ) t JOIN (SELECT *, row_number() OVER (ORDER BY key_id) - 1 AS n FROM api_keys) k ON k.n = t.i % ${WORKSPACES}
    `
    yield* Effect.all(
      [
        fillApart(
          "requests",
          name,
          `workspace_id, request_id, key_id, verb, mode, status, admitted, http_status, charged, created_at, finished_at, month`,
          `workspace_id, id, key_id, 'verify_email', 'act', 'succeeded', true, 200, 10000, at, at,
            to_char(at AT TIME ZONE 'UTC', 'YYYY-MM')`
        ),
        fillApart(
          "ledger_entries",
          name,
          "workspace_id, entry_id, kind, amount, request_id, at",
          "workspace_id, id, 'charge', -10000, id, at"
        ),
        countCalls
      ],
      { concurrency: "unbounded", discard: true }
    )
    yield* sql`DROP TABLE grown`
  })

/** So many calls, evenly over the years. Each month is sealed once it is over. Returns how long all seals took. */
const grow = (size: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    let seals = 0
    for (let month = 0; month < 12 * YEARS; month++) {
      yield* growMonth(month, Math.floor(size / (12 * YEARS)))
      // The last ones are sealed with everything, as if time went on.
      const at = month < 12 * YEARS - 1 ? monthOf(FIRST, month + 1) + SEALED_AFTER : SEALING
      seals += yield* millisOf(keepMonths(at))
    }
    yield* sql`VACUUM ANALYZE accounts, usage_of_keys, key_usage, workspaces, api_keys`
    return seals
  })

const p50 = (times: ReadonlyArray<number>): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

const millisOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(work), ([took]) => Duration.toMillis(took))

/** An id of next month, which has a partition of its own. */
const freshId = (): string => {
  const hex = (monthOf(NOW, 1) + DAY + Math.floor(Math.random() * DAY)).toString(16).padStart(12, "0")
  const random = randomBytes(10).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${random.slice(0, 3)}-a${random.slice(3, 6)}-${random.slice(6, 18)}`
}

const calls = Effect.gen(function* () {
  const journal = yield* CallJournal
  const sql = yield* SqlClient
  const times: Array<number> = []
  const one = (number: number) =>
    Effect.gen(function* () {
      const at = performance.now()
      const admission = yield* journal.admit(
        anAttempt(hashOf(number % WORKSPACES), { requestId: freshId(), nowMillis: Date.now() })
      )
      if (admission._tag !== "Admitted") return yield* Effect.die(new Error(admission._tag))
      yield* journal.settle(settlementOf(admission.call))
      times.push(performance.now() - at)
    })
  yield* Effect.forEach(
    Array.from({ length: MEASURED_CALLS }, (_, index) => index),
    one,
    {
      concurrency: CONNECTIONS,
      discard: true
    }
  )
  const pages: Array<number> = []
  const { ledger } = accountReads(sql)
  const [{ workspaceId } = { workspaceId: "" }] = yield* sql<{ readonly workspaceId: string }>`
    SELECT workspace_id AS "workspaceId" FROM accounts LIMIT 1
  `
  for (let page = 0; page < PAGES; page++) {
    pages.push(yield* millisOf(ledger(workspaceId, EVERY_ENTRY, null, PAGE)))
  }
  return { times, pages }
})

const checks = (from: CheckedFrom) =>
  Effect.gen(function* () {
    const found = yield* Effect.timed(check(from))
    const breaches = found[1].filter(({ count }) => count > 0)
    if (breaches.length > 0) return yield* Effect.die(new Error(breaches.map(({ name }) => name).join(", ")))
    return Duration.toMillis(found[0])
  })

/** What is said of a long run while it lasts. */
const tellStep = (size: number, step: string) => Effect.sync(() => console.log(`${n(size)} calls: ${step}`))

interface Measured {
  readonly calls: number
  readonly call: number
  readonly page: number
  readonly check: number
  readonly all: number | null
  readonly seal: number
  readonly archive: number | null
  readonly after: number | null
}

const poolTo = (url: string, connectionsMax: number) =>
  PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax, statementMillisMax: 3_600_000 })

/** Makes a database with so many calls. Returns how long its seals took. */
const filled = (url: string, size: number) =>
  Effect.gen(function* () {
    yield* Effect.gen(function* () {
      yield* migrate()
      const sql = yield* SqlClient
      // As if it had been migrated before the first call.
      for (const { table } of GROWING) {
        yield* sql.unsafe(`ALTER TABLE ${table} DETACH PARTITION ${table}_before`)
        yield* sql.unsafe(`ALTER TABLE ${table} ATTACH PARTITION ${table}_before
          FOR VALUES FROM (MINVALUE) TO ('${firstIdOf(FIRST)}')`)
      }
      yield* keepMonths(NOW)
      yield* sql.unsafe(WORKSPACES_MADE, [Array.from({ length: WORKSPACES }, (_, index) => hashOf(index))])
    }).pipe(Effect.provide(poolTo(url, 1)))
    const seal = yield* Effect.provide(grow(size), poolTo(url, 3))
    yield* tellStep(size, "filled and sealed")
    return seal
  })

/** One round of what is measured. */
const round = (url: string) =>
  Effect.gen(function* () {
    const { pages, times } = yield* calls
    return { times, pages, check: yield* checks("sealed") }
  }).pipe(Effect.provide(PgCallJournal.layer.pipe(Layer.provideMerge(poolTo(url, 8)))))

/** What takes longer the more there is. */
const whole = (url: string, size: number) =>
  Effect.gen(function* () {
    if (size > WHOLE_MAX) return { all: null, archive: null, after: null }
    const all = yield* Effect.provide(checks("archived"), poolTo(url, 1))
    const folder = mkdtempSync(join(tmpdir(), "outbound-years-"))
    const archive = yield* millisOf(
      Effect.forEach(ARCHIVING, (archiveIn) =>
        archiveIn(Redacted.make(url), folder, { callMonths: 0, trailMonths: null }, monthOf(NOW, 1))
      )
    ).pipe(Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true, force: true }))))
    return { all, archive, after: yield* Effect.provide(checks("archived"), poolTo(url, 1)) }
  })

/**
 * Each size in a database of its own. They are measured in turn, round after round, so that what else the machine does
 * meets all of them.
 */
const bench = async (server: string): Promise<ReadonlyArray<Measured>> => {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    const databases = []
    for (const size of SIZES) {
      await client.query(`CREATE DATABASE years_${size}`)
      const { href: url } = Object.assign(new URL(server), { pathname: `/years_${size}` })
      databases.push({
        size,
        url,
        seal: await Effect.runPromise(filled(url, size)),
        rounds: [] as Array<Round>
      })
    }
    for (let done = 0; done < ROUNDS; done++) {
      for (const { rounds, url } of databases) rounds.push(await Effect.runPromise(round(url)))
    }
    const found = []
    for (const { rounds, seal, size, url } of databases) {
      found.push({
        calls: size,
        call: p50(rounds.flatMap(({ times }) => times)),
        page: p50(rounds.flatMap(({ pages }) => pages)),
        check: p50(rounds.map(({ check: took }) => took)),
        seal,
        ...(await Effect.runPromise(whole(url, size)))
      })
      await client.query(`DROP DATABASE years_${size} WITH (FORCE)`)
    }
    return found
  } finally {
    await client.end()
  }
}

type Round = Effect.Success<ReturnType<typeof round>>

const table = (found: Awaited<ReturnType<typeof bench>>): string => {
  const first = found[0]
  const last = found.at(-1)
  const ratio = (of: (one: Measured) => number) =>
    first === undefined || last === undefined ? "" : `**${n(of(last) / of(first), 2)}**`
  const seconds = (millis: number | null) => (millis === null ? "" : n(millis / 1_000, 2))
  const head = [
    "calls of the last two years",
    "call: p50 ms",
    "page of the ledger: p50 ms",
    "check: s",
    "check --all: s",
    "sealing all months, one by one: s",
    "archiving them: s",
    "check --all after that: s"
  ]
  return [
    row(head),
    row(head.map(() => "---:")),
    ...found.map((one) =>
      row([
        n(one.calls),
        n(one.call, 2),
        n(one.page, 2),
        ...[one.check, one.all, one.seal, one.archive, one.after].map(seconds)
      ])
    ),
    row([
      "**most / none**",
      ratio(({ call }) => call),
      ratio(({ page }) => page),
      ratio(({ check }) => check),
      "",
      "",
      "",
      ""
    ])
  ].join("\n")
}

const report = (text: string): string => `## Years of calls

${machine}, one PostgreSQL with default settings, ${WORKSPACES} workspaces. Each call has its charge in the ledger.
Calls are admitted and settled at ${CONNECTIONS} at a time.

${text}

- **calls**: each is two rows that stay, one of requests and one of the ledger.
- **check**: \`outbound check\` after the months that are over were sealed. It reads their sums, one for each workspace and
  month, and the rows since. **check --all** reads every row.
- **page of the ledger**: the newest 50 entries of a workspace with their calls, as the console asks for them.
`

await onBed(async ({ url }) => {
  const text = table(await bench(url))
  tell("years", text, report(text))
})
