/** What follows from a clock that was set back, in statements. Each looks only at what lies in the clock's future. */
import { Effect } from "effect"
import { WING_STAMPS, WING_WAITS } from "../wings/waits.js"
import type { Wait } from "./Wait.js"
import { date } from "./Columns.js"
import type { SqlClient, SqlError } from "./Sql.js"

/** What waits until a time of the service's clock. */
export const SERVICE_WAITS: ReadonlyArray<Wait> = [
  { table: "mailboxes", column: "rests_until" },
  { table: "receiver_rests", column: "rests_until" },
  { table: "vendor_campaigns", column: "due_at" },
  { table: "vendor_campaigns", column: "held_until" },
  { table: "vendor_leads", column: "due_at" },
  // A reminder is due some time before its approval expires.
  { table: "approval_notices", column: "due_at", only: "state = 'waiting' AND (kind = 'asked' OR attempts > 0)" },
  { table: "approval_notices", column: "claimed_until" },
  { table: "sandbox_letters", column: "due_at" },
  { table: "sandbox_letters", column: "held_until" },
  { table: "interest_syncs", column: "due_at" },
  { table: "domain_watches", column: "next_look_at" },
  { table: "domain_looks", column: "next_look_at" },
  { table: "inbound_events", column: "received_at", only: "content IS NOT NULL" },
  { table: "inbound_events", column: "set_aside_at" },
  { table: "alerts", column: "mail_due_at" },
  { table: "sign_in_asks", column: "over_at" },
  ...WING_WAITS
]

/** What waits until a time of the database's clock. */
export const DATABASE_WAITS: ReadonlyArray<Wait> = [
  { table: "webhook_endpoints", column: "rests_until" },
  { table: "webhook_endpoints", column: "claimed_until" },
  { table: "webhook_deliveries", column: "due_at", only: "state = 'pending'" },
  { table: "follow_ups", column: "due_at", only: "answered_at IS NULL" },
  { table: "own_mailboxes", column: "held_until" }
]

/** When something happened by the service's clock: at the latest now. */
const SERVICE_STAMPS: ReadonlyArray<Wait> = [
  { table: "messages", column: "claimed_at" },
  { table: "messages", column: "sent_at" },
  { table: "mailboxes", column: "declared_at" },
  { table: "kills", column: "suspended_at" },
  { table: "kills", column: "cleared_at" },
  { table: "workspace_sending", column: "suspended_at" },
  ...WING_STAMPS
]

const interval = (millis: number): string => `interval '${millis} milliseconds'`

export const serviceSetBack = (
  sql: SqlClient,
  nowMillis: number,
  backMillis: number
): Effect.Effect<void, SqlError> => {
  const now = date(nowMillis)
  const back = sql.literal(interval(backMillis))

  const wait = ({ column, only = "true", table }: Wait) => sql`
    UPDATE ${sql.literal(table)} SET ${sql.literal(column)} = GREATEST(${now}, ${sql.literal(column)} - ${back})
    WHERE ${sql.literal(column)} > ${now} AND ${sql.literal(only)}
  `

  // After a message of that time, a lead waits on for as long as its step says. Before its first one, nothing says so.
  const leads = sql`
    WITH ahead AS (
      SELECT m.workspace_id, m.campaign_lead_id, max(COALESCE(m.sent_at, m.claimed_at)) AS at
      FROM workspaces w JOIN messages m ON m.workspace_id = w.workspace_id AND m.claimed_at > ${now}
      GROUP BY m.workspace_id, m.campaign_lead_id
    ), moved AS (
      SELECT l.workspace_id, l.campaign_lead_id,
        COALESCE(a.at - ${now}::timestamptz, ${back}) AS by
      FROM campaign_leads l
      LEFT JOIN ahead a ON a.workspace_id = l.workspace_id AND a.campaign_lead_id = l.campaign_lead_id
      WHERE l.next_at > ${now} AND (l.steps_sent = 0 OR a.at IS NOT NULL)
      ORDER BY l.workspace_id, l.campaign_lead_id
      FOR NO KEY UPDATE OF l
    )
    UPDATE campaign_leads l SET next_at = GREATEST(${now}, l.next_at - moved.by) FROM moved
    WHERE l.workspace_id = moved.workspace_id AND l.campaign_lead_id = moved.campaign_lead_id
  `

  // Over at once, so that the next round of windows looks for the first one from now on.
  const windows = sql`
    UPDATE campaigns SET window_opens_at = ${date(nowMillis - 2)}, window_closes_at = ${date(nowMillis - 1)}
    WHERE window_opens_at > ${now}
  `

  const ownWindows = sql`
    UPDATE campaign_windows SET opens_at = ${date(nowMillis - 2)}, closes_at = ${date(nowMillis - 1)}
    WHERE opens_at > ${now}
  `

  const stamp = ({ column, table }: Wait) => sql`
    UPDATE ${sql.literal(table)} SET ${sql.literal(column)} = ${now} WHERE ${sql.literal(column)} > ${now}
  `
  return Effect.all([leads, windows, ownWindows, ...SERVICE_WAITS.map(wait), ...SERVICE_STAMPS.map(stamp)], {
    discard: true
  })
}

export const databaseSetBack = (sql: SqlClient, backMillis: number): Effect.Effect<void, SqlError> => {
  const back = sql.literal(interval(backMillis))

  const wait = ({ column, only = "true", table }: Wait) => sql`
    UPDATE ${sql.literal(table)}
    SET ${sql.literal(column)} = GREATEST(clock_timestamp(), ${sql.literal(column)} - ${back})
    WHERE ${sql.literal(column)} > clock_timestamp() AND ${sql.literal(only)}
  `

  // A living host renews its lease in a moment. A dead one is found when a whole lease has passed.
  const hosts = sql`UPDATE hosts SET heartbeat_at = clock_timestamp() WHERE heartbeat_at > clock_timestamp()`

  // A job that was taken is put back where its host never came to hold it.
  const jobs = Effect.gen(function* () {
    const [installed] = yield* sql<{ readonly is: boolean }>`
      SELECT to_regclass('graphile_worker.jobs') IS NOT NULL AS is
    `
    if (installed?.is !== true) return
    yield* sql`
      SELECT moved.id FROM graphile_worker.jobs j CROSS JOIN LATERAL graphile_worker.reschedule_jobs(
        ARRAY[j.id], run_at => GREATEST(clock_timestamp(), j.run_at - ${back})
      ) moved
      WHERE j.locked_at IS NULL AND j.run_at > clock_timestamp()
    `
    yield* sql`
      SELECT count(work_announce(j.task_identifier, substr(j.key, length(j.task_identifier) + 2), 0))
      FROM graphile_worker.jobs j WHERE j.key IS NOT NULL AND j.locked_at > clock_timestamp()
    `
  })
  return Effect.all([...DATABASE_WAITS.map(wait), hosts, jobs], { discard: true })
}
