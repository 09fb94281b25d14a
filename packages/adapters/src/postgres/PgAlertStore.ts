import {
  type Alert,
  ALERT_KINDS,
  ALERT_REPEAT_MILLIS,
  type AlertKind,
  AlertStore,
  CAP_SHARES,
  THRESHOLD_LEAST,
  THRESHOLD_SHARE,
  type UnmailedAlert,
  WEBHOOK_FAILING_MILLIS
} from "@outbound/domain/control/alerts/AlertStore.js"
import { ALERTED_MILLIS } from "@outbound/domain/outreach/authentication/Look.js"
import { MISSING_LOOKS_MIN } from "@outbound/domain/outreach/reputation/DomainWatch.js"
import { monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { Credits, credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Schema } from "effect"
import { date, firstValue, Millis, rows, run } from "./Columns.js"
import { isOpenAlert } from "./openAlerts.js"
import type { Statement } from "./Sql.js"
import { chooserOf, columnsOf, givenOf, remove, storeLayer, texts, update, upsert } from "./Table.js"

const Kind = Schema.Literals(ALERT_KINDS)

const CauseRow = Schema.Struct({
  ...texts("workspaceId", "subject", "period", "name", "says")
})

const AlertRow = Schema.Struct({
  ...CauseRow.fields,
  kind: Kind,
  alertId: Schema.String,
  raisedAtMillis: Millis,
  mailedAtMillis: Schema.NullOr(Millis)
})

const ListedRow = Schema.Struct({ ...AlertRow.fields, isOpen: Schema.Boolean })

const UnmailedRow = Schema.Struct({
  ...AlertRow.fields,
  workspaceName: Schema.String,
  owners: Schema.Array(Schema.String)
})

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

const toUnmailed = ({ owners, workspaceName, ...alert }: typeof UnmailedRow.Type): UnmailedAlert => ({
  alert,
  owners,
  workspaceName
})

export const layer = storeLayer(AlertStore, (sql) => {
  const columns = sql.literal(columnsOf(AlertRow, "a"))

  const raised = givenOf(
    sql,
    "workspaceId uuid, alertId uuid, kind text, subject text, period text, name text, says text, raisedAtMillis bigint"
  )

  const watched = sql.literal("JOIN sending_domains d ON d.workspace_id = w.workspace_id AND d.domain_id = w.domain_id")

  /** The current conditions of each kind. Amounts are micro-credits. */
  const standing = (nowMillis: number): Readonly<Record<AlertKind, Statement.Fragment>> => ({
    low_balance: sql`
      SELECT c.workspace_id, 'balance' AS subject, added.entry_id::text AS period, '' AS name,
        c.available::text AS says
      FROM accounts c
      CROSS JOIN LATERAL (
        SELECT l.entry_id, l.amount FROM ledger_entries l
        WHERE l.workspace_id = c.workspace_id AND l.kind IN ('grant', 'top_up') AND l.amount > 0
        ORDER BY l.entry_id DESC
        LIMIT 1
      ) AS added
      LEFT JOIN alert_settings s ON s.workspace_id = c.workspace_id
      WHERE c.available < COALESCE(
        s.low_balance, GREATEST(added.amount * ${THRESHOLD_SHARE} / 100, ${String(credits(THRESHOLD_LEAST))}::bigint)
      )`,
    key_cap: sql`
      SELECT k.workspace_id, k.key_id::text || '/' || share AS subject, u.month AS period, k.name,
        share::text AS says
      FROM api_keys k
      JOIN key_usage u ON u.workspace_id = k.workspace_id AND u.key_id = k.key_id
        AND u.month = ${monthOf(nowMillis)}
      CROSS JOIN unnest(${[...CAP_SHARES]}::int[]) AS share
      WHERE k.state <> 'revoked' AND k.monthly_spend_cap > 0
        AND u.committed >= k.monthly_spend_cap * share / 100`,
    mailbox_paused: sql`
      SELECT w.workspace_id, e.detail->>'mailbox' AS subject, e.event_id::text AS period,
        e.detail->>'mailbox' AS name,
        COALESCE(e.detail->>'reason', '')
          || COALESCE(': ' || NULLIF(concat_ws(' ', e.detail->>'status', NULLIF(e.detail->>'says', '')), ''), '') AS says
      FROM workspaces w
      JOIN trail_events e ON e.workspace_id = w.workspace_id AND e.kind = 'mailbox_paused'
        AND e.observed_at > ${date(nowMillis - ALERT_REPEAT_MILLIS)}
      WHERE e.detail->>'mailbox' IS NOT NULL AND e.detail->>'reason' IS DISTINCT FROM 'owner'`,
    campaign_capacity: sql`
      SELECT w.workspace_id, e.campaign_id::text AS subject, e.event_id::text AS period, c.name, '' AS says
      FROM workspaces w
      JOIN trail_events e ON e.workspace_id = w.workspace_id AND e.kind = 'paused'
        AND e.observed_at > ${date(nowMillis - ALERT_REPEAT_MILLIS)}
      JOIN campaigns c ON c.workspace_id = e.workspace_id AND c.campaign_id = e.campaign_id
      WHERE e.detail->>'reason' = 'capacity'`,
    webhook_failing: sql`
      SELECT w.workspace_id, w.endpoint_id::text AS subject, ${dayOf(nowMillis)} AS period, w.url AS name,
        to_char(w.failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS says
      FROM webhook_endpoints w
      WHERE w.state = 'enabled' AND w.failing_since < ${date(nowMillis - WEBHOOK_FAILING_MILLIS)}`,
    payment_returned: sql`
      SELECT p.workspace_id, p.payment_id::text AS subject, p.returned_cents::text AS period, '' AS name,
        p.returned_cents::text AS says
      FROM payments p
      WHERE p.returned_cents > 0`,
    domain_records: sql`
      SELECT d.workspace_id, d.domain_id::text AS subject, (extract(epoch FROM d.since) * 1000)::bigint::text AS period,
        d.domain AS name, COALESCE(d.stopped, '') AS says
      FROM sending_domains d
      WHERE d.state = 'late' OR d.stopped IS NOT NULL`,
    records_missing: sql`
      SELECT w.workspace_id, w.domain_id::text AS subject, w.missing->>'sinceMillis' AS period, d.domain AS name,
        (SELECT string_agg(r.record, ', ') FROM jsonb_array_elements_text(w.missing->'records') AS r (record)) AS says
      FROM domain_watches w ${watched}
      WHERE (w.missing->>'looks')::int >= ${MISSING_LOOKS_MIN}`,
    dmarc_failing: sql`
      SELECT w.workspace_id, w.domain_id::text AS subject, w.failing->>'sinceMillis' AS period, d.domain AS name,
        concat(w.failing->>'failed', ' of ', w.failing->>'messages', ' messages') AS says
      FROM domain_watches w ${watched}
      WHERE w.failing IS NOT NULL`,
    blocklisted: sql`
      SELECT w.workspace_id, concat_ws('/', w.domain_id, l->>'zone', l->>'subject') AS subject,
        l->>'sinceMillis' AS period, l->>'subject' AS name,
        concat_ws(': ', l->>'zone', NULLIF(l->>'says', '')) AS says
      FROM domain_watches w CROSS JOIN LATERAL jsonb_array_elements(w.lists) AS l
      WHERE (l->>'isListed')::boolean`,
    delisted: sql`
      SELECT w.workspace_id, concat_ws('/', w.domain_id, l->>'zone', l->>'subject') AS subject,
        l->>'sinceMillis' AS period, l->>'subject' AS name, l->>'zone' AS says
      FROM domain_watches w CROSS JOIN LATERAL jsonb_array_elements(w.lists) AS l
      WHERE NOT (l->>'isListed')::boolean AND (l->>'wasListed')::boolean
        AND (l->>'sinceMillis')::bigint > ${nowMillis - ALERT_REPEAT_MILLIS}`,
    domain_not_authenticated: sql`
      SELECT k.workspace_id, k.domain AS subject, (extract(epoch FROM k.failing_since) * 1000)::bigint::text AS period,
        k.domain AS name, (
          SELECT string_agg(upper(c.name), ', ') FROM unnest(ARRAY['spf', 'dkim', 'dmarc']) AS c (name)
          WHERE k.findings->c.name->>'status' IN ('fail', 'missing')
        ) AS says
      FROM domain_looks k
      WHERE k.failing_since IS NOT NULL AND k.looked_at >= k.failing_since + ${ALERTED_MILLIS} * interval '1 millisecond'
        AND EXISTS (
          SELECT 1 FROM mailboxes b
          WHERE b.workspace_id = k.workspace_id AND b.domain = k.domain AND b.state = 'active'
        )`,
    bounces_high: sql`
      SELECT b.workspace_id, b.address AS subject, (extract(epoch FROM g.since) * 1000)::bigint::text AS period,
        b.address AS name, '' AS says
      FROM bounce_warnings g
      JOIN mailboxes b ON b.workspace_id = g.workspace_id AND b.mailbox_id = g.mailbox_id
      WHERE b.state = 'active'`,
    link_host: sql`
      SELECT h.workspace_id, h.host AS subject,
        COALESCE((extract(epoch FROM h.answered_at) * 1000)::bigint::text, '0') AS period, h.host AS name,
        COALESCE(h.trouble, '') AS says
      FROM link_hosts h WHERE h.state = 'failing'
      UNION ALL
      SELECT h.workspace_id, concat_ws('/', h.host, l->>'zone') AS subject,
        to_char(h.lists_asked_at AT TIME ZONE 'UTC', 'YYYY-MM') AS period, h.host AS name,
        concat_ws(': ', l->>'zone', NULLIF(l->>'says', '')) AS says
      FROM link_hosts h CROSS JOIN LATERAL jsonb_array_elements(h.listed) AS l
      WHERE h.state <> 'retired'`,
    person_asked: sql`
      SELECT q.workspace_id, concat_ws('/', q.campaign_lead_id, q.ask) AS subject,
        (extract(epoch FROM q.asked_at) * 1000)::bigint::text AS period, '' AS name, q.ask AS says
      FROM person_requests q
      JOIN campaign_leads l ON l.workspace_id = q.workspace_id AND l.campaign_lead_id = q.campaign_lead_id
      WHERE q.met_at IS NULL AND l.email <> ''`
  })

  return {
    causes: (kind, nowMillis, limit) =>
      sql`
        SELECT f.workspace_id AS "workspaceId", f.subject, f.period, f.name, f.says
        FROM (${standing(nowMillis)[kind]}) AS f
        WHERE NOT EXISTS (
          SELECT 1 FROM alerts a
          WHERE a.workspace_id = f.workspace_id AND a.kind = ${kind} AND a.subject = f.subject
            AND (a.period = f.period OR a.raised_at > ${date(nowMillis - ALERT_REPEAT_MILLIS)})
        )
        LIMIT ${limit}
      `.pipe(
        rows("alerts.causes", CauseRow, (cause) => ({
          ...cause,
          kind,
          says: kind === "low_balance" ? format(BigInt(cause.says)) : cause.says
        }))
      ),

    raise: (alerts) =>
      alerts.length === 0
        ? Effect.void
        : sql`
            INSERT INTO alerts (${raised.columns}, mail_due_at)
            SELECT ${raised.values}, to_timestamp(g."raisedAtMillis" / 1000.0) FROM ${raised.from(alerts)}
            ORDER BY g."workspaceId", g.kind, g.subject, g.period
            ON CONFLICT (workspace_id, kind, subject, period) DO NOTHING
          `.pipe(run("alerts.raise")),

    list: (workspaceId, nowMillis, limit, before) =>
      sql`
        SELECT ${columns}, ${isOpenAlert(sql, nowMillis)} AS "isOpen" FROM alerts a
        WHERE a.workspace_id = ${workspaceId}
          ${before === null ? sql.literal("") : sql`AND a.alert_id < ${before}::uuid`}
        ORDER BY a.alert_id DESC
        LIMIT ${limit}
      `.pipe(rows("alerts.list", ListedRow)),

    takeUnmailed: ({ attemptsMax, limit, nowMillis, retryMillis, sinceMillis }) =>
      sql`
        WITH due AS (
          SELECT a.workspace_id, a.alert_id FROM alerts a
          WHERE a.mailed_at IS NULL AND a.mail_due_at <= ${date(nowMillis)} AND a.attempts < ${attemptsMax}
            AND a.raised_at > ${date(sinceMillis)}
          ORDER BY a.mail_due_at
          LIMIT ${limit}
          FOR NO KEY UPDATE SKIP LOCKED
        )
        UPDATE alerts a SET attempts = a.attempts + 1, mail_due_at = ${date(nowMillis + retryMillis)}
        FROM due JOIN workspaces w ON w.workspace_id = due.workspace_id
        WHERE a.workspace_id = due.workspace_id AND a.alert_id = due.alert_id
        RETURNING ${columns}, w.name AS "workspaceName", ARRAY(
          SELECT u.email FROM memberships m JOIN users u ON u.user_id = m.user_id
          WHERE m.workspace_id = a.workspace_id AND m.role = 'owner' ORDER BY u.email
        ) AS owners
      `.pipe(rows("alerts.takeUnmailed", UnmailedRow, toUnmailed)),

    markMailed: ({ alertId, workspaceId }: Alert, nowMillis) =>
      update(sql, "alerts", { workspaceId, alertId }, { mailedAtMillis: nowMillis }).pipe(run("alerts.markMailed")),

    purge: (beforeMillis, limit) =>
      chooserOf(sql, "alerts a", ["workspace_id", "alert_id"]).remove("alerts.purge")(sql`
        a.raised_at < ${date(beforeMillis)} ORDER BY a.raised_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      `),

    threshold: (workspaceId) =>
      sql`
        SELECT s.low_balance FROM alert_settings s WHERE s.workspace_id = ${workspaceId}
      `.pipe(firstValue("alerts.threshold", Credits, null)),

    setThreshold: (workspaceId, threshold) =>
      (threshold === null
        ? remove(sql, "alert_settings", { workspaceId })
        : upsert(sql, "alert_settings", ["workspace_id"], { workspace_id: workspaceId, low_balance: threshold })
      ).pipe(run("alerts.setThreshold"))
  }
})
