import {
  type AlertKind,
  CAP_SHARES,
  THRESHOLD_LEAST,
  THRESHOLD_SHARE,
  WEBHOOK_FAILING_MILLIS
} from "@outbound/domain/control/alerts/AlertStore.js"
import { monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { date, literals } from "./Columns.js"
import type { SqlClient, Statement } from "./Sql.js"

const UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"

/** Whether the condition of alert `a` still holds, per kind. Each looks up rows by key. */
const stands = (sql: SqlClient, nowMillis: number): Readonly<Record<AlertKind, Statement.Fragment>> => ({
  // Compares with the top-up that the alert was raised for. Finding a later one would need a search.
  low_balance: sql`
    SELECT 1 FROM accounts c
    JOIN ledger_entries l ON l.workspace_id = c.workspace_id AND l.kind IN ('grant', 'top_up')
      AND l.entry_id = CASE WHEN a.period ~ ${UUID} THEN a.period::uuid END
    LEFT JOIN alert_settings s ON s.workspace_id = c.workspace_id
    WHERE c.workspace_id = a.workspace_id AND c.available < COALESCE(
      s.low_balance, GREATEST(l.amount * ${THRESHOLD_SHARE} / 100, ${String(credits(THRESHOLD_LEAST))}::bigint)
    )`,
  // Only the highest share that the key has reached.
  key_cap: sql`
    SELECT 1 FROM api_keys k
    JOIN key_usage u ON u.workspace_id = k.workspace_id AND u.key_id = k.key_id AND u.month = ${monthOf(nowMillis)}
    WHERE k.workspace_id = a.workspace_id AND k.key_id = split_part(a.subject, '/', 1)::uuid AND u.month = a.period
      AND k.state <> 'revoked' AND k.monthly_spend_cap > 0
      AND split_part(a.subject, '/', 2)::int = (
        SELECT max(share) FROM unnest(${[...CAP_SHARES]}::int[]) AS share
        WHERE u.committed >= k.monthly_spend_cap * share / 100
      )`,
  mailbox_paused: sql`
    SELECT 1 FROM mailboxes m
    WHERE m.workspace_id = a.workspace_id AND m.address = a.subject AND m.state = 'paused' AND m.pause_reason <> 'owner'`,
  campaign_capacity: sql`
    SELECT 1 FROM campaigns p
    WHERE p.workspace_id = a.workspace_id AND p.campaign_id = a.subject::uuid AND p.state = 'paused'
      AND p.pause_reason = 'capacity'`,
  webhook_failing: sql`
    SELECT 1 FROM webhook_endpoints w
    WHERE w.workspace_id = a.workspace_id AND w.endpoint_id = a.subject::uuid AND w.state = 'enabled'
      AND w.failing_since < ${date(nowMillis - WEBHOOK_FAILING_MILLIS)}`,
  // As long as some of its credits could not be taken.
  payment_returned: sql`
    SELECT 1 FROM payments p
    WHERE p.workspace_id = a.workspace_id AND p.payment_id = a.subject::uuid
      AND p.taken_back < p.credits * p.returned_cents / p.cents`,
  domain_records: sql`
    SELECT 1 FROM sending_domains d
    WHERE d.workspace_id = a.workspace_id AND d.domain_id = a.subject::uuid
      AND (d.state = 'late' OR d.stopped IS NOT NULL)`,
  records_missing: sql`
    SELECT 1 FROM domain_watches w
    WHERE w.workspace_id = a.workspace_id AND w.domain_id = a.subject::uuid AND w.missing IS NOT NULL`,
  dmarc_failing: sql`
    SELECT 1 FROM domain_watches w
    WHERE w.workspace_id = a.workspace_id AND w.domain_id = a.subject::uuid AND w.failing IS NOT NULL`,
  blocklisted: sql`
    SELECT 1 FROM domain_watches w CROSS JOIN LATERAL jsonb_array_elements(w.lists) AS l
    WHERE w.workspace_id = a.workspace_id AND w.domain_id = split_part(a.subject, '/', 1)::uuid
      AND (l->>'isListed')::boolean AND l->>'zone' = split_part(a.subject, '/', 2)
      AND l->>'subject' = split_part(a.subject, '/', 3)`,
  domain_not_authenticated: sql`
    SELECT 1 FROM domain_looks k
    WHERE k.workspace_id = a.workspace_id AND k.domain = a.subject AND k.failing_since IS NOT NULL`,
  bounces_high: sql`
    SELECT 1 FROM mailboxes m
    JOIN bounce_warnings g ON g.workspace_id = m.workspace_id AND g.mailbox_id = m.mailbox_id
    WHERE m.workspace_id = a.workspace_id AND m.address = a.subject AND m.state = 'active'`,
  link_host: sql`
    SELECT 1 FROM link_hosts h
    WHERE h.workspace_id = a.workspace_id AND h.host = split_part(a.subject, '/', 1)
      AND h.state <> 'retired'
      AND CASE WHEN a.subject LIKE '%/%'
        THEN EXISTS (
          SELECT 1 FROM jsonb_array_elements(h.listed) AS l WHERE l->>'zone' = split_part(a.subject, '/', 2)
        )
        ELSE h.state = 'failing' END`,
  person_asked: sql`
    SELECT 1 FROM person_requests q
    JOIN campaign_leads l ON l.workspace_id = q.workspace_id AND l.campaign_lead_id = q.campaign_lead_id
    WHERE q.workspace_id = a.workspace_id AND q.campaign_lead_id = split_part(a.subject, '/', 1)::uuid
      AND q.ask = split_part(a.subject, '/', 2) AND q.met_at IS NULL AND l.email <> ''`,
  // Good news asks for nothing.
  delisted: sql`SELECT 1 WHERE false`
})

/** Whether alert `a` is its subject's newest and its condition still holds. */
export const isOpenAlert = (sql: SqlClient, nowMillis: number): Statement.Fragment => {
  const cases = Object.entries(stands(sql, nowMillis)).map(
    ([kind, holds]) => sql`WHEN ${sql.literal(literals([kind]))} THEN EXISTS (${holds})`
  )
  return sql`(
    CASE a.kind ${sql.join(" ", false)(cases)} END
    AND NOT EXISTS (
      SELECT 1 FROM alerts n
      WHERE n.workspace_id = a.workspace_id AND n.kind = a.kind AND n.alert_id > a.alert_id
        AND n.subject = a.subject
    )
  )`
}
