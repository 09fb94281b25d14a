import type { Migration } from "./Migration.js"

/**
 * The database counts by itself, so that no call is missed between this migration and the last host of before it. Rows
 * are locked in one order within a statement, after those of `usage_daily`.
 */
export const usageOfKeys: Migration = {
  id: 21,
  name: "usage_of_keys",
  note: "What each key used on each day, counted as calls end.",
  sql: `
-- As usage_daily, by key.
CREATE TABLE usage_of_keys (
  workspace_id uuid NOT NULL,
  day date NOT NULL,
  key_id uuid NOT NULL,
  calls bigint NOT NULL CHECK (calls >= 0),
  charged bigint NOT NULL CHECK (charged >= 0),
  PRIMARY KEY (workspace_id, day, key_id)
) WITH (fillfactor = 50);

CREATE FUNCTION count_usage_of_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_of_keys AS u (workspace_id, day, key_id, calls, charged)
  SELECT e.workspace_id, (e.finished_at AT TIME ZONE 'UTC')::date, e.key_id, count(*), sum(e.charged) FROM ended e
  WHERE e.admitted AND e.mode = 'act' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, day, key_id) DO UPDATE SET calls = u.calls + EXCLUDED.calls,
    charged = u.charged + EXCLUDED.charged;
  RETURN NULL;
END
$$;
CREATE TRIGGER requests_count_for_keys AFTER INSERT ON requests REFERENCING NEW TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION count_usage_of_keys();

-- The trigger holds writers off from here on.
INSERT INTO usage_of_keys (workspace_id, day, key_id, calls, charged)
SELECT workspace_id, (finished_at AT TIME ZONE 'UTC')::date, key_id, count(*), sum(charged) FROM requests
WHERE admitted AND mode = 'act' GROUP BY 1, 2, 3;
`
}
