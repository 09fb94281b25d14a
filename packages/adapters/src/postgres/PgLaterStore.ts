import { type ClaimedFollowUp, type FollowUpKey, LaterStore } from "@outbound/domain/sources/LaterStore.js"
import { Schema } from "effect"
import { hasRows, Millis, rows } from "./Columns.js"
import { chooserOf, columnsOf, readerOf, storeLayer, texts } from "./Table.js"

const StandingRow = Schema.Struct({
  sealed: Schema.String,
  answeredAtMillis: Schema.NullOr(Millis),
  isUnknown: Schema.Boolean
})

const ClaimedRow = Schema.Struct({
  ...texts("workspaceId", "source", "subjectHash", "followUpId"),
  workspaceKind: Schema.Literals(["sandbox", "live"]),
  sealed: Schema.String,
  addressHashes: Schema.Array(Schema.String),
  tries: Schema.Int
})

const DueRow = Schema.Struct({ source: Schema.String, inMillis: Schema.Number })

export const layer = storeLayer(LaterStore, (sql) => {
  const fromNow = (millis: number) => sql`clock_timestamp() + ${millis} * interval '1 millisecond'`

  const at = ({ source, subjectHash, workspaceId }: FollowUpKey) => sql`
    f.workspace_id = ${workspaceId} AND f.source = ${source} AND f.subject_hash = ${subjectHash}
  `
  const pendingAt = (key: FollowUpKey) => sql`
    ${at(key)} AND f.answered_at IS NULL AND f.keep_until > clock_timestamp()
  `
  const claimedBy = (claimed: ClaimedFollowUp) => sql`
    ${at(claimed)} AND f.follow_up_id = ${claimed.followUpId} AND f.tries = ${claimed.tries}
      AND f.answered_at IS NULL
  `

  return {
    find: (key) =>
      readerOf(sql, "follow_ups f", StandingRow, columnsOf(StandingRow, "f")).one("later.find")(sql`
        ${at(key)} AND f.keep_until > clock_timestamp()
      `),

    insert: ({ addressHashes, afterMillis, keepMillis, ...followUp }) =>
      sql`
        INSERT INTO follow_ups AS f (
          workspace_id, follow_up_id, source, subject_hash, request_id, sealed, address_hashes, due_at, keep_until
        ) VALUES (
          ${followUp.workspaceId}, ${followUp.followUpId}, ${followUp.source}, ${followUp.subjectHash},
          ${followUp.requestId}, ${followUp.sealed}, ${[...addressHashes]}::text[], ${fromNow(afterMillis)},
          ${fromNow(keepMillis)}
        )
        ON CONFLICT (workspace_id, source, subject_hash) DO UPDATE SET
          follow_up_id = EXCLUDED.follow_up_id, request_id = EXCLUDED.request_id, sealed = EXCLUDED.sealed,
          address_hashes = EXCLUDED.address_hashes, tries = 0, created_at = EXCLUDED.created_at,
          due_at = EXCLUDED.due_at, answered_at = NULL, is_unknown = false, keep_until = EXCLUDED.keep_until
        WHERE f.keep_until <= clock_timestamp()
        RETURNING f.follow_up_id AS "followUpId"
      `.pipe(hasRows("later.insert")),

    // Looks up each lane in the index separately, so it reads only what is due, however long other lanes are.
    claim: ({ lanes, leaseMillis, limit }) =>
      sql`
        WITH now AS MATERIALIZED (SELECT clock_timestamp() AS at), due AS (
          SELECT f.workspace_id, f.source, f.subject_hash
          FROM now
          CROSS JOIN unnest(${lanes.map(({ source }) => source)}::text[], ${lanes.map((lane) => lane.limit)}::int[])
            AS lane (source, most)
          CROSS JOIN LATERAL (
            SELECT f.workspace_id, f.source, f.subject_hash, f.due_at FROM follow_ups f
            WHERE f.source = lane.source AND f.answered_at IS NULL AND f.due_at <= now.at AND f.keep_until > now.at
            ORDER BY f.due_at
            LIMIT lane.most
            FOR NO KEY UPDATE SKIP LOCKED
          ) f
          ORDER BY f.due_at
          LIMIT ${limit}
        )
        UPDATE follow_ups f SET tries = f.tries + 1, due_at = ${fromNow(leaseMillis)}
        FROM due JOIN workspaces w ON w.workspace_id = due.workspace_id
        WHERE f.workspace_id = due.workspace_id AND f.source = due.source AND f.subject_hash = due.subject_hash
        RETURNING ${sql.literal(columnsOf(ClaimedRow, "f", { workspaceKind: "w.kind" }))}
      `.pipe(rows("later.claim", ClaimedRow)),

    due: (sources) =>
      sql`
        SELECT lane.source, GREATEST(0, extract(epoch FROM f.due_at - clock_timestamp()) * 1000)::float8 AS "inMillis"
        FROM unnest(${[...sources]}::text[]) AS lane (source)
        CROSS JOIN LATERAL (
          SELECT f.due_at FROM follow_ups f
          WHERE f.source = lane.source AND f.answered_at IS NULL AND f.keep_until > clock_timestamp()
          ORDER BY f.due_at
          LIMIT 1
        ) f
      `.pipe(rows("later.due", DueRow)),

    revise: (key, before, { addressHashes, afterMillis, sealed }) =>
      sql`
        UPDATE follow_ups f SET
          sealed = ${sealed}, address_hashes = f.address_hashes || ${[...addressHashes]}::text[],
          tries = f.tries + 1, due_at = ${fromNow(afterMillis)}
        WHERE ${pendingAt(key)} AND f.sealed = ${before}
        RETURNING f.follow_up_id AS "followUpId"
      `.pipe(hasRows("later.revise")),

    again: (claimed, { addressHashes, afterMillis, sealed }) =>
      sql`
        UPDATE follow_ups f SET
          sealed = ${sealed}, address_hashes = ${[...addressHashes]}::text[], due_at = ${fromNow(afterMillis)}
        WHERE ${claimedBy(claimed)}
        RETURNING f.follow_up_id AS "followUpId"
      `.pipe(hasRows("later.again")),

    answer: (claimed, { addressHashes, isUnknown, keepMillis, sealed }) =>
      sql`
        UPDATE follow_ups f SET
          sealed = ${sealed}, address_hashes = ${[...addressHashes]}::text[], answered_at = clock_timestamp(),
          is_unknown = ${isUnknown}, keep_until = ${fromNow(keepMillis)}
        WHERE ${claimedBy(claimed)}
        RETURNING f.follow_up_id AS "followUpId"
      `.pipe(hasRows("later.answer")),

    settle: (key, answer) =>
      (answer === null
        ? sql`
            DELETE FROM follow_ups f
            WHERE ${pendingAt(key)}
            RETURNING f.follow_up_id AS "followUpId"
          `
        : sql`
            UPDATE follow_ups f SET
              sealed = ${answer.sealed}, address_hashes = f.address_hashes || ${[...answer.addressHashes]}::text[],
              answered_at = clock_timestamp(), is_unknown = ${answer.isUnknown},
              keep_until = ${fromNow(answer.keepMillis)}
            WHERE ${pendingAt(key)}
            RETURNING f.follow_up_id AS "followUpId"
          `
      ).pipe(hasRows("later.settle")),

    amend: (key, before, after) =>
      sql`
        UPDATE follow_ups f SET sealed = ${after}
        WHERE ${at(key)} AND f.answered_at IS NOT NULL AND f.keep_until > clock_timestamp() AND f.sealed = ${before}
        RETURNING f.follow_up_id AS "followUpId"
      `.pipe(hasRows("later.amend")),

    drop: (claimed) =>
      sql`
        DELETE FROM follow_ups f WHERE ${claimedBy(claimed)} RETURNING f.follow_up_id AS "followUpId"
      `.pipe(hasRows("later.drop")),

    purge: (limit) =>
      chooserOf(sql, "follow_ups f", ["workspace_id", "follow_up_id"]).remove("later.purge")(sql`
        f.keep_until <= (SELECT clock_timestamp()) ORDER BY f.keep_until LIMIT ${limit} FOR UPDATE SKIP LOCKED
      `)
  }
})
