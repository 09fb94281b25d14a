import { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { Effect, Option, Schema } from "effect"
import { countRows, hasRows, literals, Millis, rows, run } from "./Columns.js"
import { findings } from "./erasure/findings.js"
import { words } from "./erasure/words.js"
import { RawInboxRow, readInboxRow, unreadable } from "./PgReplyStore.js"
import { chooserOf, columnsOf, readerOf, remove, storeLayer, texts, update, valuesOf } from "./Table.js"

const RequestRow = Schema.Struct({
  ...texts("workspaceId", "erasureId", "addressHash"),
  requestedByUserId: Schema.NullOr(Schema.String),
  requestedAtMillis: Millis,
  fingerprints: Schema.Array(Schema.String),
  told: Schema.Boolean,
  finishedAtMillis: Schema.NullOr(Millis)
})

const LeadRow = Schema.Struct({ campaignId: Schema.String, campaignLeadId: Schema.String })

export const layer = storeLayer(ErasureStore, (sql) => {
  const { all, one } = readerOf(sql, "erasures e", RequestRow, columnsOf(RequestRow, "e"))
  return {
    ...words(sql),
    ...findings(sql),

    open: (request) =>
      Effect.gen(function* () {
        yield* sql`
          INSERT INTO erasures ${sql.insert(valuesOf(RequestRow, request))}
          ON CONFLICT (workspace_id, address_hash) WHERE finished_at IS NULL DO NOTHING
        `.pipe(run("erasures.open"))
        const [standing] = yield* all("erasures.open")(sql`
          e.workspace_id = ${request.workspaceId} AND e.address_hash = ${request.addressHash}
            AND e.finished_at IS NULL
          FOR NO KEY UPDATE
        `)
        return standing ?? (yield* Effect.die(new Error("an erasure that was opened is gone")))
      }),

    update: (request) =>
      sql`
        UPDATE erasures e SET fingerprints = ${request.fingerprints}, told = e.told OR ${request.told}
        WHERE e.workspace_id = ${request.workspaceId} AND e.erasure_id = ${request.erasureId}
          AND e.finished_at IS NULL
      `.pipe(run("erasures.update")),

    finish: ({ erasureId, workspaceId }, nowMillis) =>
      update(
        sql,
        "erasures",
        { workspaceId, erasureId, finishedAtMillis: null },
        { finishedAtMillis: nowMillis, fingerprints: [] }
      ).pipe(run("erasures.finish")),

    get: (workspaceId, erasureId) => one("erasures.get")({ workspaceId, erasureId }),

    eraseLeads: ({ addressHash, workspaceId }, leaving, limit) =>
      sql`
        WITH theirs AS (
          SELECT l.workspace_id, l.campaign_lead_id FROM campaign_leads l
          WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash} AND l.email <> ''
          ORDER BY l.campaign_lead_id
          LIMIT ${limit}
          FOR NO KEY UPDATE
        )
        UPDATE campaign_leads l
        SET email = '', first_name = NULL, last_name = NULL, company_name = NULL, custom = '{}', evidence = NULL,
          origin = (l.origin::jsonb || '{"file": null}')::json,
          state = CASE WHEN l.state IN (${sql.literal(literals(leaving))}) THEN 'removed' ELSE l.state END,
          next_at = NULL
        FROM theirs
        WHERE l.workspace_id = theirs.workspace_id AND l.campaign_lead_id = theirs.campaign_lead_id
        RETURNING ${sql.literal(columnsOf(LeadRow, "l"))}
      `.pipe(rows("erasures.eraseLeads", LeadRow)),

    eraseReplies: ({ addressHash, workspaceId }, limit) =>
      sql`
        WITH theirs AS (
          SELECT r.workspace_id, r.reply_id
          FROM campaign_leads l
          JOIN replies r ON r.workspace_id = l.workspace_id AND r.campaign_lead_id = l.campaign_lead_id
          WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash}
            AND NOT (r.from_email = '' AND r.subject = '' AND r.snippet = '' AND r.body_text = ''
              AND r.body_html IS NULL AND r.message_id IS NULL)
          LIMIT ${limit}
        )
        UPDATE replies r
        SET from_email = '', subject = '', snippet = '', body_text = '', body_html = NULL, message_id = NULL
        FROM theirs
        WHERE r.workspace_id = theirs.workspace_id AND r.reply_id = theirs.reply_id
        RETURNING r.reply_id AS id
      `.pipe(countRows("erasures.eraseReplies")),

    eraseAnswers: ({ addressHash, workspaceId }, limit) =>
      chooserOf(sql, "sent_replies s", ["workspace_id", "sent_reply_id"]).change("erasures.eraseAnswers")(
        sql`
          s.workspace_id = ${workspaceId}
            AND (
              s.address_hash = ${addressHash}
              OR s.campaign_lead_id IN (
                SELECT l.campaign_lead_id FROM campaign_leads l
                WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash}
              )
            )
            AND NOT (s.to_email = '' AND s.subject = '' AND s.body_text = '')
          LIMIT ${limit}
        `,
        sql`to_email = '', subject = '', body_text = '', refs = '[]'`
      ),

    forgetShown: ({ addressHash, workspaceId }, limit) =>
      chooserOf(sql, "approval_people p", ["workspace_id", "shown_id"]).remove("erasures.forgetShown")(sql`
        p.workspace_id = ${workspaceId} AND p.address_hash = ${addressHash} LIMIT ${limit}
      `),

    forgetLeftOut: ({ addressHash, workspaceId }, limit) =>
      chooserOf(sql, "campaign_left_out o", ["workspace_id", "left_out_id"]).remove("erasures.forgetLeftOut")(sql`
        o.workspace_id = ${workspaceId} AND o.address_hash = ${addressHash} LIMIT ${limit}
      `),

    forgetVerdict: ({ addressHash, workspaceId }) =>
      remove(sql, "email_verdicts", { workspaceId, addressHash }).pipe(countRows("erasures.forgetVerdict")),

    takeWaiting: ({ addressHash, email, workspaceId }, limit) =>
      Effect.map(
        sql`
          WITH theirs AS (
            SELECT i.workspace_id, i.provider, i.provider_event_id, i.content, i.received_at FROM inbound_events i
            WHERE i.workspace_id = ${workspaceId} AND i.content IS NOT NULL
              AND (
                i.from_email = ${email}
                OR EXISTS (
                  SELECT 1 FROM messages m
                  WHERE m.workspace_id = i.workspace_id AND m.message_id = i.answers
                    AND m.address_hash = ${addressHash}
                )
                OR i.answers IN (
                  SELECT a.sent_reply_id::text FROM sent_replies a
                  WHERE a.workspace_id = i.workspace_id AND a.address_hash = ${addressHash}
                  UNION ALL
                  SELECT a.sent_reply_id::text FROM campaign_leads l
                  JOIN sent_replies a ON a.workspace_id = l.workspace_id AND a.campaign_lead_id = l.campaign_lead_id
                  WHERE l.workspace_id = i.workspace_id AND l.address_hash = ${addressHash}
                )
              )
            ORDER BY i.received_at, i.provider_event_id
            LIMIT ${limit}
            FOR UPDATE
          ), on_their_way AS (
            DELETE FROM sandbox_letters s USING messages m
            WHERE s.workspace_id = ${workspaceId} AND m.workspace_id = s.workspace_id
              AND m.message_id = split_part(s.message_id, '@', 1) AND m.address_hash = ${addressHash}
          ), taken AS (
            UPDATE inbound_events i SET content = NULL, from_email = NULL, answers = NULL, set_aside_at = NULL
            FROM theirs
            WHERE i.workspace_id = theirs.workspace_id AND i.provider = theirs.provider
              AND i.provider_event_id = theirs.provider_event_id
          )
          SELECT ${sql.literal(columnsOf(RawInboxRow, "t"))} FROM theirs t
        `.pipe(rows("erasures.takeWaiting", RawInboxRow)),
        (found) => found.map((row) => Option.getOrElse(readInboxRow(row), () => unreadable(row)))
      ),

    forgetSubject: ({ email, workspaceId }, nowMillis) =>
      update(sql, "subjects", { workspaceId, email }, { email: null, erasedAtMillis: nowMillis }).pipe(
        hasRows("erasures.forgetSubject")
      )
  }
})
