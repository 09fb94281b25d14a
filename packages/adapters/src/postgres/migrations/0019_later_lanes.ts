import type { Migration } from "./Migration.js"

/**
 * Lookups are claimed by source. A job is recorded before it is started. A job that may have been started with unknown
 * outcome is kept with its call, so that it is never started again.
 */
export const laterLanes: Migration = {
  id: 19,
  name: "later_lanes",
  note: "Follow-ups by source, and paid jobs of which nobody knows whether they were started.",
  sql: `
ALTER TABLE follow_ups ADD COLUMN request_id uuid;
ALTER TABLE follow_ups ADD COLUMN is_unknown boolean NOT NULL DEFAULT false;
ALTER TABLE follow_ups ADD CONSTRAINT follow_ups_unknown_is_over CHECK (NOT is_unknown OR answered_at IS NOT NULL);
CREATE INDEX follow_ups_of_source ON follow_ups (source, due_at) WHERE answered_at IS NULL;
CREATE INDEX follow_ups_unknown ON follow_ups (answered_at) WHERE is_unknown;
DROP INDEX follow_ups_due;
`
}
