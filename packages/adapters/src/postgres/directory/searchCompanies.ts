import {
  type CompaniesFilter,
  type CompaniesFound,
  MATCHES_COUNTED_MAX
} from "@outbound/domain/data/directory/DirectoryStore.js"
import { Effect, Schema } from "effect"
import { rows } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { COMPANIES_TABLE, CompanyRow } from "./DirectoryRows.js"
import { candidates, isThere, sizeOf, type Terms, vocabularyOf } from "./search.js"
import {
  allOf,
  anyOf,
  COMPANY_SHARES,
  type Condition,
  headcountCondition,
  namesCondition,
  phraseCondition,
  placeParameters,
  placesCondition,
  termsOf,
  wordsOfPartMax
} from "./terms.js"

const TERMS: Terms = {
  table: COMPANIES_TABLE.name,
  expression: `directory_company_terms(
    p.workspace_id, p.domain, p.words_folded, p.city_key, p.region_key, p.country_key, p.industry, p.headcount
  )`,
  shares: COMPANY_SHARES
}

const FoundRow = Schema.Struct({
  ...CompanyRow.fields,
  total: Schema.Int,
  held: Schema.Int
})

/** The matching candidates, best first. */
const matching = (
  sql: SqlClient,
  workspaceId: string,
  filter: CompaniesFilter,
  condition: Exclude<Condition, false>
) => {
  const { countryCodes, excludeKeywords, industries, keywords, steering, unknownSizePasses, words } = filter
  const [min, max] = [sizeOf(filter.headcountMin), sizeOf(filter.headcountMax)]
  const heldMin = Math.ceil(filter.wordsShareMin * words.length)
  return sql`
    SELECT ${sql.literal(COMPANIES_TABLE.read)}, total, held
    FROM (
      SELECT m.*, (count(*) OVER ())::integer AS total, row_number() OVER () AS position, (
        SELECT count(*) FROM unnest(${steering}::text[]) AS given (word) WHERE strpos(m.words_folded, given.word) > 0
      ) AS steered
      FROM (
        SELECT c.*, holds.held
        FROM (${candidates(sql, TERMS, workspaceId, condition)}) c
        CROSS JOIN LATERAL (
          SELECT count(*)::integer AS held FROM unnest(${words}::text[]) AS given (word)
          WHERE strpos(c.words_folded, given.word) > 0
        ) holds
        WHERE c.workspace_id = ${workspaceId} AND holds.held >= ${heldMin}
          AND (cardinality(${keywords}::text[]) = 0 OR EXISTS (
            SELECT 1 FROM unnest(${keywords}::text[]) AS given (keyword) WHERE strpos(c.about_folded, given.keyword) > 0
          ))
          AND NOT EXISTS (
            SELECT 1 FROM unnest(${excludeKeywords}::text[]) AS given (keyword)
            WHERE strpos(split_part(c.about_folded, chr(10), 1), given.keyword) > 0
          )
          AND ${isThere(sql, placeParameters(filter.places))}
          AND (cardinality(${countryCodes}::text[]) = 0 OR c.country_key = ANY(${countryCodes}::text[]))
          AND (cardinality(${industries}::text[]) = 0 OR c.industry = ANY(${industries}::text[]))
          AND (
            (c.headcount IS NULL AND ${unknownSizePasses})
            OR ((${min}::integer IS NULL OR c.headcount >= ${min}) AND (${max}::integer IS NULL OR c.headcount <= ${max}))
          )
        LIMIT ${MATCHES_COUNTED_MAX}
      ) m
    ) ranked
    ORDER BY held DESC, steered DESC, position
    LIMIT ${filter.limit}
  `.pipe(rows("directory.searchCompanies", FoundRow))
}

export const searchCompanies = (sql: SqlClient, workspaceId: string, filter: CompaniesFilter) =>
  Effect.gen(function* () {
    const { keywords, words } = filter
    const term = termsOf(workspaceId)
    const wordsMax = wordsOfPartMax(keywords.length + words.length)
    const vocabulary = yield* vocabularyOf(sql, workspaceId, "w", [...keywords, ...words], wordsMax)
    const phrase = (text: string) => phraseCondition(text, "w", { term, vocabulary, wordsMax })
    const size = filter.unknownSizePasses ? true : headcountCondition(filter, term)
    const others = [
      keywords.length === 0 ? true : anyOf(keywords.map(phrase)),
      placesCondition(filter.places, term),
      namesCondition("c", filter.countryCodes, term),
      namesCondition("i", filter.industries, term),
      size
    ]
    const inWords = words.map(phrase)
    // For plain words, first look for companies with all of them: otherwise the best might not be among those examined.
    const passes =
      words.length < 2
        ? [allOf([...others, ...inWords])]
        : [allOf([...others, ...inWords]), allOf([...others, anyOf(inWords)])]
    const found = new Map<string, CompaniesFound["companies"][number]>()
    let total = 0
    for (const condition of passes) {
      if (condition === false) continue
      const page = yield* matching(sql, workspaceId, filter, condition)
      total = Math.max(total, page[0]?.total ?? 0)
      for (const { held, total: _total, ...company } of page) {
        if (found.has(company.domain)) continue
        found.set(company.domain, { company, share: words.length === 0 ? 1 : held / words.length })
      }
      if (found.size >= filter.limit) break
    }
    return { companies: [...found.values()].slice(0, filter.limit), total } satisfies CompaniesFound
  })
