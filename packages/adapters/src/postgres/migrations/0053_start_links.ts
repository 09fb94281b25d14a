import type { Migration } from "./Migration.js"

export const startLinks: Migration = {
  id: 53,
  name: "start_links",
  note: "A sign-in link may name the workspace that it opens; one that a start printed opens a sandbox alone.",
  sql: `
ALTER TABLE sign_in_links ADD COLUMN workspace_id uuid;
ALTER TABLE sign_in_links ADD COLUMN begins_by text NOT NULL DEFAULT 'link'
  CONSTRAINT sign_in_links_begins_by_check CHECK (
    begins_by = 'link' OR (begins_by = 'start_link' AND workspace_id IS NOT NULL)
  );

ALTER TABLE sessions DROP CONSTRAINT sessions_began_by_check;
ALTER TABLE sessions ADD CONSTRAINT sessions_began_by_check CHECK (began_by IN ('link', 'start_link', 'passkey'));
ALTER TABLE approval_votes DROP CONSTRAINT approval_votes_began_by_check;
ALTER TABLE approval_votes ADD CONSTRAINT approval_votes_began_by_check CHECK (
  began_by IN ('link', 'start_link', 'passkey')
);
`
}
