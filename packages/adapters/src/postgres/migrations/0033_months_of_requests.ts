import type { Migration } from "./Migration.js"

/**
 * The month is the call's own and no longer guessed from its time: the clock may go back after a month has begun. Rows of
 * before keep null, which stands for the month of `created_at`, so that no row is written and no call waits.
 */
export const monthsOfRequests: Migration = {
  id: 33,
  name: "months_of_requests",
  note: "Each ended call says in which month its key counts it. Rows of before stay as they are.",
  sql: `
ALTER TABLE requests ADD COLUMN month text;
`
}
