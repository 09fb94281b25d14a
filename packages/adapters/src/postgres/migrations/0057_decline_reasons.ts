import type { Migration } from "./Migration.js"

export const declineReasons: Migration = {
  id: 57,
  name: "decline_reasons",
  note: "Why a person declined a request, in their words.",
  sql: `
ALTER TABLE approvals ADD COLUMN decline_reason text;
`
}
