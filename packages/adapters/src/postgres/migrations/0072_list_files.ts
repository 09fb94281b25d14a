import type { Migration } from "./Migration.js"

export const listFiles: Migration = {
  id: 72,
  name: "list_files",
  note: "Which file a workspace's own list came from, on which line it names each person, and whom each row of an uploaded list names.",
  sql: `
-- Of the list that last named or changed them, as imported_at is. Null: it was not kept.
ALTER TABLE directory_people ADD COLUMN list_file text, ADD COLUMN list_line integer;
-- A keyed hash. Null: the row was not uploaded, or names nobody or several people.
ALTER TABLE list_rows ADD COLUMN address_hash text;
`
}
