/**
 * A campaign of 5,000 people in a workspace that 10 million have said no to: drafting it, the check of its launch, and
 * launching it, on an embedded PostgreSQL with its settings untouched.
 */
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import * as PgApprovalStore from "@outbound/adapters/postgres/PgApprovalStore.js"
import * as PgCampaignStore from "@outbound/adapters/postgres/PgCampaignStore.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgSendingStore from "@outbound/adapters/postgres/PgSendingStore.js"
import * as PgSuppressionStore from "@outbound/adapters/postgres/PgSuppressionStore.js"
import * as PgTrailStore from "@outbound/adapters/postgres/PgTrailStore.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import { start } from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { SqlClient } from "@effect/sql"
import { DEFAULT_SCHEDULE } from "@outbound/domain/campaigns/Campaign.js"
import { CampaignStore } from "@outbound/domain/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/sending/SendingStore.js"
import { SuppressionStore } from "@outbound/domain/suppression/SuppressionStore.js"
import type { TrailEvent } from "@outbound/domain/trail/TrailEvent.js"
import { TrailStore } from "@outbound/domain/trail/TrailStore.js"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const SUPPRESSIONS = Number(process.env["BENCH_SUPPRESSIONS"] ?? 10_000_000)
const PEOPLE = 5_000
const ROUNDS = 4
const DAY_MILLIS = 86_400_000

/** As the seed makes them, so that some of the people are among those who said no. */
const hashOf = (person: number): string => createHash("sha256").update(String(person)).digest("base64url")

/** Its key is built afterwards, which is how 10 million rows take a minute instead of ten. */
const seed = (workspaceId: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
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
}

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.timed(effect), ([duration, value]) => [Duration.toMillis(duration), value] as const)

/** Of the people every tenth has said no. */
const round = (workspaceId: string, number: number) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const [campaigns, suppressions, sending, trail] = yield* Effect.all([
      CampaignStore,
      SuppressionStore,
      SendingStore,
      TrailStore
    ])
    const campaignId = randomUUID()
    const check = (addressHashes: ReadonlyArray<string>) =>
      suppressions.check({
        workspaceId,
        addressHashes,
        campaignId,
        contactedSinceMillis: Date.now() - 30 * DAY_MILLIS
      })
    const people = Array.from({ length: PEOPLE }, (_, i) => ({
      email: `person-${number}-${i}@example.com`,
      addressHash: hashOf(i % 10 === 0 ? 1 + number * PEOPLE + i : -(1 + number * PEOPLE + i)),
      firstName: "Ann",
      lastName: "Doe",
      companyName: "Acme",
      custom: {}
    }))
    const create = Effect.gen(function* () {
      const forbidden = yield* check(people.map(({ addressHash }) => addressHash))
      const leads = people
        .filter(({ addressHash }) => !forbidden.has(addressHash))
        .map((person) => ({ ...person, campaignLeadId: randomUUID() }))
      yield* atomically(
        Effect.zipRight(
          campaigns.insert(
            {
              workspaceId,
              campaignId,
              name: "Spring",
              state: "draft",
              pauseReason: null,
              sequence: [{ subject: "Hello", body: "Hi {{first_name}}", waitDays: 0 }],
              schedule: DEFAULT_SCHEDULE,
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
    // Others than at the draft, so that what the check needs is not in memory yet.
    const others = Array.from({ length: PEOPLE }, (_, i) =>
      hashOf(i % 2 === 0 ? 1e6 + number * PEOPLE + i : -(1e6 + number * PEOPLE + i))
    )
    const [checkMillis] = yield* timed(check(others))
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
      createdAtMillis: Date.now()
    } as const
    yield* atomically(sending.insertMailboxes([mailbox]))
    const launch = atomically(
      Effect.gen(function* () {
        const leads = yield* campaigns.leadsIn(workspaceId, campaignId, ["pending"])
        yield* check(leads.map(({ addressHash }) => addressHash))
        yield* campaigns.coverLeads(
          workspaceId,
          campaignId,
          randomUUID(),
          leads.map(({ campaignLeadId }) => ({ campaignLeadId, mailboxId, nextAtMillis: Date.now() }))
        )
      })
    )
    const [launchMillis] = yield* timed(launch)
    return { create: createMillis, check: checkMillis, launch: launchMillis, forbidden } satisfies Round
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
    PgPool.layer({ url: Redacted.make(url), applicationName: "bench", connectionsMax, statementMillisMax: 600_000 })
  const workspaceId = randomUUID()
  yield* Effect.zipRight(migrate(), seed(workspaceId)).pipe(Effect.provide(pool(1)))
  const stores = Layer.mergeAll(
    PgApprovalStore.layer,
    PgCampaignStore.layer,
    PgSendingStore.layer,
    PgSuppressionStore.layer,
    PgTrailStore.layer
  ).pipe(Layer.provideMerge(PgUnitOfWork.layer), Layer.provideMerge(pool(4)))
  return yield* Effect.forEach(
    Array.from({ length: ROUNDS }, (_, number) => number),
    (number) => round(workspaceId, number)
  ).pipe(Effect.provide(stores))
}).pipe(Effect.scoped)

const rounds = await Effect.runPromise(bench)
console.log(`${PEOPLE} people, ${SUPPRESSIONS} suppressions; milliseconds`)
console.table(
  rounds.map(({ create, check, launch, forbidden }) => ({
    "draft with its trail": Math.round(create),
    "taken out": forbidden,
    "check alone, other people": Math.round(check),
    "launch: check and cover": Math.round(launch)
  }))
)
