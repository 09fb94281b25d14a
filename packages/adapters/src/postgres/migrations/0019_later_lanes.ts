import type { Migration } from "./Migration.js"

/**
 * Follow-ups are claimed by source. What a job may have been started for is written down before it is started; one of
 * which nobody learnt whether it was stays, with the call that asked for it, so that it is never started again.
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
