import type { Migration } from "./Migration.js"

export const uploadedPeople: Migration = {
  id: 73,
  name: "uploaded_people",
  note: "Finds the rows of uploaded lists that name a person.",
  indexes: [
    {
      name: "list_rows_uploaded",
      definition: "ON list_rows (workspace_id, address_hash) WHERE address_hash IS NOT NULL"
    }
  ],
  sql: ""
}
