/**
 * What a message of an own mailbox takes of the database before it leaves: who is next, what the receiver still takes, and
 * the claim. With the counts that are kept by day; with the fold over two weeks of messages that they replaced; and without
 * any ramp, nor anything that keeps counts.
 */
import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import { claimOne, leftAt, nextOfOwn, type SentReads } from "@outbound/adapters/postgres/claimOwn.js"
import { ownFacts } from "@outbound/adapters/postgres/ownFacts.js"
import { senderUse } from "@outbound/adapters/postgres/ownUse.js"
import { workspaceFacts } from "@outbound/adapters/postgres/sendFacts.js"
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
import { onBed } from "./Bed.js"
import { machine, n, row, tell } from "./Report.js"

/** Messages of two weeks, of a domain with so many mailboxes; the first is what the ramp's record measured. */
const HISTORIES = [1_250, 12_500, 40_000]
const MAILBOXES = 5
const TURNS = 4
const ROUNDS = 40
/** The first of a turn plan the statements anew, because a trigger was switched. */
const PLANNING = 10
const RECEIVER = "google.test"

const declared = {
  mailbox: declaredOf(sendsElsewhere(NOON)),
  domain: Array.from({ length: MAILBOXES }, () => declaredOf(sendsElsewhere(NOON))).flat()
}

/** As it was: what is true of the workspace, and then what was sent; what was sent today from the counts or from the messages. */
const apart =
  (use: SentReads["use"], today: "counts" | "messages"): SentReads["facts"] =>
  (sql, operation, options, receiver, lock) =>
    Effect.gen(function* () {
      const { mailboxId, nowMillis, workspaceId } = options
      const of = today === "counts" ? { mailboxId, lock } : { lock }
      const [workspace] = yield* workspaceFacts(sql, operation, [workspaceId], options, of)
      return workspace === undefined
        ? null
        : { workspace, use: yield* use(sql, operation, options, receiver, nowMillis) }
    })

/** As if there were no ramp. */
const noUse: SentReads["use"] = () => Effect.succeed({ mailbox: [], domain: [], at: null, declared })

/** The statement that read all messages of the window each time. */
const foldedUse: SentReads["use"] = (sql, _operation, { mailboxId, workspaceId }, receiver, nowMillis) => {
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
  "counts by day": { reads: { facts: ownFacts, use: senderUse }, keeps: true },
  "a fold of the messages": { reads: { facts: apart(foldedUse, "messages"), use: foldedUse }, keeps: false },
  "no ramp, as before it": { reads: { facts: apart(noUse, "messages"), use: noUse }, keeps: false },
  "no ramp, and today's counts": { reads: { facts: apart(noUse, "counts"), use: noUse }, keeps: false }
} as const satisfies Readonly<Record<string, { readonly reads: SentReads; readonly keeps: boolean }>>
type Way = keyof typeof WAYS

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
      ) l ON l.place = ${4 * TURNS * ROUNDS} + i % 500
      CROSS JOIN LATERAL (
        SELECT ${new Date(NOON)}::timestamptz - (i % 14) * interval '1 day' - (i % 600) * interval '1 second' AS at
      ) t
    `
  )

const setCounting = (isOn: boolean) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.forEach(["use_added", "use_changed"], (name) =>
      sql`ALTER TABLE messages ${sql.literal(isOn ? "ENABLE" : "DISABLE")} TRIGGER ${sql.literal(name)}`.pipe(
        Effect.asVoid
      )
    )
  )

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const measure = (messages: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const { atomically } = yield* UnitOfWork
    const owns = yield* OwnMailboxStore
    const hostId = freshId()
    const people = 4 * TURNS * ROUNDS + 600
    const caps = { dailySends: 1_000_000, mailboxDailySends: 1_000_000 }
    const { mailboxes, workspaceId } = yield* givenOwn(hostId, people, { mailboxes: MAILBOXES, caps })
    yield* seed(workspaceId, messages)
    yield* sql`VACUUM ANALYZE messages, campaign_leads, mail_use_counts, mailboxes`
    const took = Object.fromEntries(Object.keys(WAYS).map((way) => [way, []])) as unknown as Record<Way, Array<number>>
    for (let turn = 0; turn < TURNS; turn += 1) {
      for (const way of Object.keys(WAYS) as ReadonlyArray<Way>) {
        const { keeps, reads } = WAYS[way]
        yield* setCounting(keeps)
        yield* owns.hold({ hostId, limit: 1_000, millis: 10 * HOLD_MILLIS })
        for (let round = 0; round < ROUNDS; round += 1) {
          const mailbox = mailboxes[round % MAILBOXES]
          if (mailbox === undefined) throw new Error("there is no mailbox")
          const moment = options(mailbox, NOON)
          const since = performance.now()
          const found = yield* nextOfOwn(sql, moment, reads)
          if (Option.isNone(found)) throw new Error("nobody is due")
          yield* leftAt(sql, moment, RECEIVER, reads)
          const { campaignLeadId, stepsSent: stepIndex } = found.value.lead
          const lead = { campaignLeadId, stepIndex, variant: null, messageId: freshId() }
          const isClaimed = yield* atomically(claimOne(sql, { ...moment, ...lead, hostId, receiver: RECEIVER }, reads))
          if (!isClaimed) throw new Error(`${way}: it was not claimed`)
          if (round >= PLANNING) took[way].push(performance.now() - since)
        }
      }
    }
    yield* setCounting(true)
    return took
  })

await onBed(async (bed) => {
  const pool = PgPool.layer({ url: Redacted.make(bed.url), applicationName: "bench", connectionsMax: 4 })
  const stores = Layer.mergeAll(
    PgApprovalStore.layer,
    PgCampaignStore.layer,
    PgSendingStore.layer,
    PgOwnMailboxStore.layer,
    PgWorkspaceStore.layer
  ).pipe(Layer.provideMerge(PgUnitOfWork.layer), Layer.provideMerge(pool))
  await Effect.runPromise(
    Effect.gen(function* () {
      yield* migrate()
      const lines: Array<string> = []
      for (const messages of HISTORIES) {
        const took = yield* measure(messages)
        const bare = median(took["no ramp, as before it"])
        for (const way of Object.keys(WAYS) as ReadonlyArray<Way>) {
          const millis = median(took[way])
          lines.push(row([messages.toLocaleString("en"), way, n(millis, 2), n(bare / millis, 2)]))
        }
      }
      const table = [
        row(["messages of two weeks", "what was sent is read from", "p50 ms", "of the speed before the ramp"]),
        row(["---:", "---", "---:", "---:"]),
        ...lines
      ].join("\n")
      tell(
        "claim",
        table,
        `## A claim of an own mailbox

${machine}, one PostgreSQL with default settings; ${MAILBOXES} mailboxes of one domain, ${TURNS * (ROUNDS - PLANNING)} messages each way, in turns. A
message is: who is next, what its receiver still takes, and the claim with its commit.

${table}

- **counts by day**: as it is. What a mailbox, its domain and the workspace sent on a day is kept by the statements that change
  messages, in their transaction; the claim pays for that here. It also says what was sent today.
- **a fold of the messages**: as it was. The messages of 14 days are read three times, those of today twice more; nothing is kept.
- **no ramp, as before it**: only today's messages are read, twice. **And today's counts**: not even these, while nothing keeps
  the counts: what no ramp could be faster than.`
      )
    }).pipe(Effect.provide(stores), Effect.scoped)
  )
})
