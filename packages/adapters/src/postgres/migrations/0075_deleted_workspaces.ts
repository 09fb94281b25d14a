import type { Migration } from "./Migration.js"

export const deletedWorkspaces: Migration = {
  id: 75,
  name: "deleted_workspaces",
  note: "Workspaces that were deleted: that they were there, and the sums of their credits.",
  sql: `
CREATE TABLE deleted_workspaces (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz NOT NULL,
  -- By kind of entry.
  sums jsonb NOT NULL
);

-- Rows that are only appended go with their workspace, in the one transaction that says so.
CREATE OR REPLACE FUNCTION rows_are_only_appended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW'
    AND to_jsonb(OLD) ->> 'workspace_id' = current_setting('outbound.deleted_workspace', true) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% is only ever appended to', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
`
}
