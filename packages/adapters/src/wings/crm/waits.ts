import { CrmWriteMachine } from "@outbound/domain/wings/crm/CrmWriteMachine.js"
import { literals } from "../../postgres/Columns.js"
import type { Wait } from "../../postgres/Wait.js"

/** What waits until a time of the service's clock. */
export const crmWaits: ReadonlyArray<Wait> = [
  { table: "crm_writes", column: "due_at", only: `state IN (${literals(CrmWriteMachine.in.due)})` }
]

/** Times at which something was done. */
export const crmStamps: ReadonlyArray<Wait> = [
  { table: "crm_writes", column: "claimed_at" },
  { table: "crm_connections", column: "began_at" },
  { table: "crm_connections", column: "read_at" },
  { table: "crm_connections", column: "read_all_at" },
  { table: "crm_connections", column: "asked_at" }
]
