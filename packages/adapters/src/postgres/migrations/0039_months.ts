import type { Migration } from "./Migration.js"

/** The tables that grow with every call, and the column whose id begins with the row's time. */
const GROWING = [
  ["requests", "request_id"],
  ["ledger_entries", "entry_id"]
] as const

/** How many months from now the partition that takes up existing rows reaches at most. */
const MONTHS_AHEAD = 3

/** PostgreSQL believes a validated rule about the ids, so that it need not read the rows while calls wait. */
const bound = ([table, id]: (typeof GROWING)[number]): ReadonlyArray<string> => [
  `DO $$
DECLARE
  bound text;
BEGIN
  IF EXISTS (SELECT FROM pg_class WHERE oid = to_regclass('${table}') AND relkind = 'r')
    AND NOT EXISTS (
      SELECT FROM pg_constraint WHERE conname = '${table}_until' AND connamespace = current_schema()::regnamespace
    ) THEN
    bound := to_hex((extract(epoch FROM (date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') + interval '1 month'
      * CASE WHEN EXISTS (SELECT FROM ${table}) THEN ${MONTHS_AHEAD} ELSE 1 END) AT TIME ZONE 'UTC') * 1000)::bigint);
    bound := lpad(bound, 12, '0') || '00000000000000000000';
    EXECUTE format('ALTER TABLE ${table} ADD CONSTRAINT ${table}_until CHECK (${id} < %L::uuid) NOT VALID', bound::uuid);
  END IF;
END $$`,
  `DO $$
BEGIN
  IF EXISTS (
    SELECT FROM pg_constraint
    WHERE conname = '${table}_until' AND connamespace = current_schema()::regnamespace AND NOT convalidated
  ) THEN
    ALTER TABLE ${table} VALIDATE CONSTRAINT ${table}_until;
  END IF;
END $$`
]

/**
 * The calls and the ledger are split by the months of their ids. Each primary key stays as it was, since the id is part
 * of it. The rows of before become the first partition as they are. Ids beyond the last month go to a partition of their
 * own, so that no clock and no host that was long away stops a call.
 *
 * What a sealed month holds is a sum. Whatever comes to it afterwards is written down beside it by a trigger of its
 * partition, so that sums and rows never differ, and calls of open months pay nothing for it.
 */
export const months: Migration = {
  id: 39,
  name: "months",
  note: "Calls and ledger in partitions by month, and sums of the months that are sealed.",
  indexes: [{ name: "trail_seals_by_time", definition: "ON trail_seals (sealed_at)" }],
  before: GROWING.flatMap(bound),
  stalls: "Nobody for longer than it takes to attach a table whose rows are known to belong to it.",
  sql: `
-- Sums stand for the rows whose ids are before the last of these, and those of the rows before it.
CREATE TABLE sealed_months (
  until uuid PRIMARY KEY,
  sealed_at timestamptz NOT NULL,
  -- Since when the rows are in an archive alone.
  archived_at timestamptz
);
-- \`archived\`: of the rows that are no longer here.
CREATE TABLE sealed_sums (
  workspace_id uuid NOT NULL,
  archived boolean NOT NULL,
  -- Their ids are before it.
  until uuid NOT NULL,
  -- When the last of the calls ended.
  last_ended_at timestamptz,
  calls bigint NOT NULL,
  charged bigint NOT NULL,
  entries bigint NOT NULL,
  amount bigint NOT NULL,
  PRIMARY KEY (workspace_id, archived)
);
CREATE TABLE sealed_runs (
  workspace_id uuid NOT NULL,
  run_id uuid NOT NULL,
  archived boolean NOT NULL,
  charged bigint NOT NULL,
  PRIMARY KEY (workspace_id, run_id, archived)
);
-- Rows whose ids are before the last seal, and that no sum stands for: they came afterwards.
CREATE TABLE late_rows (
  workspace_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('call', 'charge', 'grant', 'top_up', 'refund', 'upkeep')),
  id uuid NOT NULL,
  amount bigint NOT NULL,
  run_id uuid,
  ended_at timestamptz NOT NULL,
  PRIMARY KEY (workspace_id, id, kind)
);

CREATE FUNCTION note_late_call() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO late_rows (workspace_id, kind, id, amount, run_id, ended_at)
  VALUES (NEW.workspace_id, 'call', NEW.request_id, NEW.charged, NEW.run_id, NEW.finished_at);
  RETURN NULL;
END
$$;
CREATE FUNCTION note_late_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO late_rows (workspace_id, kind, id, amount, ended_at)
  VALUES (NEW.workspace_id, NEW.kind, NEW.entry_id, NEW.amount, NEW.at);
  RETURN NULL;
END
$$;

-- The id where a check begins. Sums stand for what is before; without the setting for nothing.
CREATE FUNCTION checked_from() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT COALESCE(nullif(current_setting('outbound.checked_from', true), ''), '00000000-0000-0000-0000-000000000000')::uuid
$$;
-- When the row of that id was made.
CREATE FUNCTION checked_since() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || left(replace(checked_from()::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;
${GROWING.map(
  ([table, id]) => `
ALTER TABLE ${table} RENAME TO ${table}_before;
ALTER INDEX ${table}_pkey RENAME TO ${table}_before_pkey;
CREATE TABLE ${table} (
  LIKE ${table}_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS,
  PRIMARY KEY (workspace_id, ${table === "requests" ? id : `${id}, kind`})
) PARTITION BY RANGE (${id});
ALTER TABLE ${table} DROP CONSTRAINT ${table}_until;
DO $$
DECLARE
  index record;
  bound uuid;
BEGIN
  FOR index IN SELECT i.relname AS name, pg_get_indexdef(i.oid) AS definition
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE x.indrelid = '${table}_before'::regclass AND NOT x.indisprimary
  LOOP
    EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, index.name || '_before');
    EXECUTE replace(index.definition, format(' ON %I.${table}_before ', current_schema()), format(' ON %I.${table} ', current_schema()));
  END LOOP;
  SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9a-f-]{36})''')::uuid INTO bound
  FROM pg_constraint WHERE conname = '${table}_until' AND conrelid = '${table}_before'::regclass;
  EXECUTE format('ALTER TABLE ${table} ATTACH PARTITION ${table}_before FOR VALUES FROM (MINVALUE) TO (%L)', bound);
  ALTER TABLE ${table}_before DROP CONSTRAINT ${table}_until;
END $$;
CREATE TABLE ${table}_beyond PARTITION OF ${table} DEFAULT;
`
).join("")}
-- The parent's comes to every partition; a TRUNCATE of one asks it alone.
DROP TRIGGER ledger_entries_keep_rows ON ledger_entries_before;
CREATE TRIGGER ledger_entries_keep_rows BEFORE UPDATE OR DELETE ON ledger_entries
  FOR EACH ROW EXECUTE FUNCTION rows_are_only_appended();
CREATE TRIGGER ledger_entries_keep_all BEFORE TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION rows_are_only_appended();
CREATE TRIGGER ledger_entries_keep_all BEFORE TRUNCATE ON ledger_entries_beyond
  FOR EACH STATEMENT EXECUTE FUNCTION rows_are_only_appended();
`
}
