/** What must always hold of the seals of the trail. */
import { NO_SEAL } from "@outbound/domain/kernel/trail/seals.js"
import { commitmentSql, eventHashSql, HASHES_IN_ORDER, sealHashSql } from "../sealHashes.js"
import { type Invariant, rule } from "./Invariant.js"

/**
 * The events of seals that were made since the check begins, and events since then of seals that are not there. Seals of
 * before were checked when their months were sealed.
 */
const IN_SCOPE = `(
              checked_since() <= to_timestamp(0)
              OR EXISTS (
                SELECT FROM trail_seals n
                WHERE n.workspace_id = t.workspace_id AND n.number = t.seal AND n.sealed_at >= checked_since()
              )
              OR t.observed_at >= checked_since() AND NOT EXISTS (
                SELECT FROM trail_seals n WHERE n.workspace_id = t.workspace_id AND n.number = t.seal
              )
            )`

/** The events of the first seals of a trail may be in an archive, or on their way there. */
const IS_HERE = (number: string): string => `NOT EXISTS (
              SELECT FROM archived_trails a WHERE a.workspace_id = t.workspace_id AND ${number} <= a.seal
            )`

export const trailInvariants: ReadonlyArray<Invariant> = [
  rule(
    "trail_is_as_sealed",
    "Each seal covers its events as they were, and follows the seal before it."
  )(`
    SELECT workspace_id, CASE
      WHEN hash IS NULL THEN 'seal ' || covered || ' is missing, and its events are not'
      WHEN number <> COALESCE(number_before, 0) + 1 THEN 'a seal before seal ' || number || ' is missing'
      WHEN previous <> COALESCE(hash_before, '${NO_SEAL}') THEN 'seal ' || number || ' does not follow the one before'
      ELSE 'the events of seal ' || number || ' are not as sealed'
    END AS breach
    FROM (
      SELECT COALESCE(s.workspace_id, e.workspace_id) AS workspace_id, s.number, s.previous, s.hash, s.number_before,
        s.hash_before, e.seal AS covered, ${sealHashSql("s", "e")} AS found
      FROM (
        SELECT t.*, p.number AS number_before, p.hash AS hash_before FROM trail_seals t
        LEFT JOIN LATERAL (
          SELECT b.number, b.hash FROM trail_seals b WHERE b.workspace_id = t.workspace_id AND b.number < t.number
          ORDER BY b.number DESC LIMIT 1
        ) p ON true
        WHERE t.sealed_at >= checked_since() AND ${IS_HERE("t.number")}
      ) s
      FULL JOIN (
        SELECT b.workspace_id, b.seal, count(*) AS count, ${HASHES_IN_ORDER} AS hashes
        FROM (
          SELECT t.workspace_id, t.seal, t.observed_at, t.event_id, ${eventHashSql("t", "p.commitment")} AS hash
          FROM trail_events t
          LEFT JOIN subjects p ON p.workspace_id = t.workspace_id AND p.subject_id = t.subject_id
          WHERE t.seal IS NOT NULL AND ${IS_HERE("t.seal")} AND ${IN_SCOPE}
        ) b
        GROUP BY b.workspace_id, b.seal
      ) e ON e.workspace_id = s.workspace_id AND e.seal = s.number
    ) c
    WHERE c.hash IS NULL OR c.found IS DISTINCT FROM c.hash OR c.number <> COALESCE(c.number_before, 0) + 1
      OR c.previous <> COALESCE(c.hash_before, '${NO_SEAL}')
  `),
  rule(
    "archives_end_with_a_seal",
    "What is archived of a trail ends with a seal that is still in its chain."
  )(`
    SELECT a.workspace_id, 'the archive ends with seal ' || a.seal || ', which is another one now' AS breach
    FROM archived_trails a LEFT JOIN trail_seals s ON s.workspace_id = a.workspace_id AND s.number = a.seal
    WHERE s.hash IS DISTINCT FROM a.hash
  `),
  rule(
    "people_are_as_sealed",
    "The address of each person is the one that the trail's seals commit to."
  )(`
    SELECT p.workspace_id, 'person ' || p.subject_id AS breach FROM subjects p
    WHERE p.email IS NOT NULL AND p.commitment IS NOT NULL
      AND ${commitmentSql("p.salt", "p.email")} IS DISTINCT FROM p.commitment
  `)
]
