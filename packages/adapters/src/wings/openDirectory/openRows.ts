import { OpenLoadMachine } from "@outbound/domain/wings/openDirectory/OpenLoadMachine.js"
import type { KeptOpenCompany, OpenLoad } from "@outbound/domain/wings/openDirectory/OpenDirectoryStore.js"
import { OPEN_PUBLISHERS, type OpenCompany, openKeysOf } from "@outbound/domain/wings/openDirectory/OpenRecords.js"
import { Schema } from "effect"
import { Count, Millis } from "../../postgres/Columns.js"
import { textsOrNull, texts } from "../../postgres/Table.js"

export const LoadRow = Schema.Struct({
  publisher: Schema.Literals(OPEN_PUBLISHERS),
  ...texts("part", "fileKey", "claimId"),
  generation: Schema.Int,
  state: Schema.Literals(OpenLoadMachine.states),
  position: Count,
  cursor: Schema.String,
  added: Count,
  updated: Count,
  known: Count,
  retired: Count,
  refused: Schema.Record(Schema.String, Schema.Struct({ count: Schema.Int, first: Schema.Int })),
  heldBefore: Schema.NullOr(Count),
  beganAtMillis: Millis,
  endedAtMillis: Schema.NullOr(Millis)
})

export const loadOf = (row: typeof LoadRow.Type): OpenLoad => row

export const KeptRow = Schema.Struct({
  publisher: Schema.Literals(OPEN_PUBLISHERS),
  ...texts("ref", "name", "countryCode", "licence", "attribution", "observedOn"),
  ...textsOrNull("domain", "category", "categoryInEnglish", "city", "region", "url"),
  isDomainStated: Schema.Boolean,
  headcount: Schema.NullOr(Schema.Int),
  foundedYear: Schema.NullOr(Schema.Int),
  score: Schema.Number
})

/** Of a row `one` and its line of business `k`. */
export const KEPT_COLUMNS = `
  one.publisher, one.ref, one.name, one.country_code AS "countryCode", one.licence, one.attribution,
  to_char(one.observed_on, 'YYYY-MM-DD') AS "observedOn", one.domain, k.name AS category,
  nullif(k.in_english, '') AS "categoryInEnglish", one.city, one.region, one.url,
  one.is_domain_stated AS "isDomainStated", one.headcount, one.founded_year AS "foundedYear", one.score
`

export const keptOf = (row: typeof KeptRow.Type): KeptOpenCompany => row

/** The columns of a company as they are written, with their types. What a change of makes an update stands first. */
export const COMPARED = [
  ["name", "text"],
  ["category_id", "integer"],
  ["city", "text"],
  ["region", "text"],
  ["country_code", "text"],
  ["headcount", "integer"],
  ["founded_year", "integer"],
  ["url", "text"],
  ["licence", "text"],
  ["attribution", "text"],
  ["score", "real"]
] as const

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** A company as the record of a statement. Nulls are left out. */
export const recordOf = (company: OpenCompany, loadedAtMillis: number): Readonly<Record<string, unknown>> => {
  const { cityKey, nameKey, regionKey } = openKeysOf(company)
  return {
    ref: company.ref,
    name: company.name,
    domain: company.domain ?? undefined,
    category: company.category ?? undefined,
    in_english: company.categoryInEnglish ?? "",
    city: company.city ?? undefined,
    region: company.region ?? undefined,
    country_code: company.countryCode,
    headcount: company.headcount ?? undefined,
    founded_year: company.foundedYear ?? undefined,
    url: company.url ?? undefined,
    licence: company.licence,
    attribution: company.attribution,
    observed_on: company.observedOn ?? dayOf(loadedAtMillis),
    score: company.score,
    name_key: nameKey,
    city_key: cityKey ?? undefined,
    region_key: regionKey ?? undefined
  }
}
