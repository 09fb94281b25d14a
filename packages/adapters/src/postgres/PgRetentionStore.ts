import { RetentionStore } from "@outbound/domain/control/erasure/RetentionStore.js"
import { Schema } from "effect"
import { countRows, date, firstIdOf, firstValue, NIL } from "./Columns.js"
import { chooserOf, storeLayer, texts } from "./Table.js"

const Looked = Schema.Struct({
  forgotten: Schema.Int,
  next: Schema.NullOr(Schema.Struct(texts("workspaceId", "subjectId")))
})

const NOBODY = { forgotten: 0, next: null }

/** Before every person. */
const FIRST = { workspaceId: NIL, subjectId: "0" }

/** Somebody whom a call named, and who is in no campaign. */
const IN_NO_CAMPAIGN = `NOT EXISTS (
          SELECT 1 FROM campaign_leads l WHERE l.workspace_id = c.workspace_id AND l.address_hash = c.address_hash
        )`

/**
 * Calls and sightings write no extra index for retention. We walk people by primary key, and outcomes by call id, one
 * workspace after the other.
 */
export const layer = storeLayer(RetentionStore, (sql) => ({
  forgetUnseen: (untilMillis, after, limit) => {
    const { subjectId, workspaceId } = after ?? FIRST
    return sql`
      WITH page AS MATERIALIZED (
        SELECT s.workspace_id, s.subject_id FROM subjects s
        WHERE (s.workspace_id, s.subject_id) > (${workspaceId}::uuid, ${subjectId}::bigint)
        ORDER BY s.workspace_id, s.subject_id
        LIMIT ${limit}
      ), forgotten AS (
        UPDATE subjects s SET email = NULL
        FROM page
        WHERE s.workspace_id = page.workspace_id AND s.subject_id = page.subject_id AND s.email IS NOT NULL
          AND s.last_seen_at <= ${date(untilMillis)}
        RETURNING 1
      )
      SELECT json_build_object(
        'forgotten', (SELECT count(*) FROM forgotten),
        'next', (
          SELECT json_build_object('workspaceId', p.workspace_id, 'subjectId', p.subject_id::text) FROM page p
          ORDER BY p.workspace_id, p.subject_id OFFSET ${limit - 1} LIMIT 1
        )
      ) AS looked
    `.pipe(firstValue("retention.forgetUnseen", Looked, NOBODY))
  },

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
        WHERE c.workspace_id = old.workspace_id AND c.request_id = old.request_id AND ${sql.literal(IN_NO_CAMPAIGN)}
      )
      DELETE FROM idempotency_records r USING old
      WHERE r.workspace_id = old.workspace_id AND r.request_id = old.request_id
      RETURNING r.request_id AS id
    `.pipe(countRows("retention.forgetOutcomes")),

  forgetRows: (beforeMillis, limit) =>
    sql`
      WITH old AS MATERIALIZED (
        SELECT r.workspace_id, r.row_id FROM list_rows r
        WHERE r.ended_at < ${date(beforeMillis)} AND r.input IS NOT NULL
        ORDER BY r.ended_at
        LIMIT ${limit}
        FOR UPDATE SKIP LOCKED
      ), named AS (
        DELETE FROM call_subjects c USING old
        WHERE c.workspace_id = old.workspace_id AND c.request_id = old.row_id AND ${sql.literal(IN_NO_CAMPAIGN)}
      )
      UPDATE list_rows r SET input = NULL, body = NULL, uploaded = NULL, address_hash = NULL
      FROM old
      WHERE r.workspace_id = old.workspace_id AND r.row_id = old.row_id
      RETURNING r.row_id AS id
    `.pipe(countRows("retention.forgetRows")),

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
