import type { Migration } from "./Migration.js"

/** What lead `l` adds to its campaign's counts. */
export const OF_LEAD = `(VALUES
    ('lead', -1, NULL::smallint, l.state, 1),
    ('contacted', -1, NULL, '', (l.steps_sent > 0)::integer),
    ('sent', -1, NULL, coalesce(l.mailbox_id::text, ''), l.steps_sent),
    ('of_mailbox', -1, NULL, coalesce(l.mailbox_id::text, ''), 1),
    ('last', l.steps_sent - 1, l.last_variant, l.state, (l.steps_sent > 0)::integer),
    ('wants_more', l.steps_sent - 1, l.last_variant, '',
      (l.steps_sent > 0 AND l.interest_status IN ('interested', 'meeting_booked', 'won'))::integer),
    ('meets', l.steps_sent - 1, l.last_variant, '',
      (l.steps_sent > 0 AND l.interest_status IN ('meeting_booked', 'won'))::integer),
    ('covered', -1, NULL, coalesce(l.mailbox_id::text, ''), (l.is_open AND l.approval_id IS NOT NULL)::integer),
    ('uncovered', -1, NULL, '', (l.is_open AND l.approval_id IS NULL)::integer),
    ('unconfirmed', -1, NULL, '', (l.is_open AND l.approval_id IS NOT NULL AND l.state = 'pending')::integer),
    ('hours', -1, NULL, coalesce(l.hours, ''), l.is_open::integer)
  ) AS g (what, step, variant, key, n)`

/** What message `m` adds. */
const OF_MESSAGE = `(VALUES
    ('message', m.step_index, m.variant, m.state, 1),
    ('day', -1, NULL, coalesce((m.sent_at AT TIME ZONE 'UTC')::date::text, ''), (m.state = 'sent')::integer)
  ) AS g (what, step, variant, key, n)`

export const leadsOf = (table: string, sign: string) => `
  SELECT workspace_id, campaign_id, state, steps_sent, last_variant, interest_status, mailbox_id, approval_id, hours,
    state IN ('pending', 'ready', 'active') AND steps_sent < steps AS is_open, ${sign} AS sign
  FROM ${table}`

const messagesOf = (table: string, sign: string) => `
  SELECT workspace_id, campaign_id, step_index, variant, state, sent_at, ${sign} AS sign FROM ${table}`

export const counted = (alias: string, rows: string, of: string, folded = false) => `
  INSERT INTO campaign_counts (workspace_id, campaign_id, what, step, variant, key, n, is_folded)
  SELECT ${alias}.workspace_id, ${alias}.campaign_id, g.what, g.step, g.variant, g.key, sum(${alias}.sign * g.n), ${folded}
  FROM (${rows}) AS ${alias} CROSS JOIN LATERAL ${of}
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(${alias}.sign * g.n) <> 0;`

type RowsOf = (table: string, sign: string) => string

/** What counts what a statement changed. */
export const countFunction = (
  table: string,
  rowsOf: RowsOf,
  alias: string,
  of: string
) => `count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN ${counted(alias, rowsOf("rows_after", "1"), of)}
    PERFORM fold_campaign_counts(t.workspace_id, t.campaign_id)
    FROM (SELECT DISTINCT workspace_id, campaign_id FROM rows_after) t;
  ELSIF TG_OP = 'UPDATE' THEN ${counted(alias, `${rowsOf("rows_after", "1")} UNION ALL ${rowsOf("rows_before", "-1")}`, of)}
    PERFORM fold_campaign_counts(t.workspace_id, t.campaign_id)
    FROM (SELECT DISTINCT workspace_id, campaign_id FROM rows_after) t;
  ELSE ${counted(alias, rowsOf("rows_before", "-1"), of)}
  END IF;
  RETURN NULL;
END $$;`

/** The function, and the triggers that call it. */
const keeping = (table: string, rowsOf: RowsOf, alias: string, of: string) => `
CREATE FUNCTION ${countFunction(table, rowsOf, alias, of)}
CREATE TRIGGER counted_added AFTER INSERT ON ${table}
  REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE TRIGGER counted_changed AFTER UPDATE ON ${table}
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
CREATE TRIGGER counted_gone AFTER DELETE ON ${table}
  REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
`

/**
 * A write adds rows with what it changed, and waits for nobody. The one that finds many of them adds them up into one row
 * each; it skips those that another is adding up. So a campaign's counts are few rows, and always exact.
 */
export const campaignCounts: Migration = {
  id: 49,
  name: "campaign_counts",
  note: "How many leads and messages of a campaign are where is kept by the statements that change them.",
  stalls: "Sending and imports of leads wait while the leads and messages that are there are counted.",
  indexes: [
    {
      name: "replies_interested",
      definition: "ON replies (workspace_id, campaign_id, campaign_lead_id) WHERE classification = 'interested'"
    },
    { name: "campaigns_by_time", definition: "ON campaigns (workspace_id, created_at, campaign_id)" }
  ],
  sql: `
LOCK TABLE campaign_leads, messages IN SHARE ROW EXCLUSIVE MODE;

-- The variant of the last message that the person was sent.
ALTER TABLE campaign_leads ADD COLUMN last_variant smallint;
UPDATE campaign_leads l SET last_variant = m.variant
FROM messages m
WHERE l.variants IS NOT NULL AND m.workspace_id = l.workspace_id AND m.campaign_lead_id = l.campaign_lead_id
  AND m.step_index = l.steps_sent - 1 AND m.state = 'sent' AND m.variant IS NOT NULL;
CREATE FUNCTION remember_last_variant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_variant := (
    SELECT m.variant FROM messages m
    WHERE m.workspace_id = NEW.workspace_id AND m.campaign_lead_id = NEW.campaign_lead_id
      AND m.step_index = NEW.steps_sent - 1 AND m.state = 'sent'
  );
  RETURN NEW;
END $$;
CREATE TRIGGER remembers_last_variant BEFORE UPDATE OF steps_sent ON campaign_leads
  FOR EACH ROW WHEN (NEW.variants IS NOT NULL AND NEW.steps_sent <> OLD.steps_sent)
  EXECUTE FUNCTION remember_last_variant();

CREATE TABLE campaign_counts (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  what text NOT NULL,
  step integer NOT NULL,
  variant smallint,
  key text NOT NULL,
  n bigint NOT NULL,
  is_folded boolean NOT NULL
);
CREATE INDEX campaign_counts_of_campaign ON campaign_counts (workspace_id, campaign_id, what);
CREATE INDEX campaign_counts_unfolded ON campaign_counts (workspace_id, campaign_id) WHERE NOT is_folded;

CREATE FUNCTION fold_campaign_counts(workspace uuid, campaign uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (
    SELECT count(*) FROM (
      SELECT FROM campaign_counts c WHERE c.workspace_id = workspace AND c.campaign_id = campaign AND NOT c.is_folded LIMIT 100
    ) few
  ) < 100 THEN RETURN; END IF;
  WITH mine AS MATERIALIZED (
    SELECT c.ctid AS at FROM campaign_counts c
    WHERE c.workspace_id = workspace AND c.campaign_id = campaign
    FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM campaign_counts c USING mine WHERE c.ctid = mine.at RETURNING c.*
  )
  INSERT INTO campaign_counts (workspace_id, campaign_id, what, step, variant, key, n, is_folded)
  SELECT g.workspace_id, g.campaign_id, g.what, g.step, g.variant, g.key, sum(g.n), true FROM gone g
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(g.n) <> 0;
END $$;
${counted("l", leadsOf("campaign_leads", "1"), OF_LEAD, true)}
${counted("m", messagesOf("messages", "1"), OF_MESSAGE, true)}
${keeping("campaign_leads", leadsOf, "l", OF_LEAD)}
${keeping("messages", messagesOf, "m", OF_MESSAGE)}
`
}
