import { LEASE_MILLIS } from "@outbound/domain/calls/CallJournal.js"
import { ApprovalMachine } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import { SENDING_MAX, TURN_MILLIS_MAX } from "@outbound/domain/calls/approvals/notices/NoticeStore.js"
import { ROUND_NAMES, type RoundName } from "@outbound/domain/kernel/ports/WorkSignals.js"
import { SEAL_AFTER_MILLIS } from "@outbound/domain/kernel/trail/SealStore.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { LeadMachine } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { SET_ASIDE_MILLIS } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { ASKED_WITHIN_MILLIS } from "@outbound/domain/outreach/replies/Judging.js"
import { CLAIM_STALE_MILLIS, OWN_CLAIM_STALE_MILLIS } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { type Effect, Schema } from "effect"
import { SENDABLE_LEAD } from "../postgres/CampaignRows.js"
import { date, literals, rows } from "../postgres/Columns.js"
import type { SqlClient } from "../postgres/Sql.js"

const millis = (count: number): string => `interval '${count} milliseconds'`

/** The first due lead that satisfies the condition, of each active campaign `c` (and its windows `w`, if joined). */
const firstLead = (condition: string, from = "campaigns c"): string => `
  ${from} CROSS JOIN LATERAL (
    SELECT l.next_at FROM campaign_leads l
    WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id AND l.next_at IS NOT NULL
      AND ${SENDABLE_LEAD} AND ${condition}
    ORDER BY l.next_at LIMIT 1
  ) first
  WHERE c.state = 'active'
`

const THEIR_WINDOWS = `
  campaigns c JOIN campaign_windows w ON w.workspace_id = c.workspace_id AND w.campaign_id = c.campaign_id
`

const HAS_MAILBOX = `
  EXISTS (
    SELECT 1 FROM mailboxes b
    WHERE b.workspace_id = c.workspace_id AND b.state = 'active' AND b.kind = 'purchased'
  )
`

/**
 * When each round may first find something, by the host's clock (`now.at`). A time may be too early, which costs a
 * round for nothing; it is never too late.
 */
const BY_HOST_CLOCK: Readonly<Record<Exclude<RoundName, "calls" | "webhooks">, string>> = {
  approvals: `SELECT min(a.expires_at) FROM approvals a WHERE a.state IN (${literals(ApprovalMachine.in.open)})`,
  completion: `
    SELECT now.at WHERE EXISTS (
      SELECT 1 FROM campaigns c WHERE c.state = 'active' AND NOT EXISTS (
        SELECT 1 FROM campaign_leads l
        WHERE l.workspace_id = c.workspace_id AND l.campaign_id = c.campaign_id
          AND l.state IN (${literals(LeadMachine.in.open)})
      )
    )
  `,
  forbidden: `SELECT min(first.next_at) FROM ${firstLead("true")}`,
  interest: `SELECT min(s.due_at) FROM interest_syncs s`,
  judging: `
    SELECT now.at WHERE EXISTS (
      SELECT 1 FROM workspaces w JOIN replies r ON r.workspace_id = w.workspace_id
      WHERE w.kind = 'live' AND r.classification IS NULL AND r.received_at >= now.at - ${millis(ASKED_WITHIN_MILLIS)}
    )
  `,
  letters: `SELECT min(GREATEST(s.due_at, s.held_until)) FROM sandbox_letters s`,
  mail: `
    SELECT LEAST(
      (
        SELECT min(GREATEST(i.received_at, i.set_aside_at + ${millis(SET_ASIDE_MILLIS)})) FROM inbound_events i
        WHERE i.content IS NOT NULL
      ),
      (
        SELECT min(GREATEST(first.next_at, c.window_opens_at))
        FROM ${firstLead("(l.hours IS NULL OR c.window_opens_at IS NULL)")} AND ${HAS_MAILBOX}
      ),
      (
        SELECT min(GREATEST(first.next_at, w.opens_at))
        FROM ${firstLead("l.hours = w.hours", THEIR_WINDOWS)} AND ${HAS_MAILBOX}
      )
    )
  `,
  // They are leased again and again, so while there is one it is always time.
  mailboxes: `SELECT now.at WHERE EXISTS (SELECT 1 FROM own_mailboxes)`,
  notices: `
    SELECT LEAST(
      (
        SELECT min(GREATEST(n.due_at, sending.until)) FROM approval_notices n CROSS JOIN LATERAL (
          SELECT CASE WHEN count(*) < ${SENDING_MAX} THEN max(o.attempted_at) + ${millis(TURN_MILLIS_MAX)}
            ELSE min(o.claimed_until) END AS until
          FROM approval_notices o
          WHERE o.workspace_id = n.workspace_id AND o.recipient = n.recipient AND o.state = 'sending'
        ) sending
        WHERE n.state = 'waiting'
      ),
      (SELECT min(n.claimed_until) FROM approval_notices n WHERE n.state = 'sending')
    )
  `,
  payments: `SELECT min(p.next_look_at) FROM payments p`,
  // Nobody signals an event: it may wait for the next look anyway.
  seals: `
    SELECT LEAST(
      (SELECT min(e.observed_at) + ${millis(SEAL_AFTER_MILLIS)} FROM trail_events e WHERE e.seal IS NULL),
      (SELECT now.at WHERE EXISTS (
        SELECT 1 FROM trail_events e WHERE e.seal IS NULL AND e.observed_at >= now.at + ${millis(SEAL_AFTER_MILLIS)}
      ))
    )
  `,
  sequences: `
    SELECT LEAST(
      (SELECT min(l.next_at) FROM campaign_leads l WHERE l.state = 'active' AND l.steps_sent >= l.steps),
      (
        SELECT min(m.claimed_at + CASE b.kind WHEN 'own' THEN ${millis(OWN_CLAIM_STALE_MILLIS)}
          ELSE ${millis(CLAIM_STALE_MILLIS)} END)
        FROM messages m JOIN mailboxes b ON b.workspace_id = m.workspace_id AND b.mailbox_id = m.mailbox_id
        WHERE m.state = 'claimed'
      )
    )
  `,
  upkeep: `
    SELECT LEAST(
      (SELECT min(b.upkeep_paid_until) FROM mailboxes b WHERE b.state = 'active'),
      (SELECT now.at WHERE EXISTS (
        SELECT 1 FROM mailboxes b WHERE b.state = 'paused' AND b.pause_reason = 'upkeep'
      ))
    )
  `,
  vendors: `SELECT min(GREATEST(v.due_at, v.held_until)) FROM vendor_campaigns v WHERE v.due_at IS NOT NULL`,
  windows: `
    SELECT LEAST(
      (SELECT min(c.window_closes_at) FROM campaigns c WHERE c.state = 'active'),
      (
        SELECT min(w.closes_at) FROM ${THEIR_WINDOWS} WHERE c.state = 'active'
      )
    )
  `
}

/** The same by the database's clock. */
const BY_DATABASE_CLOCK: Readonly<Record<"calls" | "webhooks", string>> = {
  calls: `
    SELECT LEAST(
      (SELECT min(h.heartbeat_at) + ${millis(LEASE_MILLIS)} FROM hosts h),
      (SELECT now() WHERE EXISTS (
        SELECT 1 FROM open_calls o WHERE NOT EXISTS (SELECT 1 FROM hosts h WHERE h.incarnation = o.incarnation)
      ))
    )
  `,
  webhooks: `
    SELECT min(GREATEST(first.due_at, e.rests_until, e.claimed_until))
    FROM webhook_endpoints e CROSS JOIN LATERAL (
      SELECT min(CASE WHEN d.attempted_at < e.recovered_at THEN d.created_at ELSE d.due_at END) AS due_at
      FROM webhook_deliveries d
      WHERE d.workspace_id = e.workspace_id AND d.endpoint_id = e.endpoint_id AND d.state = 'pending'
    ) first
    WHERE e.state = 'enabled' AND first.due_at IS NOT NULL
  `
}

const inMillis = (name: string, due: string, from: string): string =>
  `SELECT '${name}' AS round, (extract(epoch FROM (${due}) - ${from}) * 1000)::float8 AS "inMillis" FROM now`

const textOf = (name: RoundName): string =>
  name === "calls" || name === "webhooks"
    ? inMillis(name, BY_DATABASE_CLOCK[name], "clock_timestamp()")
    : inMillis(name, BY_HOST_CLOCK[name], "now.at")

const DueRow = Schema.Struct({ round: Schema.Literals(ROUND_NAMES), inMillis: Schema.NullOr(Schema.Number) })

export type DueTimes = ReadonlyArray<typeof DueRow.Type>

/** In how long each of the rounds may find something, in one statement; null: only once rows are written. */
export const dueTimes = (
  sql: SqlClient,
  nowMillis: number,
  names: ReadonlyArray<RoundName> = ROUND_NAMES
): Effect.Effect<DueTimes, StoreUnavailable> =>
  sql`WITH now AS (SELECT ${date(nowMillis)}::timestamptz AS at) ${sql.literal(names.map(textOf).join("\nUNION ALL\n"))}`.pipe(
    rows("work.dueTimes", DueRow)
  )
