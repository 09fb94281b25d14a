import type { Migration } from "./Migration.js"

/** So many new rows of a campaign are made into few. */
const UNFOLDED_MAX = 200

/**
 * When the last message left to lead `l`. Its messages are few: with a filter no planner looks for it among all that the
 * workspace sent, latest first.
 */
const LAST_SENT_AT = (l: string) => `(
    SELECT max(m.sent_at) FILTER (WHERE m.state = 'sent') FROM messages m
    WHERE m.workspace_id = ${l}.workspace_id AND m.campaign_lead_id = ${l}.campaign_lead_id
  )`

const DAY = "(l.last_sent_at AT TIME ZONE 'UTC')::date"

const reached = (table: string, sign: string) => `
  SELECT l.workspace_id, l.campaign_id, ${DAY} AS day, l.state, l.interest_status, l.said_interested, ${sign} AS people
  FROM ${table} l WHERE l.steps_sent > 0`

const counted = (rows: string, isFolded = false) => `
  INSERT INTO campaign_day_counts (workspace_id, campaign_id, day, state, interest_status, said_interested, people, is_folded)
  SELECT t.workspace_id, t.campaign_id, t.day, t.state, t.interest_status, t.said_interested, sum(t.people), ${isFolded}
  FROM (${rows}) t GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(t.people) <> 0;`

/**
 * Leads know when their last message left, and whether they said that they are interested: so what a campaign counts of
 * them follows from their row alone. A sent message writes its lead anyway, which remembers the time then. Only other ways
 * for a message to be sent at a time (a vendor's, a kill's) write the lead for it.
 *
 * The counts are kept as those of migration `campaign_counts`: a write adds rows with what it changed, and waits for nobody.
 */
export const campaignDayCounts: Migration = {
  id: 84,
  name: "campaign_day_counts",
  note: "How many people a campaign reached, by the day of their last message and by what became of them, is kept by the statements that change leads.",
  stalls: "Sending and imports of leads wait while leads to whom a message left learn when.",
  sql: `
LOCK TABLE campaign_leads, messages, replies IN SHARE ROW EXCLUSIVE MODE;

ALTER TABLE campaign_leads ADD COLUMN last_sent_at timestamptz;
ALTER TABLE campaign_leads ADD COLUMN said_interested boolean NOT NULL DEFAULT false;

CREATE TABLE campaign_day_counts (
  workspace_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  -- Of their last message (UTC).
  day date,
  state text NOT NULL,
  interest_status text,
  said_interested boolean NOT NULL,
  people bigint NOT NULL,
  is_folded boolean NOT NULL
);

-- What it counts doesn't change.
ALTER TABLE campaign_leads DISABLE TRIGGER counted_changed;
UPDATE campaign_leads l SET last_sent_at = left_to.at
FROM (
  SELECT m.workspace_id, m.campaign_lead_id, max(m.sent_at) AS at FROM messages m WHERE m.state = 'sent' GROUP BY 1, 2
) left_to
WHERE l.workspace_id = left_to.workspace_id AND l.campaign_lead_id = left_to.campaign_lead_id;
UPDATE campaign_leads l SET said_interested = true
FROM (SELECT DISTINCT r.workspace_id, r.campaign_lead_id FROM replies r WHERE r.classification = 'interested') said
WHERE l.workspace_id = said.workspace_id AND l.campaign_lead_id = said.campaign_lead_id;
ALTER TABLE campaign_leads ENABLE TRIGGER counted_changed;
${counted(reached("campaign_leads", "1"), true)}
CREATE INDEX campaign_day_counts_of_campaign ON campaign_day_counts (workspace_id, campaign_id, day);
CREATE INDEX campaign_day_counts_unfolded ON campaign_day_counts (workspace_id, campaign_id) WHERE NOT is_folded;

CREATE FUNCTION remember_last_sent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.last_sent_at := ${LAST_SENT_AT("NEW")};
  RETURN NEW;
END $$;
CREATE TRIGGER remembers_last_sent BEFORE UPDATE OF steps_sent ON campaign_leads
  FOR EACH ROW WHEN (NEW.steps_sent <> OLD.steps_sent) EXECUTE FUNCTION remember_last_sent();

CREATE FUNCTION tell_last_sent() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  at timestamptz := ${LAST_SENT_AT("NEW")};
BEGIN
  UPDATE campaign_leads l SET last_sent_at = at
  WHERE l.workspace_id = NEW.workspace_id AND l.campaign_lead_id = NEW.campaign_lead_id AND l.last_sent_at IS DISTINCT FROM at;
  RETURN NULL;
END $$;
CREATE TRIGGER tells_sent AFTER INSERT ON messages
  FOR EACH ROW WHEN (NEW.state = 'sent') EXECUTE FUNCTION tell_last_sent();
CREATE TRIGGER tells_sent_otherwise AFTER UPDATE OF sent_at ON messages
  FOR EACH ROW WHEN (OLD.state = 'sent' AND NEW.sent_at IS DISTINCT FROM OLD.sent_at) EXECUTE FUNCTION tell_last_sent();

CREATE FUNCTION tell_interested() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  said boolean := NEW.classification IS NOT DISTINCT FROM 'interested';
BEGIN
  IF NOT said THEN
    said := EXISTS (
      SELECT FROM replies r
      WHERE r.workspace_id = NEW.workspace_id AND r.campaign_lead_id = NEW.campaign_lead_id AND r.classification = 'interested'
    );
  END IF;
  UPDATE campaign_leads l SET said_interested = said
  WHERE l.workspace_id = NEW.workspace_id AND l.campaign_lead_id = NEW.campaign_lead_id AND l.said_interested <> said;
  RETURN NULL;
END $$;
CREATE TRIGGER tells_interested AFTER INSERT ON replies
  FOR EACH ROW WHEN (NEW.classification = 'interested') EXECUTE FUNCTION tell_interested();
CREATE TRIGGER tells_otherwise AFTER UPDATE OF classification ON replies
  FOR EACH ROW WHEN ((NEW.classification = 'interested') IS DISTINCT FROM (OLD.classification = 'interested'))
  EXECUTE FUNCTION tell_interested();

CREATE FUNCTION fold_campaign_day_counts(workspace uuid, campaign uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (
    SELECT count(*) FROM (
      SELECT FROM campaign_day_counts c WHERE c.workspace_id = workspace AND c.campaign_id = campaign AND NOT c.is_folded
      LIMIT ${UNFOLDED_MAX}
    ) few
  ) < ${UNFOLDED_MAX} THEN RETURN; END IF;
  WITH mine AS MATERIALIZED (
    SELECT c.ctid AS at FROM campaign_day_counts c WHERE c.workspace_id = workspace AND c.campaign_id = campaign
    FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM campaign_day_counts c USING mine WHERE c.ctid = mine.at RETURNING c.*
  )
  INSERT INTO campaign_day_counts (workspace_id, campaign_id, day, state, interest_status, said_interested, people, is_folded)
  SELECT g.workspace_id, g.campaign_id, g.day, g.state, g.interest_status, g.said_interested, sum(g.people), true
  FROM gone g GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(g.people) <> 0;
END $$;

CREATE FUNCTION count_campaign_day_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    ${counted(reached("rows_before", "-1"))}
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN ${counted(reached("rows_after", "1"))}
  ELSE ${counted(`${reached("rows_after", "1")} UNION ALL ${reached("rows_before", "-1")}`)}
  END IF;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM fold_campaign_day_counts(t.workspace_id, t.campaign_id)
  FROM (SELECT DISTINCT workspace_id, campaign_id FROM rows_after) t;
  RETURN NULL;
END $$;
CREATE TRIGGER day_counted_added AFTER INSERT ON campaign_leads
  REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_day_counts();
CREATE TRIGGER day_counted_changed AFTER UPDATE ON campaign_leads
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_day_counts();
CREATE TRIGGER day_counted_gone AFTER DELETE ON campaign_leads
  REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION count_campaign_day_counts();
`
}
