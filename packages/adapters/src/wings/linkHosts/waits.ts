import { LinkHostMachine } from "@outbound/domain/wings/linkHosts/LinkHostMachine.js"
import { literals } from "../../postgres/Columns.js"
import type { Wait } from "../../postgres/Wait.js"

/** What waits until a time of the service's clock. */
export const linkHostWaits: ReadonlyArray<Wait> = [
  { table: "link_hosts", column: "next_check_at", only: `state IN (${literals(LinkHostMachine.in.watched)})` }
]

/** Times at which something was done. */
export const linkHostStamps: ReadonlyArray<Wait> = [
  { table: "link_hosts", column: "proven_at" },
  { table: "link_hosts", column: "answered_at" },
  { table: "link_hosts", column: "checked_at" },
  { table: "link_hosts", column: "lists_asked_at" }
]
