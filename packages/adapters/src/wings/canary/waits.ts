import { CanaryMachine } from "@outbound/domain/wings/canary/CanaryMachine.js"
import { literals } from "../../postgres/Columns.js"
import type { Wait } from "../../postgres/Wait.js"

/** What waits until a time of the service's clock. */
export const canaryWaits: ReadonlyArray<Wait> = [
  { table: "canary_settings", column: "next_at" },
  { table: "canaries", column: "next_at", only: `state IN (${literals(CanaryMachine.in.open)})` }
]

/** Times at which something was done. */
export const canaryStamps: ReadonlyArray<Wait> = [
  { table: "canaries", column: "planned_at" },
  { table: "canaries", column: "claimed_at" },
  { table: "canaries", column: "sent_at" },
  { table: "canaries", column: "looked_at" }
]
