import { assert, it } from "@effect/vitest"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { HoldoutStore } from "@outbound/domain/outreach/launching/holdout/HoldoutStore.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { givenWorkspace, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { campaignIdOf, manyLeads } from "@outbound/testkit/seeds/ManyLeads.js"
import { Effect, Layer } from "effect"
import * as FC from "fast-check"
import { countInvariants } from "../../src/postgres/invariants/counts.js"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import * as PgHoldoutStore from "../../src/postgres/PgHoldoutStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const LEADS = 20_000
const PAGE = 50

const reads = Layer.provideMerge(Layer.merge(PgConsoleReads.layer, PgHoldoutStore.layer), layer)

/** A workspace of four full campaigns, the first of which ran. */
const seeded = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { workspaceId } = yield* givenWorkspace()
  yield* sql`
    INSERT INTO campaigns (workspace_id, campaign_id, name, state, sequence, schedule, recipients_version, created_at)
    VALUES (${workspaceId}, gen_random_uuid(), 'First', 'draft', '[{"subject": "Hello", "body": "Hi", "waitDays": 0}]',
      '{"timezone": "UTC", "days": ["mon"], "startHour": 9, "endHour": 17}', 1, now())
  `
  // One connection, because the seed makes temporary tables.
  yield* sql.withTransaction(
    Effect.forEach(manyLeads(workspaceId, { leads: LEADS, events: LEADS, messages: 8_000 }), (statement) =>
      sql.unsafe(statement)
    )
  )
  yield* sql`ANALYZE campaigns, campaign_leads, messages, replies, trail_events, campaign_counts, campaign_day_counts`
  return workspaceId
})

/** A workspace of one campaign, in which everybody was written to. */
const few = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { workspaceId } = yield* givenWorkspace()
  yield* sql`
    INSERT INTO campaigns (workspace_id, campaign_id, name, state, sequence, schedule, recipients_version, created_at)
    VALUES (${workspaceId}, gen_random_uuid(), 'First', 'draft', '[]', '{}', 1, now())
  `
  yield* sql.withTransaction(
    Effect.forEach(manyLeads(workspaceId, { leads: 500, events: 1, messages: 300 }), (statement) =>
      sql.unsafe(statement)
    )
  )
  return workspaceId
})

/** How many rows of a table the work reads. */
const rowsRead = <A, E, R>(table: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const read = Effect.map(
      sql<{ readonly read: bigint }>`
        SELECT COALESCE(seq_tup_read, 0) + COALESCE(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables
        WHERE relname = ${table}
      `,
      ([row]) => Number(row?.read ?? 0n)
    )
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        const before = yield* read
        yield* work
        return (yield* read) - before
      })
    )
  })

const broken = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    Effect.forEach(countInvariants, (rule) => sql.unsafe<{ readonly breach: string }>(rule.sql)),
    (found) => found.flat().map(({ breach }) => breach)
  )
)

it.layer(reads, SUITE)("a workspace with many leads", (it) => {
  it.effect("is read by its kept counts, and page by page", () =>
    Effect.gen(function* () {
      const { campaign, campaigns, campaignsSince, figuresByDay, leads, mailboxRecords } = yield* ConsoleReads
      const { outcomes } = yield* HoldoutStore
      const { page } = yield* TrailStore
      const workspaceId = yield* seeded
      const ran = campaignIdOf(1)
      const waits = campaignIdOf(4)
      const all = { state: null, sinceMillis: null }
      const listed = campaigns(workspaceId, { after: null, limit: PAGE }, all)
      assert.strictEqual(yield* rowsRead("campaign_leads", listed), 0)
      assert.isAtMost(yield* rowsRead("campaign_counts", listed), 4 * 400)
      // The first due lead, by an index.
      assert.isAtMost(yield* rowsRead("campaign_leads", campaign(workspaceId, waits)), 10)
      assert.strictEqual(yield* rowsRead("messages", campaign(workspaceId, ran)), 0)
      // Of those who wrote that they are interested the row says it.
      assert.strictEqual(yield* rowsRead("replies", campaign(workspaceId, ran)), 0)
      assert.isAtMost(yield* rowsRead("campaign_leads", campaign(workspaceId, ran)), 1_000)
      const some = { text: null, state: null, after: null, limit: PAGE }
      assert.isAtMost(yield* rowsRead("campaign_leads", leads(workspaceId, ran, some)), PAGE)
      assert.strictEqual(yield* rowsRead("messages", leads(workspaceId, ran, some)), 0)
      // Every mailbox's month: of the leads only who answered, by an index, and of each of these the last message.
      const records = mailboxRecords(workspaceId, 0)
      assert.isAtMost(yield* rowsRead("campaign_leads", records), 500)
      // What came of the last days, and what a campaign brought, by counts alone.
      const period = campaignsSince(workspaceId, 0, 200)
      for (const table of ["campaign_leads", "messages", "replies"]) {
        assert.strictEqual(yield* rowsRead(table, period), 0)
        assert.strictEqual(yield* rowsRead(table, outcomes(workspaceId, ran)), 0)
      }
      assert.isAtMost(yield* rowsRead("campaign_day_counts", period), 2 * 500)
      // Messages that bounced, by an index.
      assert.isAtMost(yield* rowsRead("messages", figuresByDay(workspaceId, 0)), 1_000)
      const newest = { workspaceId, campaignId: null, email: null, kinds: [], sinceMillis: null, untilMillis: null }
      assert.isAtMost(yield* rowsRead("trail_events", page({ ...newest, after: null, limit: PAGE })), PAGE)
    })
  )

  it.effect("what it brought, by kept counts, is what everybody's rows say", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { outcomes } = yield* HoldoutStore
      const workspaceId = yield* few
      const ran = campaignIdOf(1)
      yield* sql`
        UPDATE campaign_leads SET interest_status = 'meeting_booked', steps_sent = 1, state = 'active'
        WHERE workspace_id = ${workspaceId} AND campaign_lead_id IN (
          SELECT campaign_lead_id FROM campaign_leads WHERE workspace_id = ${workspaceId} AND campaign_id = ${ran}
            AND interest_status IS NULL AND state = 'active' LIMIT 7
        )
      `
      const found = yield* outcomes(workspaceId, ran)
      const everybody = yield* sql<{ readonly what: string; readonly people: number }>`
        SELECT concat_ws(' ', l.steps_sent > 0 AND l.state = 'replied', l.interest_status,
          l.state = 'replied' AND l.interest_status IS NULL AND EXISTS (
            SELECT 1 FROM replies r WHERE r.workspace_id = l.workspace_id AND r.campaign_lead_id = l.campaign_lead_id
              AND r.classification = 'interested'
          )) AS what, count(*)::integer AS people
        FROM campaign_leads l WHERE l.workspace_id = ${workspaceId} AND l.campaign_id = ${ran} AND l.steps_sent > 0
        GROUP BY 1
      `
      const letter = (is: boolean) => (is ? "t" : "f")
      assert.deepStrictEqual(
        new Map(
          found.rows.map(({ hasReplied, interestStatus, people, saidInterested }) => [
            [letter(hasReplied), interestStatus, letter(saidInterested)].filter((one) => one !== null).join(" "),
            people
          ])
        ),
        new Map(everybody.map(({ people, what }) => [what, people]))
      )
      assert.isAbove(found.rows.length, 4)
    })
  )

  it.effect("counts what its statements change, however many change it at once, in few rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const workspaceId = yield* few
      assert.deepStrictEqual(yield* broken, [])
      const states = ["replied", "bounced", "removed", "finished"] as const
      const change = (number: number) => sql`
        UPDATE campaign_leads SET state = ${states[number % 4] ?? "failed"}, next_at = NULL,
          interest_status = ${number % 3 === 0 ? "won" : null}, steps_sent = LEAST(steps, steps_sent + 1)
        WHERE campaign_lead_id IN (
          SELECT campaign_lead_id FROM campaign_leads WHERE workspace_id = ${workspaceId}
          ORDER BY campaign_lead_id LIMIT 3 OFFSET ${number % 400} FOR NO KEY UPDATE SKIP LOCKED
        )
      `
      yield* Effect.forEach(
        Array.from({ length: 300 }, (_, number) => number),
        change,
        { concurrency: 8, discard: true }
      )
      yield* Effect.ignore(sql.withTransaction(Effect.andThen(change(1), Effect.fail("it fails"))))
      yield* sql`UPDATE messages SET sent_at = sent_at - interval '1 day' WHERE workspace_id = ${workspaceId} AND step_index = 2`
      assert.deepStrictEqual(yield* broken, [])
      const [{ kept } = { kept: 0 }] = yield* sql<{ readonly kept: number }>`
        SELECT count(*)::integer AS kept FROM campaign_counts WHERE workspace_id = ${workspaceId}
      `
      assert.isBelow(kept, 600)
    })
  )

  it.effect("keeps every kind of count of people and messages that are added, changed and taken away", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const workspaceId = yield* few
      // All ways to be open or not, with an approval or without one, at any step, with hours or without.
      const change = (by: number) => sql`
        UPDATE campaign_leads l SET state = (ARRAY['pending', 'ready', 'active', 'finished'])[1 + (r.n + ${by}::int) % 4],
          steps_sent = (r.n / 4 + ${by}::int) % 4, next_at = NULL,
          approval_id = CASE WHEN (r.n / 16 + ${by}::int) % 2 = 0 THEN uuidv7() END,
          hours = CASE WHEN (r.n / 32) % 2 = 0 THEN 'UTC 9-17' END,
          mailbox_id = CASE WHEN (r.n / 64 + ${by}::int) % 2 = 0 THEN l.mailbox_id END,
          interest_status = (ARRAY[NULL, 'interested', 'meeting_booked', 'won', 'not_interested'])[1 + (r.n + ${by}::int) % 5]
        FROM (
          SELECT campaign_lead_id, (row_number() OVER (ORDER BY campaign_lead_id))::int AS n
          FROM campaign_leads WHERE workspace_id = ${workspaceId}
        ) r
        WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = r.campaign_lead_id
      `
      for (const by of [0, 1, 2]) {
        yield* change(by)
        assert.deepStrictEqual(yield* broken, [])
      }
      yield* sql`
        UPDATE messages SET state = (ARRAY['claimed', 'sent', 'unknown'])[1 + ascii(right(message_id, 20)) % 3]
        WHERE workspace_id = ${workspaceId} AND step_index = 2
      `
      // Who was sent what, again: the last variant is read when a step is counted.
      yield* change(3)
      assert.deepStrictEqual(yield* broken, [])
      const some = sql`
        SELECT campaign_lead_id FROM campaign_leads
        WHERE workspace_id = ${workspaceId} AND campaign_lead_id::text ~ '[37b]$'
      `
      yield* sql.withTransaction(
        Effect.andThen(
          sql`DELETE FROM messages WHERE workspace_id = ${workspaceId} AND campaign_lead_id IN (${some})`,
          sql`DELETE FROM campaign_leads WHERE workspace_id = ${workspaceId} AND campaign_lead_id IN (${some})`
        )
      )
      assert.deepStrictEqual(yield* broken, [])
    })
  )

  it.effect(
    "counts whom it reached by the rows of messages and replies, whatever is written and in whatever order",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const workspaceId = yield* few
        const [{ boxId } = { boxId: "" }] = yield* sql<{ readonly boxId: string }>`
        SELECT mailbox_id AS "boxId" FROM mailboxes WHERE workspace_id = ${workspaceId} LIMIT 1
      `
        const lead = (n: number) => sql`
        SELECT campaign_lead_id FROM campaign_leads WHERE workspace_id = ${workspaceId}
        ORDER BY campaign_lead_id LIMIT 1 OFFSET ${n % 40}
      `
        /** Each as a service, a vendor, a kill or a person does it; some before and some after what it belongs to. */
        const writes: ReadonlyArray<(n: number, day: number) => Effect.Effect<unknown, unknown>> = [
          (n, day) => sql`
          INSERT INTO messages (workspace_id, message_id, campaign_id, campaign_lead_id, mailbox_id, address_hash, step_index,
            state, claimed_at, sent_at)
          SELECT workspace_id, gen_random_uuid(), campaign_id, campaign_lead_id, ${boxId}::uuid, address_hash, 10 + ${day}::int,
            ${n % 2 === 0 ? "sent" : "unknown"}, now(), now() - ${day}::int * interval '1 day'
          FROM campaign_leads WHERE workspace_id = ${workspaceId} AND campaign_lead_id = (${lead(n)})
          ON CONFLICT DO NOTHING
        `,
          (n) =>
            sql.withTransaction(
              Effect.andThen(
                sql`
                UPDATE messages SET state = 'sent', sent_at = now() WHERE workspace_id = ${workspaceId}
                  AND state = 'unknown' AND campaign_lead_id = (${lead(n)})
              `,
                sql`
                UPDATE campaign_leads SET steps_sent = steps_sent + 1, steps = steps + 1
                WHERE workspace_id = ${workspaceId} AND campaign_lead_id = (${lead(n)})
              `
              )
            ),
          (n, day) => sql`
          UPDATE messages SET sent_at = LEAST(sent_at, now() - ${day}::int * interval '1 day')
          WHERE workspace_id = ${workspaceId} AND state = 'sent' AND campaign_lead_id = (${lead(n)})
        `,
          (n) => sql`
          INSERT INTO replies (workspace_id, reply_id, campaign_id, campaign_lead_id, from_email, subject, snippet, body_text,
            body_truncated, classification, received_at)
          SELECT workspace_id, uuidv7(), campaign_id, campaign_lead_id, '', '', '', '', false,
            (ARRAY['interested', 'other', NULL])[1 + ${n}::int % 3], now()
          FROM campaign_leads WHERE workspace_id = ${workspaceId} AND campaign_lead_id = (${lead(n)})
        `,
          (n) => sql`
          UPDATE replies SET classification = (ARRAY['interested', 'not_interested'])[1 + ${n}::int % 2]
          WHERE workspace_id = ${workspaceId} AND campaign_lead_id = (${lead(n)})
            AND (classification IS NULL OR ${n}::int % 5 = 0)
        `,
          (n) => sql`
          UPDATE campaign_leads SET state = (ARRAY['replied', 'removed', 'bounced', 'finished'])[1 + ${n}::int % 4],
            next_at = NULL, email = '', interest_status = (ARRAY[NULL, 'won', 'interested'])[1 + ${n}::int % 3]
          WHERE workspace_id = ${workspaceId} AND campaign_lead_id = (${lead(n)})
        `
        ]
        yield* Effect.promise(() =>
          FC.assert(
            FC.asyncProperty(
              FC.array(FC.tuple(FC.nat(writes.length - 1), FC.nat(1_000), FC.nat(9)), { minLength: 20, maxLength: 40 }),
              (chosen) =>
                Effect.runPromise(
                  Effect.gen(function* () {
                    for (const [which, n, day] of chosen) yield* writes[which]?.(n, day) ?? Effect.void
                    assert.deepStrictEqual(yield* broken, [])
                  }).pipe(Effect.provideService(SqlClient, sql))
                )
            ),
            { numRuns: 8 }
          )
        )
        const mine = sql`workspace_id = ${workspaceId}`
        for (const table of ["replies", "messages", "campaign_leads"]) {
          yield* sql`DELETE FROM ${sql.literal(table)} WHERE ${mine}`
        }
        const [{ people } = { people: -1 }] = yield* sql<{ readonly people: number }>`
        SELECT coalesce(sum(people), 0)::integer AS people FROM campaign_day_counts WHERE ${mine}
      `
        assert.strictEqual(people, 0)
        assert.deepStrictEqual(yield* broken, [])
      })
  )
})
