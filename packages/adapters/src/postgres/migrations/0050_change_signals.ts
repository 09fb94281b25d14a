import type { Migration } from "./Migration.js"

/** Almost everything that the console shows has its event in the trail. The rest is named here. */
export const changeSignals: Migration = {
  id: 50,
  name: "change_signals",
  note: "Hosts whose console somebody looks at hear which workspace changed.",
  sql: `
-- A transaction sends equal notifications once.
CREATE FUNCTION change_signals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbound_changes', t.workspace_id::text) FROM (SELECT DISTINCT workspace_id FROM rows_after) t;
  RETURN NULL;
END $$;
CREATE FUNCTION change_signal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('outbound_changes', NEW.workspace_id::text);
  RETURN NULL;
END $$;

CREATE TRIGGER signals_change AFTER INSERT ON trail_events
  REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION change_signals();
CREATE TRIGGER signals_change AFTER INSERT ON alerts
  REFERENCING NEW TABLE AS rows_after FOR EACH STATEMENT EXECUTE FUNCTION change_signals();
CREATE TRIGGER signals_change AFTER UPDATE OF classification, handled_at, owner_user_id, referral ON replies
  FOR EACH ROW WHEN ((NEW.classification, NEW.handled_at, NEW.owner_user_id, NEW.referral)
    IS DISTINCT FROM (OLD.classification, OLD.handled_at, OLD.owner_user_id, OLD.referral))
  EXECUTE FUNCTION change_signal();
CREATE TRIGGER signals_change AFTER INSERT OR UPDATE OF state ON change_requests
  FOR EACH ROW EXECUTE FUNCTION change_signal();
CREATE TRIGGER signals_change AFTER UPDATE OF state ON mailboxes
  FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION change_signal();
CREATE TRIGGER signals_change AFTER INSERT OR UPDATE OF status, items ON operations
  FOR EACH ROW EXECUTE FUNCTION change_signal();
`
}
