import type { Migration } from "./Migration.js"

/**
 * Makes append-only tables refuse changes, by code or by hand. No erasure needs to change them: both name only the
 * workspace's own people. Request counts store their own expiry, because windows differ.
 */
export const keptRows: Migration = {
  id: 20,
  name: "kept_rows",
  note: "The control log and the ledger refuse changes; counts of asks in windows of any length.",
  sql: `
CREATE FUNCTION rows_are_only_appended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is only ever appended to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER control_log_keeps_rows BEFORE UPDATE OR DELETE ON control_log
  FOR EACH ROW EXECUTE FUNCTION rows_are_only_appended();
CREATE TRIGGER control_log_keeps_all BEFORE TRUNCATE ON control_log
  FOR EACH STATEMENT EXECUTE FUNCTION rows_are_only_appended();
CREATE TRIGGER ledger_entries_keep_rows BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION rows_are_only_appended();
CREATE TRIGGER ledger_entries_keep_all BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION rows_are_only_appended();

-- A program of before this writes no end: it knows windows of a quarter of an hour alone.
ALTER TABLE sign_in_asks ADD COLUMN over_at timestamptz NOT NULL DEFAULT clock_timestamp() + interval '30 minutes';
CREATE INDEX sign_in_asks_over ON sign_in_asks (over_at);
DROP INDEX sign_in_asks_by_time;
`
}
