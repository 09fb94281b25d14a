import type { CompanyCriteria, CompanySource, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect, Schema } from "effect"
import { companyPage, domainAmong, searchOf, similarEvidence, unknownCompany } from "../companies.js"
import { maybe } from "../shape.js"
import type { VendorParts } from "../Vendor.js"

const Companies = Schema.Struct({
  data: Schema.Array(Schema.Struct({ domain: maybe(Schema.String), organization: maybe(Schema.String) })),
  meta: maybe(Schema.Struct({ results: maybe(Schema.Number) }))
})

/** The size ranges it offers, with their bounds. */
const SIZES: ReadonlyArray<readonly [size: string, least: number, most: number]> = [
  ["1-10", 1, 10],
  ["11-50", 11, 50],
  ["51-200", 51, 200],
  ["201-500", 201, 500],
  ["501-1000", 501, 1000],
  ["1001-5000", 1001, 5000],
  ["5001-10000", 5001, 10_000],
  ["10001+", 10_001, Number.POSITIVE_INFINITY]
]

/** Whether any size matches, unknown included. */
const isAnySize = ({ headcountMax, headcountMin }: CompanyCriteria): boolean =>
  headcountMin <= 1 && headcountMax === null

/** The ranges within the requested one. Results don't include a size to check. */
const sizesOf = ({ headcountMax, headcountMin }: CompanyCriteria): ReadonlyArray<string> =>
  SIZES.filter(([, least, most]) => least >= headcountMin && most <= (headcountMax ?? Number.POSITIVE_INFINITY)).map(
    ([size]) => size
  )

/** Results hold only names and domains, so filters can't be checked afterwards. */
const serves = (criteria: CompanyCriteria): boolean =>
  criteria.search.kind === "similar" &&
  criteria.industries.length === 0 &&
  (isAnySize(criteria) || sizesOf(criteria).length > 0)

/** Similarity isn't reported: all results score the same. */
const SCORE = 0.5

/** Finds similar companies. The search is free. */
export const similarCompanies = ({ declared, http }: VendorParts): CompanySource => ({
  ...declared("company_source", { units: 0, missRate: 0.3, latencyMillis: 1500 }),
  kinds: ["similar"],
  serves,
  search: searchOf(http, "similar", (query, { companyDomain }) =>
    Effect.gen(function* () {
      const { countryCodes } = query
      const { data, meta } = yield* http.ask(Companies, "/discover", {
        similar_to: { domain: companyDomain },
        ...(isAnySize(query) ? {} : { headcount: sizesOf(query) }),
        ...(countryCodes.length === 0
          ? {}
          : { headquarters_location: { include: countryCodes.map((country) => ({ country })) } })
      })
      const observedAt = new Date(yield* Clock.currentTimeMillis).toISOString()
      const found = data.flatMap(({ domain: told, organization }): ReadonlyArray<FoundCompany> => {
        const domain = domainAmong([told])
        if (domain === null || domain === companyDomain) return []
        // Known only if a single country was requested.
        const countryCode = countryCodes.length === 1 ? (countryCodes[0] ?? null) : null
        const evidence = [similarEvidence(`Like ${companyDomain}`, observedAt, SCORE)]
        return [{ ...unknownCompany(domain), name: organization, countryCode, evidence }]
      })
      const page = companyPage(query, found, null)
      const total = meta?.results ?? null
      return total === null ? page : { ...page, moreAvailable: total > page.companies.length }
    })
  )
})
