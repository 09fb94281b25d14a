import type { Migration } from "./Migration.js"

export const clockMarks: Migration = {
  id: 34,
  name: "clock_marks",
  note: "What the clocks of the service and of the database said last, to see that one was set back.",
  sql: `
CREATE TABLE clock_marks (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  service_at timestamptz NOT NULL,
  database_at timestamptz NOT NULL
) WITH (fillfactor = 50);
`
}
