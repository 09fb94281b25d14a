import type { Migration } from "./Migration.js"

/** Seals stay where they are, so that the chain can be checked whole. Only the events of the first ones go. */
export const archivedTrails: Migration = {
  id: 42,
  name: "archived_trails",
  note: "For how long each workspace keeps its calls and its trail, and which part of a trail is in an archive.",
  sql: `
-- Full months that stay in the database at least; null: as many as the archiving command says. 0: for ever.
ALTER TABLE workspaces ADD COLUMN call_months integer CONSTRAINT workspaces_call_months_check CHECK (
  call_months = 0 OR call_months BETWEEN 2 AND 1200
);
-- An event names its person for 24 months.
ALTER TABLE workspaces ADD COLUMN trail_months integer CONSTRAINT workspaces_trail_months_check CHECK (
  trail_months = 0 OR trail_months BETWEEN 24 AND 1200
);
-- The events of the seals up to this one are in an archive, and no longer here.
CREATE TABLE archived_trails (
  workspace_id uuid PRIMARY KEY,
  seal bigint NOT NULL,
  hash text NOT NULL,
  events bigint NOT NULL,
  -- The latest of these events was observed then.
  until timestamptz NOT NULL,
  archived_at timestamptz NOT NULL
);
`
}
