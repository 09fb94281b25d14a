import { NO_SEAL, NOTHING_SEALED, SEAL_EVENTS_MAX } from "@outbound/domain/kernel/trail/seals.js"
import { SEAL_AFTER_MILLIS, SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import { Clock, Effect, Option, Schema, Struct } from "effect"
import { column, date, firstRow, firstValue, rows, run } from "./Columns.js"
import { commitmentSql, eventHashSql, HASHES_IN_ORDER, sealHashSql } from "./sealHashes.js"
import { retainedSince } from "@outbound/domain/kernel/trail/retention.js"
import { RECORDED_COLUMNS, RecordedRow, SEAL_COLUMNS, SealRow, TotalsRow } from "./TrailRows.js"
import { columnsOf, storeLayer, textsOrNull } from "./Table.js"

/** The space of advisory locks in which the chain of each workspace has one. */
const LOCK_SPACE = 20_290

const Head = SealRow.mapFields(Struct.pick(["workspaceId", "number", "hash", "sealedAtMillis"]))
const HeadRow = Schema.Struct({ ...Head.fields, trails: Schema.Int })
const SealedRow = Schema.Struct({
  ...RecordedRow.fields,
  ...textsOrNull("email", "person", "salt"),
  detail: Schema.String
})

/** The events are hashed where they are, in one pass. The domain's functions hash the same when they are verified. */
export const layer = storeLayer(SealStore, (sql) => {
  const oldestOf = (workspaceIds: ReadonlyArray<string>) => sql`
    SELECT e.* FROM trail_events e
    WHERE e.seal IS NULL AND e.workspace_id = ANY(${workspaceIds}::uuid[])
    ORDER BY e.observed_at, e.event_id
    LIMIT ${SEAL_EVENTS_MAX}
  `

  /** Locks rows of persons without waiting, since those who append wait for each other there. */
  const nameNewPeople = (workspaceIds: ReadonlyArray<string>) =>
    sql`
      WITH concerned AS MATERIALIZED (
        SELECT DISTINCT d.workspace_id, d.subject_id FROM (${oldestOf(workspaceIds)}) d WHERE d.subject_id IS NOT NULL
      ), fresh AS MATERIALIZED (
        SELECT s.workspace_id, s.subject_id, s.email, replace(gen_random_uuid()::text, '-', '') AS salt
        FROM concerned c JOIN subjects s ON s.workspace_id = c.workspace_id AND s.subject_id = c.subject_id
        WHERE s.email IS NOT NULL AND s.commitment IS NULL
        FOR NO KEY UPDATE OF s SKIP LOCKED
      )
      UPDATE subjects s SET salt = f.salt, commitment = ${sql.literal(commitmentSql("f.salt", "f.email"))}
      FROM fresh f WHERE s.workspace_id = f.workspace_id AND s.subject_id = f.subject_id
    `.pipe(run("seals.nameNewPeople"))

  return {
    // An advisory lock, because the statement that seals has to begin after it is held: it must see what the host
    // before it sealed. Two workspaces with one lock wait for each other at worst.
    lockUnsealed: (nowMillis) =>
      sql`
        WITH oldest AS (
          SELECT e.workspace_id FROM trail_events e
          WHERE e.seal IS NULL AND e.observed_at <= ${date(nowMillis - SEAL_AFTER_MILLIS)}
          ORDER BY e.observed_at
          LIMIT ${SEAL_EVENTS_MAX}
        ), ahead AS (
          SELECT e.workspace_id FROM trail_events e
          WHERE e.seal IS NULL AND e.observed_at >= ${date(nowMillis + SEAL_AFTER_MILLIS)}
          LIMIT ${SEAL_EVENTS_MAX}
        ), found AS MATERIALIZED (
          SELECT workspace_id FROM oldest UNION SELECT workspace_id FROM ahead
        )
        SELECT f.workspace_id AS "workspaceId" FROM found f
        WHERE pg_try_advisory_xact_lock(${LOCK_SPACE}, hashtext(f.workspace_id::text))
      `.pipe(column("seals.lockUnsealed", Schema.String)),

    seal: (workspaceIds, nowMillis) =>
      Effect.andThen(
        nameNewPeople(workspaceIds),
        sql`
        WITH due AS MATERIALIZED (
          ${oldestOf(workspaceIds)}
        ), batch AS MATERIALIZED (
          SELECT d.workspace_id, d.observed_at, d.event_id,
            ${sql.literal(eventHashSql("d", "s.commitment"))} AS hash
          FROM due d LEFT JOIN subjects s ON s.workspace_id = d.workspace_id AND s.subject_id = d.subject_id
          WHERE s.email IS NULL OR s.commitment IS NOT NULL
        ), made AS (
          INSERT INTO trail_seals (workspace_id, number, previous, sealed_at, count, hash)
          SELECT m.workspace_id, m.number, m.previous, m.sealed_at, m.count, ${sql.literal(sealHashSql("m"))}
          FROM (
            SELECT w.workspace_id, w.count, w.hashes, ${date(nowMillis)}::timestamptz AS sealed_at,
              COALESCE(l.number, 0) + 1 AS number, COALESCE(l.hash, ${NO_SEAL}) AS previous
            FROM (
              SELECT b.workspace_id, count(*)::integer AS count, ${sql.literal(HASHES_IN_ORDER)} AS hashes
              FROM batch b GROUP BY b.workspace_id
            ) w
            LEFT JOIN LATERAL (
              SELECT s.number, s.hash FROM trail_seals s
              WHERE s.workspace_id = w.workspace_id ORDER BY s.number DESC LIMIT 1
            ) l ON true
          ) m
          RETURNING workspace_id, number
        ), covered AS (
          UPDATE trail_events e SET seal = made.number
          FROM batch b JOIN made ON made.workspace_id = b.workspace_id
          WHERE e.workspace_id = b.workspace_id AND e.observed_at = b.observed_at AND e.event_id = b.event_id
          RETURNING 1
        )
        SELECT count(*)::integer AS sealed FROM covered
      `.pipe(firstValue("seals.seal", Schema.Int, 0))
      ),

    next: (workspaceId, after) =>
      Effect.gen(function* () {
        const found = yield* sql`
          SELECT ${sql.literal(SEAL_COLUMNS)} FROM trail_seals s
          WHERE s.workspace_id = ${workspaceId} AND s.number > ${after}
          ORDER BY s.number LIMIT 1
        `.pipe(firstRow("seals.next", SealRow))
        if (Option.isNone(found)) return Option.none()
        const seal = found.value
        const retained = new Date(retainedSince(yield* Clock.currentTimeMillis))
        const events = yield* sql`
          SELECT ${sql.literal(RECORDED_COLUMNS)}, s.commitment AS person, e.detail::text AS detail,
            CASE WHEN s.last_seen_at > ${retained} THEN s.email END AS email,
            CASE WHEN s.last_seen_at > ${retained} THEN s.salt END AS salt
          FROM trail_events e
          LEFT JOIN subjects s ON s.workspace_id = e.workspace_id AND s.subject_id = e.subject_id
          WHERE e.workspace_id = ${workspaceId} AND e.seal = ${seal.number}
          ORDER BY e.observed_at, e.event_id
          LIMIT ${SEAL_EVENTS_MAX + 1}
        `.pipe(rows("seals.events", SealedRow))
        return Option.some({ seal, events })
      }),

    archived: (workspaceId) =>
      sql`
        SELECT a.seal::text AS seals, a.events::text AS events, a.hash AS head FROM archived_trails a
        WHERE a.workspace_id = ${workspaceId}
      `.pipe(firstRow("seals.archived", TotalsRow), Effect.map(Option.getOrElse(() => NOTHING_SEALED))),

    heads: (limit) =>
      sql`
        SELECT ${sql.literal(columnsOf(Head, "h", { number: "h.number::text" }))},
          (count(*) OVER ())::integer AS trails
        FROM (
          SELECT DISTINCT ON (s.workspace_id) s.workspace_id, s.number, s.hash, s.sealed_at FROM trail_seals s
          ORDER BY s.workspace_id, s.number DESC
        ) h
        ORDER BY h.sealed_at DESC, h.workspace_id
        LIMIT ${limit}
      `.pipe(
        rows("seals.heads", HeadRow),
        Effect.map((found) => ({
          heads: found.map(({ trails: _trails, ...head }) => head),
          trails: found[0]?.trails ?? 0
        }))
      )
  }
})
