import type { ErasureStore } from "@outbound/domain/control/erasure/ErasureStore.js"
import { Effect, Schema } from "effect"
import { column, countRows, NIL, rows, run } from "../Columns.js"
import { directoryLock } from "../directory/DirectoryRows.js"
import type { SqlClient } from "../Sql.js"
import { chooserOf } from "../Table.js"

const OutcomeRow = Schema.Struct({ requestId: Schema.String, body: Schema.String })

/** What calls found out about people and kept for repeats. Found by keyed hashes. */
export const findings = (sql: SqlClient) => {
  return {
    outcomes: (workspaceId, subjects, { after, limit }) =>
      sql`
        SELECT DISTINCT ON (r.request_id) r.request_id AS "requestId", r.body
        FROM call_subjects c
        JOIN idempotency_records r ON r.workspace_id = c.workspace_id AND r.request_id = c.request_id
        WHERE c.workspace_id = ${workspaceId} AND c.address_hash = ANY(${subjects}::text[])
          AND c.request_id > ${after ?? NIL}::uuid AND r.body IS NOT NULL
        ORDER BY r.request_id
        LIMIT ${limit}
      `.pipe(rows("erasures.outcomes", OutcomeRow)),

    rewriteOutcome: (workspaceId, { body, requestId }) =>
      sql`
        UPDATE idempotency_records r SET body = ${body}
        WHERE r.workspace_id = ${workspaceId} AND r.request_id = ${requestId} AND r.body IS NOT NULL
      `.pipe(run("erasures.rewriteOutcome")),

    contacts: (workspaceId, subjects, limit) =>
      sql`
        SELECT k.contact FROM enrichment_cache k
        WHERE k.workspace_id = ${workspaceId} AND k.person_key IN (
          SELECT c.person_key FROM contact_subjects c
          WHERE c.workspace_id = ${workspaceId} AND c.address_hash = ANY(${subjects}::text[])
        )
        LIMIT ${limit}
      `.pipe(column("erasures.contacts", Schema.String)),

    forgetContacts: (workspaceId, subjects, limit) =>
      sql`
        WITH theirs AS (
          SELECT DISTINCT c.person_key FROM contact_subjects c
          WHERE c.workspace_id = ${workspaceId} AND c.address_hash = ANY(${subjects}::text[])
          LIMIT ${limit}
        ), found_by AS (
          DELETE FROM contact_subjects c USING theirs
          WHERE c.workspace_id = ${workspaceId} AND c.person_key = theirs.person_key
        ), forgotten AS (
          DELETE FROM enrichment_cache k USING theirs
          WHERE k.workspace_id = ${workspaceId} AND k.person_key = theirs.person_key
        )
        SELECT theirs.person_key AS id FROM theirs
      `.pipe(countRows("erasures.forgetContacts")),

    forgetFollowUps: (workspaceId, subjects, limit) =>
      chooserOf(sql, "follow_ups f", ["workspace_id", "follow_up_id"]).remove("erasures.forgetFollowUps")(sql`
        f.workspace_id = ${workspaceId} AND f.address_hashes && ${subjects}::text[] LIMIT ${limit} FOR UPDATE
      `),

    // The fingerprint of a person with an address is its keyed hash. An import batch that began before the erasure ends
    // first; later batches see the erasure.
    forgetPerson: ({ addressHash, workspaceId }) =>
      Effect.andThen(
        directoryLock(sql, workspaceId),
        sql`
        WITH them AS (
          SELECT p.fingerprint, p.social_key, p.company_key, p.name_key FROM directory_people p
          WHERE p.workspace_id = ${workspaceId} AND p.fingerprint = ${addressHash}
        ), theirs AS (
          SELECT them.fingerprint FROM them
          UNION
          SELECT p.fingerprint FROM them JOIN directory_people p
            ON p.workspace_id = ${workspaceId} AND p.social_key = them.social_key
          WHERE p.work_email IS NULL
          UNION
          SELECT p.fingerprint FROM them JOIN directory_people p
            ON p.workspace_id = ${workspaceId} AND p.company_key = them.company_key AND p.name_key = them.name_key
          WHERE p.work_email IS NULL
            AND (p.social_key IS NULL OR them.social_key IS NULL OR p.social_key = them.social_key)
        )
        DELETE FROM directory_people p USING theirs
        WHERE p.workspace_id = ${workspaceId} AND p.fingerprint = theirs.fingerprint
        RETURNING p.fingerprint AS id
      `.pipe(countRows("erasures.forgetPerson"))
      ),

    forgetOffered: (workspaceId, fingerprints) =>
      sql`
        UPDATE offers f SET known = (
          SELECT coalesce(json_agg(k.fingerprint), '[]') FROM json_array_elements_text(f.known) AS k (fingerprint)
          WHERE k.fingerprint <> ALL(${fingerprints}::text[])
        )
        WHERE f.workspace_id = ${workspaceId} AND EXISTS (
          SELECT 1 FROM json_array_elements_text(f.known) AS k (fingerprint)
          WHERE k.fingerprint = ANY(${fingerprints}::text[])
        )
      `.pipe(run("erasures.forgetOffered")),

    forgetSubjects: (workspaceId, subjects, requestIds) =>
      sql`
        DELETE FROM call_subjects c
        WHERE c.workspace_id = ${workspaceId} AND c.address_hash = ANY(${subjects}::text[])
          AND c.request_id = ANY(${requestIds}::uuid[])
      `.pipe(run("erasures.forgetSubjects")),

    forgetNamed: (workspaceId, subjects, limit) =>
      chooserOf(sql, "call_subjects c", ["workspace_id", "address_hash", "request_id"]).remove("erasures.forgetNamed")(
        sql`
          c.workspace_id = ${workspaceId} AND c.address_hash = ANY(${subjects}::text[]) AND NOT EXISTS (
            SELECT 1 FROM idempotency_records r
            WHERE r.workspace_id = c.workspace_id AND r.request_id = c.request_id
          )
          LIMIT ${limit}
        `
      )
  } satisfies Partial<ErasureStore["Service"]>
}
