/** Refusals of the sender: how many people a mailbox was refused for, by whom, and whom it leaves alone for a while. */
import type { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Effect, Schema } from "effect"
import { SENDABLE_LEAD } from "./CampaignRows.js"
import { date, firstRow, Millis, rows, run } from "./Columns.js"
import type { SqlClient } from "./Sql.js"
import { columnsOf, integers, readerOf, texts, upsert, valuesOf } from "./Table.js"

const RefusalsRow = Schema.Struct({
  ...integers("people", "refused", "receivers", "peopleThere", "refusedThere")
})

const ReceiverRow = Schema.Struct({ receiver: Schema.String })

const ReceiverRestRow = Schema.Struct({
  ...texts("workspaceId", "mailboxId", "receiver"),
  restsUntilMillis: Millis,
  times: Schema.Int,
  ...texts("status", "says")
})

export const refusalsOf = (
  sql: SqlClient
): Pick<SendingStore["Service"], "refusals" | "receiverOf" | "receiverRest" | "setReceiverRest" | "putOff"> => ({
  // Each person counts once, by their newest message.
  refusals: (workspaceId, mailboxId, receiver, sinceMillis) =>
    sql`
      WITH newest AS (
        SELECT DISTINCT ON (m.address_hash) m.receiver, m.claimed_at,
          (m.outcome IS NOT DISTINCT FROM 'refused') AS refused
        FROM messages m
        WHERE m.workspace_id = ${workspaceId} AND m.mailbox_id = ${mailboxId}
          AND m.claimed_at >= ${date(sinceMillis)} AND (m.state = 'sent' OR m.outcome = 'refused')
        ORDER BY m.address_hash, m.claimed_at DESC, m.message_id DESC
      ), rest AS (
        SELECT r.rests_until FROM receiver_rests r
        WHERE r.workspace_id = ${workspaceId} AND r.mailbox_id = ${mailboxId} AND r.receiver = ${receiver}
      ), judged AS (
        SELECT n.receiver, n.refused,
          n.receiver = ${receiver} AND n.claimed_at >= COALESCE((SELECT r.rests_until FROM rest r), '-infinity')
            AS there
        FROM newest n
      )
      SELECT count(*)::integer AS people, (count(*) FILTER (WHERE j.refused))::integer AS refused,
        (count(DISTINCT j.receiver) FILTER (WHERE j.refused))::integer AS receivers,
        (count(*) FILTER (WHERE j.there))::integer AS "peopleThere",
        (count(*) FILTER (WHERE j.there AND j.refused))::integer AS "refusedThere"
      FROM judged j
    `.pipe(
      rows("sending.refusals", RefusalsRow),
      Effect.map(([found]) => ({
        mailbox: {
          people: found?.people ?? 0,
          refused: found?.refused ?? 0,
          receivers: found?.receivers ?? 0
        },
        receiver: { people: found?.peopleThere ?? 0, refused: found?.refusedThere ?? 0 }
      }))
    ),

  receiverOf: (workspaceId, messageId) =>
    sql`
      SELECT m.receiver FROM messages m
      WHERE m.workspace_id = ${workspaceId} AND m.message_id = ${messageId} AND m.receiver IS NOT NULL
    `.pipe(firstRow("sending.receiverOf", ReceiverRow, (found) => found.receiver)),

  receiverRest: (workspaceId, mailboxId, receiver) =>
    readerOf(sql, "receiver_rests r", ReceiverRestRow, columnsOf(ReceiverRestRow, "r")).one("sending.receiverRest")({
      workspaceId,
      mailboxId,
      receiver
    }),

  setReceiverRest: (rest) =>
    upsert(sql, "receiver_rests", ["workspace_id", "mailbox_id", "receiver"], valuesOf(ReceiverRestRow, rest)).pipe(
      run("sending.setReceiverRest")
    ),

  putOff: ({ mailboxId, workspaceId }, domain, untilMillis, limit) =>
    sql`
      WITH due AS MATERIALIZED (
        SELECT l.campaign_lead_id FROM campaign_leads l
        JOIN campaigns c ON c.workspace_id = l.workspace_id AND c.campaign_id = l.campaign_id
        WHERE l.workspace_id = ${workspaceId} AND l.mailbox_id = ${mailboxId} AND c.state = 'active'
          AND l.next_at < ${date(untilMillis)} AND split_part(l.email, '@', 2) = ${domain}
          AND ${sql.literal(SENDABLE_LEAD)}
        ORDER BY l.next_at, l.campaign_lead_id
        LIMIT ${limit}
        FOR NO KEY UPDATE OF l SKIP LOCKED
      )
      UPDATE campaign_leads l SET next_at = ${date(untilMillis)}
      FROM due WHERE l.workspace_id = ${workspaceId} AND l.campaign_lead_id = due.campaign_lead_id
    `.pipe(run("sending.putOff"))
})
