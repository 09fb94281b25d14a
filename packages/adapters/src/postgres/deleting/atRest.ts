import { PaymentMachine } from "@outbound/domain/control/payments/PaymentMachine.js"
import { MessageMachine } from "@outbound/domain/outreach/sending/MessageMachine.js"
import { VendorCampaignMachine } from "@outbound/domain/outreach/sending/vendor/VendorCampaignMachine.js"
import { Data } from "effect"
import type pg from "pg"
import { literals } from "../Columns.js"

/** A workspace that can't be exported, imported or deleted. The message says why, and what to do. */
export class WorkspaceError extends Data.TaggedError("WorkspaceError")<{ readonly message: string }> {}

export const count = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

/** Work that somebody has to finish: here, and nowhere else. */
const UNDER_WAY: ReadonlyArray<{
  readonly sql: string
  readonly one: string
  readonly many: string
  readonly mend: string
}> = [
  {
    sql: "FROM open_calls WHERE true",
    one: "call is under way",
    many: "calls are under way",
    mend: "Pause its keys (outbound key pause), and wait until its calls have ended."
  },
  {
    sql: "FROM operations WHERE finished_at IS NULL",
    one: "operation has not ended",
    many: "operations have not ended",
    mend: "Wait for it."
  },
  {
    sql: `FROM messages WHERE state IN (${literals(MessageMachine.in.inFlight)})`,
    one: "message is being sent",
    many: "messages are being sent",
    mend: "Pause its campaigns in the console, and wait a minute."
  },
  {
    sql: `FROM vendor_campaigns WHERE state NOT IN (${literals([...VendorCampaignMachine.in.absent, ...VendorCampaignMachine.in.idle])})`,
    one: "campaign runs at a sending vendor",
    many: "campaigns run at a sending vendor",
    mend: "Pause it in the console, and wait until the vendor has stopped it."
  },
  {
    sql: `FROM payments WHERE state IN (${literals(PaymentMachine.in.awaited)})`,
    one: "payment is open",
    many: "payments are open",
    mend: "Wait until it is paid or has failed."
  },
  {
    sql: "FROM erasures WHERE finished_at IS NULL",
    one: "erasure has not ended",
    many: "erasures have not ended",
    mend: "Wait for it."
  }
]

/** Fails where something of the workspace is under way. `because`: why it has to end first. */
export const assertAtRest = async (client: pg.ClientBase, workspace: string, because: string): Promise<void> => {
  for (const { many, mend, one, sql } of UNDER_WAY) {
    const { rows } = await client.query<{ readonly n: number }>(
      `SELECT count(*)::int AS n ${sql} AND workspace_id = ${workspace}`
    )
    const found = rows[0]?.n ?? 0
    if (found > 0) throw new WorkspaceError({ message: `${count(found, one, many)}. ${because} ${mend}` })
  }
}
