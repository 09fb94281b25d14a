import type { Wait } from "../../postgres/Wait.js"

/** What waits until a time of the service's clock. */
export const postmasterWaits: ReadonlyArray<Wait> = [
  { table: "postmaster_connections", column: "next_at", only: "refused_at IS NULL" }
]

/** Times at which something was done. */
export const postmasterStamps: ReadonlyArray<Wait> = [
  { table: "postmaster_connections", column: "refused_at" },
  { table: "postmaster_connections", column: "read_at" },
  { table: "postmaster_readings", column: "read_at" }
]
