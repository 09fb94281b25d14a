import { KNOWN_RECEIVERS_MAX, type SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Schema } from "effect"
import { rows, run } from "./Columns.js"
import type { SqlClient } from "./Sql.js"
import { columnsOf, texts } from "./Table.js"

const KnownRow = Schema.Struct(texts("mailDomain", "receiver"))

/** Which organisation receives the mail of which domain, as name servers said when we wrote there. */
export const receiversOf = (sql: SqlClient): Pick<SendingStore["Service"], "noteReceiver" | "knownReceivers"> => ({
  noteReceiver: (workspaceId, mailDomain, receiver) =>
    sql`
      INSERT INTO mail_receivers AS r (workspace_id, mail_domain, receiver, known_at)
      VALUES (${workspaceId}, ${mailDomain}, ${receiver}, now())
      ON CONFLICT (workspace_id, mail_domain) DO UPDATE SET receiver = EXCLUDED.receiver, known_at = EXCLUDED.known_at
      WHERE r.receiver <> EXCLUDED.receiver
    `.pipe(run("sending.noteReceiver")),

  knownReceivers: (workspaceId) =>
    sql`
      SELECT ${sql.literal(columnsOf(KnownRow, "r"))} FROM mail_receivers r
      WHERE r.workspace_id = ${workspaceId}
      ORDER BY r.known_at DESC
      LIMIT ${KNOWN_RECEIVERS_MAX}
    `.pipe(
      rows("sending.knownReceivers", KnownRow),
      Effect.map((found) => new Map(found.map(({ mailDomain, receiver }) => [mailDomain, receiver])))
    )
})
