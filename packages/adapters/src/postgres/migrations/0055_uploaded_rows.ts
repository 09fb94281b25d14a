import type { Migration } from "./Migration.js"

export const uploadedRows: Migration = {
  id: 55,
  name: "uploaded_rows",
  note: "What a person uploaded beside each row of a list, and on which line.",
  sql: `
-- The line, the cells as written, and, in the first row, what the columns are called. Null: the list came by a verb.
ALTER TABLE list_rows ADD COLUMN uploaded json;
`
}
