/** Shared by searches of people and of companies. */
import { ROWS_EXAMINED_MAX } from "@outbound/domain/data/directory/DirectoryStore.js"
import { Effect, Schema } from "effect"
import { rows } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { type Condition, partsOf, SHARE, type Vocabulary } from "./terms.js"

/** How rows are found by their terms. */
export interface Terms {
  readonly table: string
  /** The indexed expression, for a row `p`. */
  readonly expression: string
  readonly shares: ReadonlyArray<string>
}

/** Larger than any company; the column's maximum. */
const HEADCOUNT_MAX = 2_147_483_647

export const sizeOf = (headcount: number | null): number | null =>
  headcount === null ? null : Math.min(headcount, HEADCOUNT_MAX)

/**
 * The rows that the index finds for a condition, share by share, or all of the workspace's rows if it excludes no one.
 * No plan reads ahead, so the cost grows with the rows taken. The caller must check the workspace again: terms hold
 * only a part of its id.
 */
export const candidates = (sql: SqlClient, terms: Terms, workspaceId: string, condition: Condition) =>
  condition === true
    ? sql`
        SELECT p.* FROM ${sql.literal(terms.table)} p WHERE p.workspace_id = ${workspaceId} LIMIT ${ROWS_EXAMINED_MAX}
      `
    : sql`
        SELECT p.* FROM unnest(${terms.shares}::text[]) AS given (share)
        CROSS JOIN LATERAL (
          SELECT p.* FROM ${sql.literal(terms.table)} p
          WHERE ${sql.literal(terms.expression)} @@ replace(${String(condition)}, ${SHARE}, given.share)::tsquery
        ) p
        LIMIT ${ROWS_EXAMINED_MAX}
      `

/** Whether a row `c` is at one of the places. */
export const isThere = (
  sql: SqlClient,
  at: {
    readonly everywhere: boolean
    readonly countryKeys: ReadonlyArray<string>
    readonly placeKeys: ReadonlyArray<string>
    readonly placesIn: ReadonlyArray<string>
  }
) => sql`(
  ${at.everywhere} OR c.country_key = ANY(${at.countryKeys}::text[])
  OR c.city_key = ANY(${at.placeKeys}::text[]) OR c.region_key = ANY(${at.placeKeys}::text[])
  OR c.city_key || chr(10) || c.country_key = ANY(${at.placesIn}::text[])
  OR c.region_key || chr(10) || c.country_key = ANY(${at.placesIn}::text[])
)`

/** Shorter parts have no trigram to search by. */
const PART_CHARS_MIN = 3

const WordRow = Schema.Struct({ pattern: Schema.String, word: Schema.String })

/** The words that contain parts of the phrases; per part, at most one more than can be used. */
export const vocabularyOf = (
  sql: SqlClient,
  workspaceId: string,
  kind: "t" | "w",
  phrases: ReadonlyArray<string>,
  wordsMax: number
) => {
  const patterns = new Set(
    phrases.flatMap((phrase) => partsOf(phrase).flatMap(({ exact, pattern }) => (exact === null ? [pattern] : [])))
  )
  if (patterns.size === 0) return Effect.succeed<Vocabulary>(new Map())
  // Long parts use the trigram index, which covers all workspaces; no other plan is allowed. Short parts have no
  // trigram, so we read the workspace's words.
  const isShort = (pattern: string) => pattern.replaceAll("%", "").length < PART_CHARS_MIN
  const long = [...patterns].filter((pattern) => !isShort(pattern))
  const short = [...patterns].filter(isShort)
  return sql`
    SELECT part.pattern, found.word
    FROM unnest(${long}::text[]) AS part (pattern)
    CROSS JOIN LATERAL (
      SELECT w.word
      FROM (SELECT w.* FROM directory_words w WHERE w.word LIKE part.pattern OFFSET 0) w
      WHERE w.workspace_id = ${workspaceId} AND w.kind = ${kind}
      LIMIT ${wordsMax + 1}
    ) found
    UNION ALL
    SELECT part.pattern, found.word
    FROM unnest(${short}::text[]) AS part (pattern)
    CROSS JOIN LATERAL (
      SELECT w.word FROM directory_words w
      WHERE w.workspace_id = ${workspaceId} AND w.kind = ${kind} AND w.word LIKE part.pattern
      LIMIT ${wordsMax + 1}
    ) found
  `.pipe(
    rows("directory.words", WordRow),
    Effect.map((found): Vocabulary => {
      const words = new Map<string, ReadonlyArray<string>>()
      for (const { pattern, word } of found) words.set(pattern, [...(words.get(pattern) ?? []), word])
      return words
    })
  )
}
