import { assert, it } from "@effect/vitest"
import { CampaignStore } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { DAY, freshId, NOON } from "@outbound/testkit/contracts/fixtures.js"
import { Effect } from "effect"
import { SqlClient } from "../../src/postgres/Sql.js"
import { layer } from "./stores.js"

const WORKSPACES = 2_000

/** So many workspaces, each with a campaign of five people who are due tomorrow. */
const given = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    INSERT INTO workspaces (
      workspace_id, name, kind, daily_sends, daily_replies, mailbox_daily_replies, mailbox_daily_sends, created_at
    )
    SELECT gen_random_uuid(), 'w', 'live', 500, 50, 50, 25, now() FROM generate_series(1, ${WORKSPACES})
  `
  yield* sql`INSERT INTO workspace_sending (workspace_id) SELECT workspace_id FROM workspaces`
  yield* sql`INSERT INTO sending_turns (workspace_id) SELECT workspace_id FROM workspaces`
  yield* sql`
    INSERT INTO mailboxes (
      workspace_id, mailbox_id, operation_id, domain, address, display_name, state, active_at, created_at
    )
    SELECT workspace_id, workspace_id, workspace_id, 'a.test', 'jo@a.test', 'Jo', 'active', now(), now() FROM workspaces
  `
  yield* sql`
    INSERT INTO campaigns (
      workspace_id, campaign_id, name, state, sequence, schedule, recipients_version, created_at, launched_at
    )
    SELECT workspace_id, workspace_id, 'c', 'active', '[]', '{}', 1, now(), now() FROM workspaces
  `
  yield* sql`
    INSERT INTO campaign_mailboxes (workspace_id, campaign_id, mailbox_id, added_at)
    SELECT workspace_id, workspace_id, workspace_id, now() FROM workspaces
  `
  yield* sql`
    INSERT INTO campaign_leads (
      workspace_id, campaign_lead_id, campaign_id, email, custom, state, address_hash, approval_id, mailbox_id, steps,
      steps_sent, next_at
    )
    SELECT w.workspace_id, gen_random_uuid(), w.workspace_id, 'ann@b.test', '{}', 'active', i::text, w.workspace_id,
      w.workspace_id, 2, 1, ${new Date(NOON + DAY)}
    FROM workspaces w, generate_series(1, 5) i
  `
  yield* sql`ANALYZE`
})

it.layer(layer, { timeout: "60 seconds" })("hosts with nothing to do", (it) => {
  it.effect(
    "look at nobody in many workspaces, be it for whom to write to, whom not to, or which campaigns are done",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { atomically } = yield* UnitOfWork
        const campaigns = yield* CampaignStore
        const sendings = yield* SendingStore
        yield* given
        const seen = Effect.map(
          sql<{ read: number; scans: number }>`
          SELECT seq_tup_read::integer AS read, (seq_scan + idx_scan)::integer AS scans
          FROM pg_stat_xact_user_tables WHERE relname = 'campaign_leads'
        `,
          ([found]) => found ?? { read: 0, scans: 0 }
        )
        const looks = <A, E, R>(round: Effect.Effect<A, E, R>) =>
          atomically(
            Effect.gen(function* () {
              const before = yield* seen
              yield* round
              const after = yield* seen
              return { read: after.read - before.read, scans: after.scans - before.scans }
            })
          )
        const contactedSinceMillis = NOON - 30 * DAY
        const claim = sendings.claimDue({
          nowMillis: NOON,
          dayStartMillis: NOON,
          limit: 50,
          nextMessageId: freshId,
          contactedSinceMillis
        })
        // A statement that is known by its name is planned for its moment at first, and then may be planned for any.
        for (let time = 0; time < 8; time++) {
          const due = yield* looks(claim)
          const barred = yield* looks(sendings.lockForbiddenDue(NOON, contactedSinceMillis, 200))
          for (const { read, scans } of [due, barred]) {
            assert.strictEqual(read, 0, "nobody is read who is not due")
            assert.isAtMost(scans, WORKSPACES + 20, "a short look for each workspace at most")
          }
          // One short look for each campaign, and nobody who is open is read.
          assert.strictEqual((yield* looks(campaigns.lockDone(100))).read, 0)
        }
      }).pipe(Effect.orDie)
  )
})
