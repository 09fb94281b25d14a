import type { Migration } from "./Migration.js"

/** Sealing is not part of the transaction that appends, so appending costs what it did, and waits for nobody. */
export const trailSeals: Migration = {
  id: 30,
  name: "trail_seals",
  note: "Chained hashes over the trail: each event is covered by a seal, and each seal by the next.",
  sql: `
CREATE TABLE trail_seals (
  workspace_id uuid NOT NULL,
  number bigint NOT NULL,
  previous text NOT NULL,
  sealed_at timestamptz NOT NULL,
  count integer NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (workspace_id, number)
);

-- The number of the seal that covers the event; null until then.
ALTER TABLE trail_events ADD COLUMN seal bigint;
CREATE INDEX trail_events_unsealed ON trail_events (observed_at, event_id, workspace_id) WHERE seal IS NULL;
CREATE INDEX trail_events_of_seal ON trail_events (workspace_id, seal) WHERE seal IS NOT NULL;

-- Set when an event of the person is first sealed. The salt goes with the address, the commitment stays.
ALTER TABLE subjects ADD COLUMN salt text;
ALTER TABLE subjects ADD COLUMN commitment text;
CREATE FUNCTION salt_goes_with_the_address() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.salt := NULL;
  RETURN NEW;
END
$$;
-- A trigger, because hosts of the version before this one erase too.
CREATE TRIGGER subjects_forget_salt BEFORE UPDATE OF email ON subjects
  FOR EACH ROW WHEN (NEW.email IS NULL) EXECUTE FUNCTION salt_goes_with_the_address();
ALTER TABLE subjects ADD CONSTRAINT subjects_forgotten_have_no_salt CHECK (email IS NOT NULL OR salt IS NULL);

CREATE TRIGGER trail_seals_keep_rows BEFORE UPDATE OR DELETE ON trail_seals
  FOR EACH ROW EXECUTE FUNCTION rows_are_only_appended();
CREATE TRIGGER trail_seals_keep_all BEFORE TRUNCATE ON trail_seals
  FOR EACH STATEMENT EXECUTE FUNCTION rows_are_only_appended();
`
}
