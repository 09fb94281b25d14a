/** Until when mailboxes send nothing, and since when too much of their mail bounces. */
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { date, run } from "./Columns.js"
import type { SqlClient } from "./Sql.js"

export const mailboxRests = (
  sql: SqlClient
): Pick<SendingStore["Service"], "noteBounces" | "restMailbox" | "restMailboxes"> => ({
  noteBounces: (workspaceId, mailboxId, sinceMillis) =>
    (sinceMillis === null
      ? sql`
          DELETE FROM bounce_warnings g WHERE g.workspace_id = ${workspaceId} AND g.mailbox_id = ${mailboxId}
        `
      : sql`
          INSERT INTO bounce_warnings (workspace_id, mailbox_id, since)
          VALUES (${workspaceId}, ${mailboxId}, ${date(sinceMillis)})
          ON CONFLICT (workspace_id, mailbox_id) DO NOTHING
        `
    ).pipe(run("sending.noteBounces")),

  restMailbox: (workspaceId, mailboxId, untilMillis) =>
    sql`
      UPDATE mailboxes b SET rests_until = GREATEST(b.rests_until, ${date(untilMillis)})
      WHERE b.workspace_id = ${workspaceId} AND b.mailbox_id = ${mailboxId}
    `.pipe(run("sending.restMailbox")),

  restMailboxes: (mailboxes, untilMillis) =>
    sql`
      WITH mine AS (
        SELECT b.workspace_id, b.mailbox_id FROM mailboxes b
        WHERE (b.workspace_id, b.mailbox_id) IN (
          SELECT * FROM unnest(
            ${mailboxes.map(({ workspaceId }) => workspaceId)}::uuid[], ${mailboxes.map(({ mailboxId }) => mailboxId)}::uuid[]
          )
        )
        ORDER BY b.workspace_id, b.mailbox_id
        FOR NO KEY UPDATE
      )
      UPDATE mailboxes b SET rests_until = GREATEST(b.rests_until, ${date(untilMillis)}) FROM mine
      WHERE b.workspace_id = mine.workspace_id AND b.mailbox_id = mine.mailbox_id
    `.pipe(run("sending.restMailboxes"))
})
