/**
 * A campaign of 5,000 people in a workspace that 10 million have said no to: drafting it, beside COPY of the very rows that
 * it wrote; the check of its launch, beside the bare look-up; and launching it.
 */
import { UNDECLARED } from "@outbound/domain/outreach/sending/ramp.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgApprovalStore from "@outbound/adapters/postgres/PgApprovalStore.js"
import * as PgCampaignStore from "@outbound/adapters/postgres/PgCampaignStore.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgSendingStore from "@outbound/adapters/postgres/PgSendingStore.js"
import * as PgSuppressionStore from "@outbound/adapters/postgres/PgSuppressionStore.js"
import * as PgTrailStore from "@outbound/adapters/postgres/PgTrailStore.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import { Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { NO_COMPANY_RULES } from "@outbound/domain/outreach/campaigns/companyRules.js"
import { DEFAULT_SCHEDULE } from "@outbound/domain/kernel/sequences/Sequence.js"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { type TrailEvent, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { createHash, randomUUID } from "node:crypto"
import pg from "pg"
import { onBed } from "./Bed.js"
import { copy } from "./Copy.js"
import { machine, n, row, tell } from "./Report.js"

const SUPPRESSIONS = Number(process.env["BENCH_SUPPRESSIONS"] ?? 10_000_000)
const PEOPLE = 5_000
const ROUNDS = 4

/** As the seed makes them, so that some of the people are among those who said no. */
const hashOf = (person: number): string => createHash("sha256").update(String(person)).digest("base64url")

/** Its key is built afterwards, which is how 10 million rows take a minute instead of ten. */
const seed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`SET statement_timeout = 0`
    yield* sql`SET maintenance_work_mem = '512MB'`
    yield* sql`ALTER TABLE suppressions DROP CONSTRAINT suppressions_pkey`
    yield* sql`
      INSERT INTO suppressions (workspace_id, address_hash, source, suppressed_at)
      SELECT ${workspaceId}::uuid,
        rtrim(translate(encode(sha256(convert_to(n::text, 'UTF8')), 'base64'), '+/', '-_'), '='), 'unsubscribe', now()
      FROM generate_series(1, ${SUPPRESSIONS}::integer) AS n
    `
    yield* sql`ALTER TABLE suppressions ADD PRIMARY KEY (workspace_id, address_hash, source)`
    yield* sql`
      INSERT INTO workspaces VALUES (${workspaceId}, 'bench', 'sandbox', '1 Main Street', 500, 100, 20, 25, now())
    `
    yield* sql`VACUUM ANALYZE suppressions`
  })

const eventOf = (
  workspaceId: string,
  campaignId: string,
  lead: { campaignLeadId: string; email: string }
): TrailEvent => ({
  eventId: randomUUID(),
  workspaceId,
  kind: "admitted",
  source: "api",
  observedAtMillis: Date.now(),
  campaignId,
  campaignLeadId: lead.campaignLeadId,
  replyId: null,
  requestId: randomUUID(),
  operationId: null,
  email: lead.email,
  detail: {}
})

interface Round {
  readonly create: number
  readonly check: number
  readonly launch: number
  readonly forbidden: number
  /** Milliseconds of the bare ways to do the first two. */
  readonly copy: number
  readonly lookUp: number
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([duration, value]) => [Duration.toMillis(duration), value] as const)

/** Puts the campaign's rows into tables with the same indexes and checks, but no foreign keys; how long that takes. */
const copied = async (bare: pg.Client, workspaceId: string, campaignId: string): Promise<number> => {
  const rows = new Map<string, Buffer>()
  for (const name of ["campaign_leads", "trail_events"]) {
    await bare.query(`CREATE TABLE IF NOT EXISTS copied_${name} (LIKE ${name} INCLUDING ALL)`)
    const own = `SELECT * FROM ${name} WHERE workspace_id = '${workspaceId}' AND campaign_id = '${campaignId}'`
    rows.set(name, await copy(bare, `COPY (${own}) TO STDOUT`))
  }
  const since = performance.now()
  await bare.query("BEGIN")
  for (const [name, data] of rows) await copy(bare, `COPY copied_${name} FROM STDIN`, data)
  await bare.query("COMMIT")
  return performance.now() - since
}

/** Of the people every tenth has said no. */
const round = (bare: pg.Client, workspaceId: string, number: number) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const [campaigns, suppressions, sending, trail] = yield* Effect.all([
      CampaignStore,
      SuppressionStore,
      SendingStore,
      TrailStore
    ])
    const campaignId = randomUUID()
    const check = (people: ReadonlyArray<{ readonly addressHash: string; readonly email: string }>) =>
      suppressions.check({
        workspaceId,
        people,
        campaignId,
        contactedSinceMillis: Date.now() - 30 * DAY_MILLIS,
        mayWait: true
      })
    const people = Array.from({ length: PEOPLE }, (_, i) => ({
      email: `person-${number}-${i}@example.com`,
      addressHash: hashOf(i % 10 === 0 ? 1 + number * PEOPLE + i : -(1 + number * PEOPLE + i)),
      firstName: "Ann",
      lastName: "Doe",
      companyName: "Acme",
      custom: {},
      origin: null
    }))
    const create = Effect.gen(function* () {
      const forbidden = yield* check(people)
      const leads = people
        .filter(({ addressHash }) => !forbidden.has(addressHash))
        .map((person) => ({ ...person, campaignLeadId: randomUUID() }))
      yield* atomically(
        Effect.andThen(
          campaigns.insert(
            {
              workspaceId,
              campaignId,
              name: "Spring",
              state: "draft",
              pauseReason: null,
              sequence: [{ subject: "Hello", body: "Hi {{first_name}}", waitDays: 0 }],
              schedule: DEFAULT_SCHEDULE,
              ...NO_COMPANY_RULES,
              chosenVariants: null,
              winnerRule: null,
              recipientsVersion: 1,
              createdAtMillis: Date.now(),
              launchedAtMillis: null
            },
            leads
          ),
          trail.append(leads.map((lead) => eventOf(workspaceId, campaignId, lead)))
        )
      )
      return PEOPLE - leads.length
    })
    const [createMillis, forbidden] = yield* timed(create)
    const copyMillis = yield* Effect.promise(() => copied(bare, workspaceId, campaignId))
    // Others than at the draft, and others for each way, so that what they need is not in memory yet.
    const others = (from: number) =>
      Array.from({ length: PEOPLE }, (_, i) => {
        const person = (from + number) * PEOPLE + i
        return { email: `other-${person}@example.com`, addressHash: hashOf(i % 2 === 0 ? person : -person) }
      })
    const [checkMillis] = yield* timed(check(others(200)))
    const [lookUpMillis] = yield* timed(
      Effect.promise(() =>
        bare.query("SELECT address_hash FROM suppressions WHERE workspace_id = $1 AND address_hash = ANY ($2)", [
          workspaceId,
          others(400).map(({ addressHash }) => addressHash)
        ])
      )
    )
    const mailboxId = randomUUID()
    const mailbox = {
      workspaceId,
      mailboxId,
      kind: "purchased",
      operationId: randomUUID(),
      domain: "acme-mail.test",
      address: "jo@acme-mail.test",
      displayName: "Jo",
      state: "active",
      pauseReason: null,
      activeAtMillis: Date.now(),
      upkeepPaidUntilMillis: Date.now() + 30 * DAY_MILLIS,
      restsUntilMillis: null,
      ...UNDECLARED,
      createdAtMillis: Date.now()
    } as const
    yield* atomically(sending.insertMailboxes([mailbox]))
    const launch = atomically(
      Effect.gen(function* () {
        const leads = yield* campaigns.leadsIn(workspaceId, campaignId, ["pending"])
        yield* check(leads)
        yield* campaigns.coverLeads(
          workspaceId,
          campaignId,
          randomUUID(),
          leads.map(({ campaignLeadId }) => ({ campaignLeadId, mailboxId, nextAtMillis: Date.now() }))
        )
      })
    )
    const [launchMillis] = yield* timed(launch)
    return {
      create: createMillis,
      check: checkMillis,
      launch: launchMillis,
      forbidden,
      copy: copyMillis,
      lookUp: lookUpMillis
    } satisfies Round
  })

const bench = (url: string, bare: pg.Client) =>
  Effect.gen(function* () {
    const pool = (connectionsMax: number) =>
      PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax, statementMillisMax: 600_000 })
    const workspaceId = randomUUID()
    yield* Effect.andThen(migrate(), seed(workspaceId)).pipe(Effect.provide(pool(1)))
    const stores = Layer.mergeAll(
      PgApprovalStore.layer,
      PgCampaignStore.layer,
      PgSendingStore.layer,
      PgSuppressionStore.layer,
      PgTrailStore.layer
    ).pipe(Layer.provideMerge(PgUnitOfWork.layer), Layer.provideMerge(pool(4)))
    return yield* Effect.forEach(
      Array.from({ length: ROUNDS }, (_, number) => number),
      (number) => round(bare, workspaceId, number)
    ).pipe(Effect.provide(stores))
  })

const table = (rounds: ReadonlyArray<Round>): string => {
  const mean = (of: (one: Round) => number) => rounds.reduce((total, one) => total + of(one), 0) / rounds.length
  const create = mean((one) => one.create)
  const check = mean((one) => one.check)
  const copyOfRows = mean((one) => one.copy)
  const lookUp = mean((one) => one.lookUp)
  return [
    row(["what", "ms", "ratio"]),
    row(["---", "---:", "---:"]),
    row(["draft: check, campaign, leads and trail", n(create), `**${n(create / copyOfRows, 2)}**`]),
    row(["COPY of the rows that the draft wrote", n(copyOfRows), ""]),
    row(["the launch's check alone", n(check), `**${n(check / lookUp, 2)}**`]),
    row(["the bare look-up", n(lookUp), ""]),
    row(["launch: read, check, cover", n(mean((one) => one.launch)), ""])
  ].join("\n")
}

const report = (text: string): string => `## A campaign of ${PEOPLE} people, ${SUPPRESSIONS} suppressed

${machine}, one PostgreSQL with default settings, the mean of ${ROUNDS} campaigns, each with other
people. Every tenth person of a draft is suppressed.

${text}

- **COPY** loads the leads and their trail into tables with the same indexes and checks, but no foreign keys, in one
  transaction: PostgreSQL's fastest import.
- **the bare look-up** queries the suppressions of as many other people. The check also reads their sources, and who was
  emailed in the last 30 days.
`

await onBed(async ({ finally: atEnd, url }) => {
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  atEnd(() => bare.end())
  const text = table(await Effect.runPromise(bench(url, bare)))
  tell("campaigns", text, report(text))
})
