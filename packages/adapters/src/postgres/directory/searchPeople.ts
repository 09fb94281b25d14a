import {
  MATCHES_COUNTED_MAX,
  type PeopleFilter,
  type PeopleFound,
  ROWS_EXAMINED_MAX
} from "@outbound/domain/data/directory/DirectoryStore.js"
import { titleNeedle } from "@outbound/domain/data/matching/titles.js"
import { Effect, Schema } from "effect"
import { rows } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { PEOPLE_TABLE, PersonRow } from "./DirectoryRows.js"
import { candidates, isThere, sizeOf, type Terms, vocabularyOf } from "./search.js"
import {
  allOf,
  anyOf,
  headcountCondition,
  namesCondition,
  PERSON_SHARES,
  phrasesOf,
  placeParameters,
  placesCondition,
  termsOf,
  titleCondition,
  wordsOfPartMax
} from "./terms.js"

const TERMS: Terms = {
  table: PEOPLE_TABLE.name,
  expression: `directory_person_terms(
    p.workspace_id, p.fingerprint, p.title_folded, p.city_key, p.region_key, p.country_key, p.industry, p.headcount
  )`,
  shares: PERSON_SHARES
}

const FoundRow = Schema.Struct({ ...PersonRow.fields, total: Schema.Int })

const NOBODY: PeopleFound = { people: [], total: 0 }

export const searchPeople = (sql: SqlClient, workspaceId: string, filter: PeopleFilter) =>
  Effect.gen(function* () {
    const { companyDomains, industries, places, steering, titles } = filter
    const term = termsOf(workspaceId)
    const needles = titles.map(titleNeedle)
    const phrases = phrasesOf(needles)
    const wordsMax = wordsOfPartMax(phrases.length)
    const byCompany = companyDomains.length > 0
    const vocabulary = byCompany
      ? new Map<string, ReadonlyArray<string>>()
      : yield* vocabularyOf(sql, workspaceId, "t", phrases, wordsMax)
    const condition = byCompany
      ? true
      : allOf([
          titles.length === 0
            ? true
            : anyOf(needles.map((needle) => titleCondition(needle, { term, vocabulary, wordsMax }))),
          placesCondition(places, term),
          namesCondition("i", industries, term),
          headcountCondition(filter, term)
        ])
    if (condition === false) return NOBODY
    // Few people work at the named companies, so check their rows one by one.
    const from = byCompany
      ? sql`
          SELECT p.* FROM directory_people p
          WHERE p.workspace_id = ${workspaceId} AND p.company_key = ANY(${companyDomains}::text[])
          LIMIT ${ROWS_EXAMINED_MAX}
        `
      : candidates(sql, TERMS, workspaceId, condition)
    const contained = needles.flatMap((needle) => needle.contained ?? [])
    const patterns = needles.flatMap(({ pattern }) => pattern ?? [])
    const [min, max] = [sizeOf(filter.headcountMin), sizeOf(filter.headcountMax)]
    const found = yield* sql`
      SELECT ${sql.literal(PEOPLE_TABLE.read)}, total
      FROM (
        SELECT m.*, (count(*) OVER ())::integer AS total, row_number() OVER () AS position, (
          SELECT count(*) FROM unnest(${steering}::text[]) AS given (word)
          WHERE strpos(m.title_folded, given.word) > 0 OR strpos(lower(m.industry), given.word) > 0
        ) AS steered
        FROM (
          SELECT c.* FROM (${from}) c
          WHERE c.workspace_id = ${workspaceId}
            AND (cardinality(${titles}::text[]) = 0 OR EXISTS (
              SELECT 1 FROM unnest(${contained}::text[]) AS given (title) WHERE strpos(c.title_folded, given.title) > 0
            ) OR EXISTS (
              SELECT 1 FROM unnest(${patterns}::text[]) AS given (pattern) WHERE c.title_folded ~ given.pattern
            ))
            AND ${isThere(sql, placeParameters(places))}
            AND (cardinality(${industries}::text[]) = 0 OR c.industry = ANY(${industries}::text[]))
            AND (${min}::integer IS NULL OR c.headcount >= ${min})
            AND (${max}::integer IS NULL OR c.headcount <= ${max})
          LIMIT ${MATCHES_COUNTED_MAX}
        ) m
      ) ranked
      ORDER BY steered DESC, position
      LIMIT ${filter.limit}
    `.pipe(rows("directory.searchPeople", FoundRow))
    return { people: found.map(({ total: _total, ...person }) => person), total: found[0]?.total ?? 0 }
  })
