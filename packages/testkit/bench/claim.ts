/**
 * What a message of an own mailbox takes of the database before it leaves: who is next, what the receiver still takes, and
 * the claim. With the counts that are kept by day; with the fold over two weeks of messages that they replaced; and without
 * any ramp, nor anything that keeps counts.
 */
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import { claimOne, nextOfOwn } from "@outbound/adapters/postgres/claimOwn.js"
import { roomAt } from "@outbound/adapters/postgres/ownUse.js"
import * as PgApprovalStore from "@outbound/adapters/postgres/PgApprovalStore.js"
import * as PgCampaignStore from "@outbound/adapters/postgres/PgCampaignStore.js"
import * as PgOwnMailboxStore from "@outbound/adapters/postgres/PgOwnMailboxStore.js"
import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import * as PgSendingStore from "@outbound/adapters/postgres/PgSendingStore.js"
import * as PgUnitOfWork from "@outbound/adapters/postgres/PgUnitOfWork.js"
import * as PgWorkspaceStore from "@outbound/adapters/postgres/PgWorkspaceStore.js"
import { SqlClient } from "@outbound/adapters/postgres/Sql.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { HOLD_MILLIS, OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { declaredOf, type Use } from "@outbound/domain/outreach/sending/ramp.js"
import { byDay } from "@outbound/domain/outreach/sending/UseBook.js"
import { freshId, NOON } from "@outbound/testkit/contracts/fixtures.js"
import { givenOwn, options } from "@outbound/testkit/contracts/ownClaims.js"
import { sendsElsewhere } from "@outbound/testkit/service/sendsElsewhere.js"
import { Effect, Layer, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import pg from "pg"
import { onBed } from "./Bed.js"
import { type Claims, claimsBefore, type UseRead } from "./claimBefore.js"
import { machine, n, row, tell } from "./Report.js"

/** Messages of two weeks, of a domain with so many mailboxes; the first is what the ramp's record measured. */
const HISTORIES = [1_250, 12_500, 40_000]
const MAILBOXES = 5
const ROUNDS = 250
/** The first prepare and plan the statements. */
const PLANNING = 20
/** The longest history takes its time to be made on a busy machine. */
const SEED_MILLIS_MAX = 600_000
const RECEIVER = "google.test"

const declared = {
  mailbox: declaredOf(sendsElsewhere(NOON)),
  domain: Array.from({ length: MAILBOXES }, () => declaredOf(sendsElsewhere(NOON))).flat()
}

/** As if there were no ramp. */
const noUse: UseRead = () => Effect.succeed({ mailbox: [], domain: [], at: null, declared })

/** The statement that read all messages of the window each time. */
const foldedUse: UseRead = (sql, { mailboxId, nowMillis, workspaceId }, receiver) => {
  const day = "floor(extract(epoch FROM m.claimed_at) / 86400)::integer AS day"
  const group = sql`
    m.mailbox_id = ${mailboxId} AS "isMailbox", COALESCE(m.receiver = ${receiver}::text, false) AS "isThere", ${sql.literal(day)}
  `
  const from = new Date(nowMillis - 14 * 86_400_000 - (nowMillis % 86_400_000))
  const today = new Date(nowMillis - (nowMillis % 86_400_000))
  type Row = { readonly isMailbox: boolean; readonly isThere: boolean } & Use[number]
  return sql<{ readonly days: ReadonlyArray<Row> }>`
    WITH senders AS (
      SELECT b.* FROM mailboxes me
      JOIN mailboxes b ON b.workspace_id = me.workspace_id AND b.domain = me.domain AND b.kind = 'own'
      WHERE me.workspace_id = ${workspaceId} AND me.mailbox_id = ${mailboxId}
    ), days AS (
      SELECT ${group}, 0 AS taken, (count(*) FILTER (WHERE m.outcome IS NULL))::integer AS delivered, 0 AS refused,
        (count(*) FILTER (WHERE m.outcome = 'hard_bounce'))::integer AS bounced,
        (count(*) FILTER (WHERE m.outcome = 'complaint'))::integer AS complained
      FROM senders s JOIN messages m ON m.workspace_id = s.workspace_id AND m.mailbox_id = s.mailbox_id
      WHERE m.claimed_at >= ${from} AND m.state = 'sent'
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT ${group}, 0, 0, count(DISTINCT m.address_hash)::integer, 0, 0
      FROM senders s JOIN messages m ON m.workspace_id = s.workspace_id AND m.mailbox_id = s.mailbox_id
      WHERE m.claimed_at >= ${from} AND m.outcome = 'refused'
      GROUP BY 1, 2, 3
      UNION ALL
      SELECT ${group}, count(*)::integer, 0, 0, 0, 0
      FROM messages m
      WHERE m.workspace_id = ${workspaceId} AND m.claimed_at >= ${today} AND m.state <> 'failed'
        AND m.mailbox_id IN (SELECT s.mailbox_id FROM senders s)
      GROUP BY 1, 2, 3
    )
    SELECT COALESCE((SELECT json_agg(d) FROM days d), '[]') AS days
  `.pipe(
    Effect.orDie,
    Effect.map(([found]) => {
      const all = found?.days ?? []
      const there = all.filter(({ isThere }) => isThere)
      return {
        mailbox: byDay(all.filter(({ isMailbox }) => isMailbox)),
        domain: byDay(all),
        at: { mailbox: byDay(there.filter(({ isMailbox }) => isMailbox)), domain: byDay(there) },
        declared
      }
    })
  )
}

const WAYS = {
  "counts by day": { claims: { nextOfOwn, roomAt, claimOne }, keeps: true },
  "a fold of the messages": { claims: claimsBefore(foldedUse, "messages"), keeps: false },
  "no ramp, as before it": { claims: claimsBefore(noUse, "messages"), keeps: false },
  "no ramp, and today's counts": { claims: claimsBefore(noUse, "counts"), keeps: false }
} as const satisfies Readonly<Record<string, { readonly claims: Claims; readonly keeps: boolean }>>
type Way = keyof typeof WAYS
const BEFORE: Way = "no ramp, as before it"

/** Two weeks of mail from each mailbox. */
const seed = (workspaceId: string, messages: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      INSERT INTO messages (workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, step_index,
        state, claimed_at, sent_at, receiver)
      SELECT l.workspace_id, 'seeded-' || l.campaign_lead_id || '-' || i, l.campaign_id, l.campaign_lead_id, l.mailbox_id,
        'hash-' || i, 1000 + i, 'sent', at, at, CASE i % 3 WHEN 0 THEN 'google.test' WHEN 1 THEN 'outlook.test' ELSE 'r-' || i % 40 END
      FROM generate_series(1, ${messages}::integer) i
      JOIN (
        SELECT c.*, row_number() OVER (ORDER BY c.campaign_lead_id) - 1 AS place FROM campaign_leads c
        WHERE c.workspace_id = ${workspaceId}
      ) l ON l.place = ${ROUNDS} + i % 500
      CROSS JOIN LATERAL (
        SELECT ${new Date(NOON)}::timestamptz - (i % 14) * interval '1 day' - (i % 600) * interval '1 second' AS at
      ) t
    `
  )

/** Of a way that keeps no counts. */
const stopCounting = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(["use_added", "use_changed"], (name) =>
    sql`ALTER TABLE messages DISABLE TRIGGER ${sql.literal(name)}`.pipe(Effect.asVoid)
  )
)

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const poolOf = (url: string) => {
  const statementMillisMax = SEED_MILLIS_MAX
  const pool = PgPool.layer({
    url: Redacted.make(url),
    applicationName: "bench",
    connectionsMax: 2,
    statementMillisMax
  })
  return Layer.mergeAll(
    PgApprovalStore.layer,
    PgCampaignStore.layer,
    PgSendingStore.layer,
    PgOwnMailboxStore.layer,
    PgWorkspaceStore.layer
  ).pipe(Layer.provideMerge(PgUnitOfWork.layer), Layer.provideMerge(pool))
}

/** What the processes of a way's connections used of a processor, in milliseconds. */
const serverCpu = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly pid: number }>`SELECT pid FROM pg_stat_activity WHERE datname = current_database()`,
    (found) =>
      found.reduce((sum, { pid }) => {
        const [user = 0, system = 0] = readFileSync(`/proc/${pid}/stat`, "utf8")
          .split(") ")[1]!
          .split(" ")
          .slice(11, 13)
          .map(Number)
        return sum + (user + system) * 10
      }, 0)
  )
)

/** Two weeks of mail, and the next message of a mailbox, as often as it is run. */
const prepared = (way: Way, messages: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { atomically } = yield* UnitOfWork
    const owns = yield* OwnMailboxStore
    const hostId = freshId()
    const caps = { dailySends: 1_000_000, mailboxDailySends: 1_000_000 }
    const { mailboxes, workspaceId } = yield* givenOwn(hostId, ROUNDS + 500, { mailboxes: MAILBOXES, caps })
    yield* seed(workspaceId, messages)
    yield* sql`VACUUM ANALYZE messages, campaign_leads, mail_use_counts, mailboxes`
    yield* owns.hold({ hostId, limit: 1_000, millis: 100 * HOLD_MILLIS })
    const { claimOne, nextOfOwn, roomAt } = WAYS[way].claims
    return (round: number) =>
      Effect.gen(function* () {
        const mailbox = mailboxes[round % MAILBOXES]
        if (mailbox === undefined) throw new Error("there is no mailbox")
        const moment = options(mailbox, NOON)
        const found = yield* nextOfOwn(sql, moment)
        if (Option.isNone(found)) throw new Error(`${way}: nobody is due`)
        const room = yield* roomAt(sql, moment, RECEIVER)
        if (room.left <= 0) throw new Error(`${way}: the receiver takes no more`)
        const { campaignLeadId, stepsSent: stepIndex } = found.value.lead
        const lead = { campaignLeadId, stepIndex, variant: null, messageId: freshId() }
        const isClaimed = yield* atomically(claimOne(sql, { ...moment, ...lead, hostId, receiver: RECEIVER }))
        if (!isClaimed) throw new Error(`${way}: it was not claimed`)
      })
  })

interface Took {
  readonly millis: Array<number>
  /** Of this process and the server's. */
  cpuMillis: number
}

await onBed(async (bed) => {
  const ways = Object.keys(WAYS) as ReadonlyArray<Way>
  const admin = new pg.Client({ connectionString: bed.url })
  await admin.connect()
  for (const at of ways.keys()) await admin.query(`CREATE DATABASE way_${at}`)
  await admin.end()
  await Effect.runPromise(
    Effect.gen(function* () {
      // A database each, so that nothing is switched between two messages.
      const places = yield* Effect.forEach(ways, (way, at) =>
        Effect.gen(function* () {
          const url = new URL(bed.url)
          url.pathname = `/way_${at}`
          const stores = yield* Layer.build(poolOf(url.href))
          yield* Effect.provide(migrate(), stores)
          if (!WAYS[way].keeps) yield* Effect.provide(stopCounting, stores)
          return { way, stores }
        })
      )
      const lines: Array<string> = []
      for (const messages of HISTORIES) {
        const runs = yield* Effect.forEach(places, ({ stores, way }) =>
          Effect.gen(function* () {
            const one = yield* prepared(way, messages).pipe(Effect.provide(stores))
            const took: Took = { millis: [], cpuMillis: 0 }
            return { way, took, one, cpu: Effect.provide(serverCpu, stores) }
          })
        )
        for (let round = 0; round < ROUNDS; round += 1) {
          if (round === PLANNING) for (const { cpu, took } of runs) took.cpuMillis -= yield* cpu
          // One message of each way in turn, and each way at each place of a round: what else the machine does meets all.
          for (let turn = 0; turn < runs.length; turn += 1) {
            const run = runs[(turn + round) % runs.length]!
            const cpu = process.cpuUsage()
            const since = performance.now()
            yield* run.one(round)
            if (round < PLANNING) continue
            run.took.millis.push(performance.now() - since)
            const used = process.cpuUsage(cpu)
            run.took.cpuMillis += (used.user + used.system) / 1_000
          }
        }
        for (const { cpu, took } of runs) took.cpuMillis += yield* cpu
        const before = runs.find(({ way }) => way === BEFORE)!.took
        for (const { took, way } of runs) {
          const ratios = took.millis.map((millis, at) => before.millis[at]! / millis)
          const cpu = took.cpuMillis / took.millis.length
          const cells = [
            n(median(took.millis), 2),
            n(median(ratios), 2),
            n(cpu, 2),
            n(before.cpuMillis / took.cpuMillis, 2)
          ]
          lines.push(row([messages.toLocaleString("en"), way, ...cells]))
        }
      }
      const heads = [
        "messages of two weeks",
        "what was sent is read from",
        "p50 ms",
        "of the speed before",
        "CPU ms",
        "of the speed before"
      ]
      const table = [row(heads), row(["---:", "---", "---:", "---:", "---:", "---:"]), ...lines].join("\n")
      tell(
        "claim",
        table,
        `## A claim of an own mailbox

${machine}, one PostgreSQL with default settings; ${MAILBOXES} mailboxes of one domain, ${ROUNDS - PLANNING} messages each way, each way's message in
turn, in a database of its own. A message is: who is next, what its receiver still takes and whether the mailbox rests there, and
the claim with its commit. The speed before is that of the way called so: in time, the median over the pairs of a round; in CPU
(this process's and its connections'), all together.

${table}

- **counts by day**: as it is. What a mailbox, its domain and the workspace sent on a day is kept by the statements that change
  messages, in their transaction; the claim pays for that here. It also says what was sent today. A message takes seven
  statements, because what belongs together is read together.
- **a fold of the messages**: as the ramp was at first. The messages of 14 days are read three times, those of today twice more;
  nothing is kept. It is fourteen statements.
- **no ramp, as before it**: the eleven statements that a message took then; today's messages are read twice. **And today's
  counts**: the same, while these are read instead and nothing keeps them.`
      )
    }).pipe(Effect.scoped)
  )
})
