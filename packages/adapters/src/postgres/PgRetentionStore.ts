import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { Effect, Schema } from "effect"
import { countRows, date, firstIdOf, NIL, rows } from "./Columns.js"
import { chooserOf, integers, storeLayer, textsOrNull } from "./Table.js"

const LookedRow = Schema.Struct({
  ...integers("forgotten", "looked"),
  ...textsOrNull("workspaceId", "subjectId")
})

/**
 * Calls and sightings write no extra index for retention. We walk people by primary key, and outcomes by call id, one
 * workspace after the other.
 */
export const layer = storeLayer(RetentionStore, (sql) => ({
  forgetUnseen: (untilMillis, after, limit) =>
    sql`
      WITH page AS MATERIALIZED (
        SELECT s.workspace_id, s.subject_id FROM subjects s
        WHERE (s.workspace_id, s.subject_id) > (${after?.workspaceId ?? NIL}::uuid, ${after?.subjectId ?? "0"}::bigint)
        ORDER BY s.workspace_id, s.subject_id
        LIMIT ${limit}
      ), forgotten AS (
        UPDATE subjects s SET email = NULL
        FROM page
        WHERE s.workspace_id = page.workspace_id AND s.subject_id = page.subject_id AND s.email IS NOT NULL
          AND s.last_seen_at <= ${date(untilMillis)}
        RETURNING 1
      ), last AS (
        SELECT p.workspace_id, p.subject_id FROM page p ORDER BY p.workspace_id DESC, p.subject_id DESC LIMIT 1
      )
      SELECT (SELECT count(*) FROM forgotten)::integer AS forgotten, (SELECT count(*) FROM page)::integer AS looked,
        (SELECT l.workspace_id FROM last l)::text AS "workspaceId",
        (SELECT l.subject_id FROM last l)::text AS "subjectId"
    `.pipe(
      rows("retention.forgetUnseen", LookedRow),
      Effect.map(([looked]) => {
        const { workspaceId = null, subjectId = null } = looked ?? {}
        const isEnd = looked === undefined || looked.looked < limit || workspaceId === null || subjectId === null
        return { forgotten: looked?.forgotten ?? 0, next: isEnd ? null : { workspaceId, subjectId } }
      })
    ),

  forgetOutcomes: (beforeMillis, keptVerbs, limit) =>
    sql`
      WITH old AS MATERIALIZED (
        SELECT o.workspace_id, o.request_id FROM workspaces w CROSS JOIN LATERAL (
          SELECT r.workspace_id, r.request_id FROM idempotency_records r
          WHERE r.workspace_id = w.workspace_id AND r.request_id < ${firstIdOf(beforeMillis)}::uuid
            AND r.created_at < ${date(beforeMillis)} AND r.verb <> ALL(${keptVerbs}::text[])
            AND r.http_status IS NOT NULL
          ORDER BY r.request_id
          LIMIT ${limit}
          FOR UPDATE SKIP LOCKED
        ) o
        LIMIT ${limit}
      ), named AS (
        DELETE FROM call_subjects c USING old
        WHERE c.workspace_id = old.workspace_id AND c.request_id = old.request_id
      )
      DELETE FROM idempotency_records r USING old
      WHERE r.workspace_id = old.workspace_id AND r.request_id = old.request_id
      RETURNING r.request_id AS id
    `.pipe(countRows("retention.forgetOutcomes")),

  forgetRows: (beforeMillis, limit) =>
    chooserOf(sql, "list_rows r", ["workspace_id", "row_id"]).change("retention.forgetRows")(
      sql`
        r.ended_at < ${date(beforeMillis)} AND r.input IS NOT NULL
        ORDER BY r.ended_at
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      `,
      sql`input = NULL, body = NULL, uploaded = NULL, address_hash = NULL`
    ),

  forgetContacts: (nowMillis, limit) =>
    sql`
      WITH old AS (
        SELECT k.workspace_id, k.person_key FROM enrichment_cache k
        WHERE k.expires_at <= ${date(nowMillis)}
        ORDER BY k.expires_at
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ), named AS (
        DELETE FROM contact_subjects c USING old
        WHERE c.workspace_id = old.workspace_id AND c.person_key = old.person_key
      )
      DELETE FROM enrichment_cache k USING old
      WHERE k.workspace_id = old.workspace_id AND k.person_key = old.person_key
      RETURNING k.person_key AS id
    `.pipe(countRows("retention.forgetContacts")),

  forgetVerdicts: (beforeMillis, limit) =>
    chooserOf(sql, "email_verdicts v", ["workspace_id", "address_hash"]).remove("retention.forgetVerdicts")(sql`
      v.checked_at < ${date(beforeMillis)} ORDER BY v.checked_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
    `),

  forgetPeople: (beforeMillis, limit) =>
    chooserOf(sql, "directory_people p", ["workspace_id", "fingerprint"]).remove("retention.forgetPeople")(sql`
      p.imported_at < ${date(beforeMillis)} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    `)
}))
