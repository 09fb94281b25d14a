import {
  OPEN_MATCHES_MAX,
  type OpenFilter,
  type OpenFound
} from "@outbound/domain/wings/openDirectory/OpenDirectoryStore.js"
import { Effect, Schema } from "effect"
import { rows } from "../../postgres/Columns.js"
import type { SqlClient, Statement } from "../../postgres/Sql.js"
import { KEPT_COLUMNS, KeptRow, keptOf } from "./openRows.js"

/** The most rows that one probe of an index gives, of a line of business that is asked for or of each there is. */
const PROBE_ROWS_MAX = 2_000
const ANY_LINE_ROWS_MAX = 25
/** The most rows that a search looks at. */
const ROWS_EXAMINED_MAX = 20_000
/** Of more lines of business, rows are asked one by one. */
const PROBED_CATEGORIES_MAX = 500

const [CITY, REGION] = ["city_key", "region_key"] as const

const FoundRow = Schema.Struct({ ...KeptRow.fields, total: Schema.Int })

/** What every row must be, beside where it is and what it does. */
const restOf = (sql: SqlClient, filter: OpenFilter): Statement.Fragment => {
  const { countryCodes, headcountMax, headcountMin, unknownSizePasses } = filter
  const sized = [
    ...(headcountMin === null ? [] : [sql`c.headcount >= ${headcountMin}`]),
    ...(headcountMax === null ? [] : [sql`c.headcount <= ${headcountMax}`])
  ]
  return sql.and([
    sql`c.domain IS NOT NULL`,
    ...(countryCodes.length === 0 ? [] : [sql`c.country_code = ANY(${countryCodes}::text[])`]),
    ...(sized.length === 0
      ? []
      : [unknownSizePasses ? sql`(c.headcount IS NULL OR ${sql.and(sized)})` : sql.and(sized)])
  ])
}

/** The rows of each probe of an index: at each place, of each line of business, the surest first. */
const probes = (sql: SqlClient, filter: OpenFilter): ReadonlyArray<Statement.Fragment> => {
  const { categories, countryCodes, places } = filter
  const rest = restOf(sql, filter)
  const isProbed = categories !== null && categories.length <= PROBED_CATEGORIES_MAX
  const asked = sql`unnest(${categories ?? []}::integer[]) AS k (id)`
  const probe = (given: Statement.Fragment, at: Statement.Fragment, order: string, rowsMax: number) => sql`
    SELECT found.* FROM ${given} CROSS JOIN LATERAL (
      SELECT c.* FROM open_companies c WHERE ${at} AND ${rest} ORDER BY ${sql.literal(order)} LIMIT ${rowsMax}
    ) found
  `
  /** In whole countries, or everywhere: the index knows sizes, not how sure a row is. */
  const wide = (given: Statement.Fragment, at: Statement.Fragment, first: string) => {
    const order = `${first}c.category_id, c.headcount`
    if (isProbed)
      return probe(sql`${given} CROSS JOIN ${asked}`, sql`${at} AND c.category_id = k.id`, order, PROBE_ROWS_MAX)
    const ofLine = categories === null ? sql`TRUE` : sql`c.category_id = ANY(${categories}::integer[])`
    return probe(given, sql`${at} AND ${ofLine}`, order, PROBE_ROWS_MAX)
  }
  const inCountries = (codes: ReadonlyArray<string>) =>
    wide(sql`unnest(${codes}::text[]) AS p (code)`, sql`c.country_code = p.code`, "c.country_code, ")
  if (places === null) {
    if (countryCodes.length > 0) return [inCountries(countryCodes)]
    const nothing = sql`(SELECT 0) AS p (code)`
    return categories === null && !filter.unknownSizePasses
      ? [probe(nothing, sql`c.headcount IS NOT NULL`, "c.headcount", PROBE_ROWS_MAX)]
      : [wide(nothing, sql`TRUE`, "")]
  }
  const keys = places.places.map(({ key }) => key)
  const within = places.places.map(({ countryKey }) => countryKey)
  const named = (column: typeof CITY | typeof REGION) => {
    const given = sql`unnest(${keys}::text[], ${within}::text[]) AS p (key, code)`
    const at = sql`c.${sql.literal(column)} = p.key AND (p.code IS NULL OR c.country_code = p.code)`
    const { headcountMax, headcountMin, unknownSizePasses } = filter
    const inColumn = sql.literal(column === CITY ? "open_companies_in_city" : "open_companies_in_region")
    const each = (lines: Statement.Fragment, rowsMax: number) => sql`
      SELECT found.* FROM ${inColumn}(
        ${keys}::text[], ${within}::text[], ${lines}, ${rowsMax}, ${countryCodes}::text[],
        ${headcountMin}::integer, ${headcountMax}::integer, ${unknownSizePasses}
      ) found
    `
    if (categories !== null) return [each(sql`${categories}::integer[]`, isProbed ? PROBE_ROWS_MAX : ANY_LINE_ROWS_MAX)]
    // Some of each line, so that the commonest one does not fill the answer; and those of which none is known.
    return [
      each(sql`ARRAY(SELECT category_id FROM open_categories)`, ANY_LINE_ROWS_MAX),
      probe(given, sql`${at} AND c.category_id IS NULL`, "c.score DESC", ANY_LINE_ROWS_MAX)
    ]
  }
  return [
    ...(keys.length === 0 ? [] : [...named(CITY), ...named(REGION)]),
    ...(places.countryKeys.length === 0 ? [] : [inCountries(places.countryKeys)])
  ]
}

const all = (sql: SqlClient, parts: ReadonlyArray<Statement.Fragment>): Statement.Fragment =>
  parts.reduce((before, part) => sql`${before} UNION ALL ${part}`)

/** One company per domain: of several rows the one that knows its size, and then the surest. */
export const searchOpen = (sql: SqlClient, filter: OpenFilter) => {
  const legs = probes(sql, filter)
  if (legs.length === 0) return Effect.succeed<OpenFound>({ companies: [], total: 0 })
  return sql`
    SELECT ${sql.literal(KEPT_COLUMNS)}, one.total::integer AS total
    FROM (
      SELECT c.*, least(count(*) OVER (), ${OPEN_MATCHES_MAX}) AS total
      FROM (
        SELECT DISTINCT ON (x.domain) x.*
        FROM (SELECT * FROM (${all(sql, legs)}) examined LIMIT ${ROWS_EXAMINED_MAX}) x
        ORDER BY x.domain, NOT x.is_domain_stated, x.headcount IS NULL, x.score DESC, x.publisher, x.ref
      ) c
      ORDER BY NOT c.is_domain_stated, c.score DESC, c.domain
      LIMIT ${filter.limit}
    ) one
    LEFT JOIN open_categories k ON k.category_id = one.category_id
    ORDER BY NOT one.is_domain_stated, one.score DESC, one.domain
  `.pipe(
    rows("openDirectory.search", FoundRow),
    Effect.map((found): OpenFound => ({
      companies: found.map(({ total: _total, ...row }) => keptOf(row)),
      total: found[0]?.total ?? 0
    }))
  )
}
