import type { Migration } from "./Migration.js"

const DAY = "floor(extract(epoch FROM t.claimed_at) / 86400)::integer"

/** Messages of a table, with what each counts for. */
const usesIn = (table: string, sign: string, where = "") => `
  SELECT t.workspace_id, t.mailbox_id, t.receiver, ${DAY} AS day, ${sign} * (t.state <> 'failed')::integer AS taken,
    ${sign} * (t.state = 'sent' AND t.outcome IS NULL)::integer AS delivered,
    ${sign} * (t.state = 'sent' AND t.outcome IS NOT DISTINCT FROM 'hard_bounce')::integer AS bounced,
    ${sign} * (t.state = 'sent' AND t.outcome IS NOT DISTINCT FROM 'complaint')::integer AS complained
  FROM ${table} t ${where}`

/**
 * What messages add to whom: to the workspace (sender '') and their mailbox what is taken; to an own mailbox and its domain,
 * in all (receiver '') and to the organisation that receives them, also what became of them. Who was refused is not counted
 * here: people count once, however often they were tried.
 */
export const addedUp = (uses: string) => `
  SELECT m.workspace_id, g.sender, g.receiver, m.day, sum(m.taken) AS taken, sum(m.delivered * g.is_own) AS delivered,
    sum(m.bounced * g.is_own) AS bounced, sum(m.complained * g.is_own) AS complained
  FROM (${uses}) m
  JOIN mailboxes b ON b.workspace_id = m.workspace_id AND b.mailbox_id = m.mailbox_id
  CROSS JOIN LATERAL (
    VALUES ('', '', 0, true), (b.mailbox_id::text, '', (b.kind = 'own')::integer, true), (b.domain, '', 1, b.kind = 'own'),
      (b.mailbox_id::text, m.receiver, 1, b.kind = 'own' AND m.receiver IS NOT NULL),
      (b.domain, m.receiver, 1, b.kind = 'own' AND m.receiver IS NOT NULL)
  ) AS g (sender, receiver, is_own, counts)
  WHERE g.counts
  GROUP BY 1, 2, 3, 4
  HAVING sum(m.taken) <> 0 OR sum(m.delivered * g.is_own) <> 0 OR sum(m.bounced * g.is_own) <> 0
    OR sum(m.complained * g.is_own) <> 0`

/** All messages, as the counts should say. */
export const USES = usesIn("messages", "1")

const counted = (uses: string, isFolded = false) => `
  INSERT INTO mail_use_counts (workspace_id, sender, receiver, day, taken, delivered, bounced, complained, is_folded)
  SELECT a.*, ${isFolded} FROM (${addedUp(uses)}) a`

/** How many days are kept behind a sender's last: about twice as many as any rule looks at. */
export const KEPT_DAYS = 30

/** So many new rows of a sender are made into one each. */
const UNFOLDED_MAX = 32

/**
 * As with `campaign_counts`: a write adds rows with what it changed, and waits for nobody. The one that finds many of a
 * sender adds them up; it skips those that another is adding up.
 */
export const mailUseCounts: Migration = {
  id: 81,
  name: "mail_use_counts",
  note: "What mailboxes, domains and workspaces sent on a day, and what became of it, is kept by the statements that change it.",
  stalls: "Sending waits while the mail of the last 30 days is counted.",
  indexes: [
    {
      name: "messages_refused",
      definition: "ON messages (workspace_id, mailbox_id, claimed_at) WHERE outcome = 'refused'"
    }
  ],
  sql: `
LOCK TABLE messages IN SHARE ROW EXCLUSIVE MODE;

CREATE TABLE mail_use_counts (
  workspace_id uuid NOT NULL,
  -- A mailbox's id, the domain of own mailboxes, or '' for the whole workspace.
  sender text NOT NULL,
  -- The organisation that receives the mail; '': all of them.
  receiver text NOT NULL,
  -- Since 1970-01-01, UTC.
  day integer NOT NULL,
  taken bigint NOT NULL,
  delivered bigint NOT NULL,
  bounced bigint NOT NULL,
  complained bigint NOT NULL,
  is_folded boolean NOT NULL
);
CREATE INDEX mail_use_counts_of_sender ON mail_use_counts (workspace_id, sender, receiver, day)
  INCLUDE (taken, delivered, bounced, complained);
CREATE INDEX mail_use_counts_unfolded ON mail_use_counts (workspace_id, sender) WHERE NOT is_folded;

CREATE FUNCTION fold_mail_use_counts(workspace uuid, whose text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF (
    SELECT count(*) FROM (
      SELECT FROM mail_use_counts c WHERE c.workspace_id = workspace AND c.sender = whose AND NOT c.is_folded
      LIMIT ${UNFOLDED_MAX}
    ) few
  ) < ${UNFOLDED_MAX} THEN RETURN; END IF;
  WITH mine AS MATERIALIZED (
    SELECT c.ctid AS at FROM mail_use_counts c WHERE c.workspace_id = workspace AND c.sender = whose
    FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM mail_use_counts c USING mine WHERE c.ctid = mine.at RETURNING c.*
  )
  INSERT INTO mail_use_counts (workspace_id, sender, receiver, day, taken, delivered, bounced, complained, is_folded)
  SELECT g.workspace_id, g.sender, g.receiver, g.day, sum(g.taken), sum(g.delivered), sum(g.bounced), sum(g.complained), true
  FROM gone g WHERE g.day > (SELECT max(day) FROM gone) - ${KEPT_DAYS}
  GROUP BY 1, 2, 3, 4;
END $$;

CREATE FUNCTION count_mail_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    ${counted(usesIn("rows_before", "-1"))};
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN ${counted(usesIn("rows_after", "1"))};
  ELSE ${counted(`${usesIn("rows_after", "1")} UNION ALL ${usesIn("rows_before", "-1")}`)};
  END IF;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM fold_mail_use_counts(s.workspace_id, s.sender) FROM (
    SELECT DISTINCT a.workspace_id, g.sender FROM rows_after a
    JOIN mailboxes b ON b.workspace_id = a.workspace_id AND b.mailbox_id = a.mailbox_id
    CROSS JOIN LATERAL (VALUES (''), (b.mailbox_id::text), (b.domain)) AS g (sender)
  ) s;
  RETURN NULL;
END $$;
${counted(usesIn("messages", "1", `WHERE t.claimed_at >= now() - interval '${KEPT_DAYS} days'`), true)};
CREATE TRIGGER use_added AFTER INSERT ON messages
  REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_mail_use();
CREATE TRIGGER use_changed AFTER UPDATE ON messages
  REFERENCING OLD TABLE AS rows_before NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION count_mail_use();
CREATE TRIGGER use_gone AFTER DELETE ON messages
  REFERENCING OLD TABLE AS rows_before FOR EACH STATEMENT EXECUTE FUNCTION count_mail_use();
`
}
