import { SqlClient } from "@effect/sql"
import { ErasureStore, type WordsOf } from "@outbound/domain/erasure/ErasureStore.js"
import { Effect, Layer, Option, Schema } from "effect"
import { changes, date, firstRow, literals, Millis, rows, run } from "./Columns.js"
import { directoryLock } from "./directory/directoryLock.js"
import { RawInboxRow, readInboxRow, unreadable } from "./PgReplyStore.js"

const RequestRow = Schema.Struct({
  workspaceId: Schema.String,
  erasureId: Schema.String,
  addressHash: Schema.String,
  requestedByUserId: Schema.NullOr(Schema.String),
  requestedAtMillis: Millis,
  fingerprints: Schema.Array(Schema.String),
  told: Schema.Boolean,
  finishedAtMillis: Schema.NullOr(Millis)
})

const REQUEST_COLUMNS = `
  e.workspace_id AS "workspaceId", e.erasure_id AS "erasureId", e.address_hash AS "addressHash",
  e.requested_by_user_id AS "requestedByUserId", e.requested_at AS "requestedAtMillis", e.fingerprints, e.told,
  e.finished_at AS "finishedAtMillis"
`

const LeadRow = Schema.Struct({ campaignId: Schema.String, campaignLeadId: Schema.String })
const ErasedRow = Schema.Struct({ id: Schema.String })
const WordsRow = Schema.Struct({
  id: Schema.String,
  text: Schema.NullOr(Schema.String),
  isLast: Schema.Boolean,
  count: Schema.Int
})
const OutcomeRow = Schema.Struct({ requestId: Schema.String, body: Schema.String })
const ContactRow = Schema.Struct({ contact: Schema.String })

/** Where words stand: the table, its id, and the columns as they are taken out and put back. */
const WORDS: Readonly<
  Record<WordsOf, { readonly table: string; readonly id: string; readonly columns: Readonly<Record<string, string>> }>
> = {
  campaign_leads: {
    table: "campaign_leads",
    id: "campaign_lead_id",
    columns: { first_name: "text", last_name: "text", company_name: "text", custom: "json" }
  },
  replies: {
    table: "replies",
    id: "reply_id",
    columns: { from_email: "text", subject: "text", snippet: "text", body_text: "text", body_html: "text" }
  },
  sent_replies: { table: "sent_replies", id: "sent_reply_id", columns: { subject: "text", body_text: "text" } },
  approvals: { table: "approvals", id: "approval_id", columns: { snapshot: "json" } }
}

/** How an address stands in a JSON text. */
const inJson = (email: string): string => JSON.stringify(email).slice(1, -1)

export const layer = Layer.effect(
  ErasureStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const requestColumns = sql.literal(REQUEST_COLUMNS)
    const count = Effect.map((found: ReadonlyArray<unknown>) => found.length)

    return ErasureStore.of({
      open: (request) =>
        Effect.gen(function* () {
          yield* sql`
            INSERT INTO erasures (
              workspace_id, erasure_id, address_hash, requested_by_user_id, requested_at, fingerprints, told
            ) VALUES (
              ${request.workspaceId}, ${request.erasureId}, ${request.addressHash}, ${request.requestedByUserId},
              ${date(request.requestedAtMillis)}, ${request.fingerprints}, ${request.told}
            )
            ON CONFLICT (workspace_id, address_hash) WHERE finished_at IS NULL DO NOTHING
          `.pipe(run("erasures.open"))
          const [standing] = yield* sql`
            SELECT ${requestColumns} FROM erasures e
            WHERE e.workspace_id = ${request.workspaceId} AND e.address_hash = ${request.addressHash}
              AND e.finished_at IS NULL
            FOR NO KEY UPDATE
          `.pipe(rows("erasures.open", RequestRow))
          return standing ?? (yield* Effect.dieMessage("an erasure that was opened is gone"))
        }),

      update: (request) =>
        sql`
          UPDATE erasures e SET fingerprints = ${request.fingerprints}, told = e.told OR ${request.told}
          WHERE e.workspace_id = ${request.workspaceId} AND e.erasure_id = ${request.erasureId}
            AND e.finished_at IS NULL
        `.pipe(run("erasures.update")),

      finish: (request, nowMillis) =>
        sql`
          UPDATE erasures e SET finished_at = ${date(nowMillis)}, fingerprints = '{}'
          WHERE e.workspace_id = ${request.workspaceId} AND e.erasure_id = ${request.erasureId}
            AND e.finished_at IS NULL
        `.pipe(run("erasures.finish")),

      get: (workspaceId, erasureId) =>
        sql`
          SELECT ${requestColumns} FROM erasures e
          WHERE e.workspace_id = ${workspaceId} AND e.erasure_id = ${erasureId}
        `.pipe(firstRow("erasures.get", RequestRow)),

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
          SET email = '', first_name = NULL, last_name = NULL, company_name = NULL, custom = '{}',
            state = CASE WHEN l.state IN (${sql.literal(literals(leaving))}) THEN 'removed' ELSE l.state END,
            next_at = NULL
          FROM theirs
          WHERE l.workspace_id = theirs.workspace_id AND l.campaign_lead_id = theirs.campaign_lead_id
          RETURNING l.campaign_id AS "campaignId", l.campaign_lead_id AS "campaignLeadId"
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
        `.pipe(rows("erasures.eraseReplies", ErasedRow), count),

      eraseAnswers: ({ addressHash, workspaceId }, limit) =>
        sql`
          WITH theirs AS (
            SELECT s.workspace_id, s.sent_reply_id FROM sent_replies s
            WHERE s.workspace_id = ${workspaceId}
              AND (
                s.address_hash = ${addressHash}
                OR s.campaign_lead_id IN (
                  SELECT l.campaign_lead_id FROM campaign_leads l
                  WHERE l.workspace_id = ${workspaceId} AND l.address_hash = ${addressHash}
                )
              )
              AND NOT (s.to_email = '' AND s.subject = '' AND s.body_text = '')
            LIMIT ${limit}
          )
          UPDATE sent_replies s SET to_email = '', subject = '', body_text = '', refs = '[]'
          FROM theirs
          WHERE s.workspace_id = theirs.workspace_id AND s.sent_reply_id = theirs.sent_reply_id
          RETURNING s.sent_reply_id AS id
        `.pipe(rows("erasures.eraseAnswers", ErasedRow), count),

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
            SELECT t.workspace_id AS "workspaceId", t.provider, t.provider_event_id AS "providerEventId",
              t.received_at AS "receivedAtMillis", t.content
            FROM theirs t
          `.pipe(rows("erasures.takeWaiting", RawInboxRow)),
          (found) => found.map((row) => Option.getOrElse(readInboxRow(row), () => unreadable(row)))
        ),

      forgetSubject: ({ email, workspaceId }, nowMillis) =>
        sql`
          UPDATE subjects s SET email = NULL, erased_at = ${date(nowMillis)}
          WHERE s.workspace_id = ${workspaceId} AND s.email = ${email}
          RETURNING s.subject_id::text AS id
        `.pipe(
          rows("erasures.forgetSubject", ErasedRow),
          Effect.map((found) => found.length > 0)
        ),

      words: (of, { email, workspaceId }, { after, limit }) => {
        const { columns, id, table } = WORDS[of]
        const object = Object.keys(columns)
          .map((name) => `'${name}', p.${name}`)
          .join(", ")
        const taken = ["t.workspace_id", `t.${id}`, ...Object.keys(columns).map((name) => `t.${name}`)].join(", ")
        return sql`
          WITH p AS MATERIALIZED (
            SELECT ${sql.literal(taken)} FROM ${sql.literal(table)} t
            WHERE t.workspace_id = ${workspaceId} AND t.${sql.literal(id)} > ${after ?? NIL}::uuid
            ORDER BY t.${sql.literal(id)}
            LIMIT ${limit}
          ), looked AS (
            SELECT p.${sql.literal(id)}::text AS id, json_build_object(${sql.literal(object)})::text AS text,
              row_number() OVER (ORDER BY p.${sql.literal(id)} DESC) = 1 AS is_last,
              (count(*) OVER ())::integer AS count
            FROM p
          )
          SELECT id, CASE WHEN strpos(lower(text), ${inJson(email)}) > 0 THEN text END AS text, is_last AS "isLast",
            count
          FROM looked WHERE is_last OR strpos(lower(text), ${inJson(email)}) > 0
          ORDER BY id
        `.pipe(
          rows("erasures.words", WordsRow),
          Effect.map((found) => {
            const last = found.find(({ isLast }) => isLast)
            return {
              found: found.flatMap((row) => (row.text === null ? [] : [{ id: row.id, text: row.text }])),
              next: last !== undefined && last.count === limit ? last.id : null
            }
          })
        )
      },

      rewrite: (of, workspaceId, words) => {
        const { columns, id, table } = WORDS[of]
        const names = Object.keys(columns)
        const assigned = names.map((name) => `${name} = g.${name}`).join(", ")
        const given = names.map((name) => `${name} ${columns[name]}`).join(", ")
        return sql`
          UPDATE ${sql.literal(table)} t SET ${sql.literal(assigned)}
          FROM json_to_record(${words.text}::json) AS g (${sql.literal(given)})
          WHERE t.workspace_id = ${workspaceId} AND t.${sql.literal(id)} = ${words.id}
          RETURNING t.${sql.literal(id)}
        `.pipe(changes("erasures.rewrite"))
      },

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
        `.pipe(
          rows("erasures.contacts", ContactRow),
          Effect.map((found) => found.map(({ contact }) => contact))
        ),

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
        `.pipe(rows("erasures.forgetContacts", ErasedRow), count),

      forgetFollowUps: (workspaceId, subjects, limit) =>
        sql`
          WITH theirs AS (
            SELECT f.follow_up_id FROM follow_ups f
            WHERE f.workspace_id = ${workspaceId} AND f.address_hashes && ${subjects}::text[]
            LIMIT ${limit}
            FOR UPDATE
          )
          DELETE FROM follow_ups f USING theirs
          WHERE f.workspace_id = ${workspaceId} AND f.follow_up_id = theirs.follow_up_id
          RETURNING f.follow_up_id AS id
        `.pipe(rows("erasures.forgetFollowUps", ErasedRow), count),

      // The fingerprint of a person with an address is its keyed hash. A batch of an import that began before the erasure
      // ends first; the next ones see it.
      forgetPerson: ({ addressHash, workspaceId }) =>
        Effect.zipRight(
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
        `.pipe(rows("erasures.forgetPerson", ErasedRow), count)
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
        `.pipe(run("erasures.forgetSubjects"))
    })
  })
)

/** Before every id. */
const NIL = "00000000-0000-0000-0000-000000000000"
