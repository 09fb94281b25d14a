import type { Migration } from "./Migration.js"

export const canaryCompauth: Migration = {
  id: 86,
  name: "canary_compauth",
  note: "What Microsoft's servers make of a canary's SPF, DKIM and DMARC together.",
  sql: "ALTER TABLE canaries ADD COLUMN compauth text;"
}
