import type { Migration } from "./Migration.js"

/** Replaces `usage_daily`, which hosts of the previous release write until they are stopped. */
export const usageOfKeys: Migration = {
  id: 21,
  name: "usage_of_keys",
  note: "What each key used on each day by each verb.",
  sql: `
-- Admitted calls in mode act, and what they cost, by the day (UTC) on which they ended.
CREATE TABLE usage_of_keys (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  verb text NOT NULL,
  calls bigint NOT NULL CHECK (calls >= 0),
  charged bigint NOT NULL CHECK (charged >= 0),
  PRIMARY KEY (workspace_id, day, key_id, verb)
) WITH (fillfactor = 50);

-- A call is written to both in one statement, which waits from here on.
LOCK TABLE requests IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO usage_of_keys (workspace_id, day, key_id, verb, calls, charged)
SELECT workspace_id, (finished_at AT TIME ZONE 'UTC')::date, key_id, verb, count(*), sum(charged) FROM requests
WHERE admitted AND mode = 'act' GROUP BY 1, 2, 3, 4;
DELETE FROM usage_daily;

-- Every call once: usage_daily holds what hosts of before this migration still settled, without saying by which key.
CREATE VIEW usage_counted AS
  SELECT workspace_id, day, verb, calls, charged FROM usage_of_keys
  UNION ALL SELECT workspace_id, day, verb, calls, charged FROM usage_daily;
`
}
