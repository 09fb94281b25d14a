import type { CompanyQuery, CompanySource, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect, Schema } from "effect"
import {
  companyPage,
  countryFields,
  domainAmong,
  industryAmong,
  searchOf,
  similarEvidence,
  unknownCompany
} from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, listOf, maybe, maybeTexts } from "../shape.js"
import { setting } from "../../platform/setting.js"
import type { VendorParts } from "../Vendor.js"

export const OceanIoSettings = Schema.Struct({
  /** Its industry names, by canonical name. */
  industry_names: setting(Schema.Record(Schema.String, Schema.Array(Schema.NonEmptyString)), {}),
  /** Don't send industries that have no name above. */
  only_named_industries: setting(Schema.Boolean, false)
})

export type OceanIoSettings = typeof OceanIoSettings.Type

/** Credits per company. */
const COMPANY_CREDITS = 1

const ROWS_MAX = 100
const PAGES_MAX = 3

const Company = Schema.Struct({
  ...maybeTexts("domain", "name", "primaryCountry"),
  employeeCountLinkedin: maybe(Schema.Number),
  industries: listOf(Schema.String),
  description: maybe(Schema.String),
  yearFounded: maybe(Schema.Number),
  medias: maybe(Schema.Struct({ linkedin: maybe(Schema.Struct({ url: maybe(Schema.String) })) }))
})

/** A grade ("A" is best) or a number, depending on the version. */
const Relevance = Schema.Union([Schema.Number, Schema.String])

/** The company in its own member, or beside the relevance. */
const Row = Schema.Union([
  Schema.Struct({ company: Company, relevance: maybe(Relevance) }),
  Schema.Struct({ ...Company.fields, relevance: maybe(Relevance) })
])

const CompaniesPage = Schema.Struct({
  companies: Schema.Array(Row),
  searchAfter: maybe(Schema.String),
  total: maybe(Schema.Number)
})

/** 0 to 1. A grade counts by its letter. */
const scoreOf = (relevance: typeof Relevance.Type | null): number => {
  if (typeof relevance === "number") return Math.min(1, Math.max(0, relevance))
  const grade = relevance === null ? -1 : "ABCDE".indexOf(relevance.trim().toUpperCase())
  return grade < 0 ? 0.5 : 1 - grade * 0.2
}

const companyOf = (row: typeof Row.Type, query: CompanyQuery, like: string, at: string): FoundCompany | null => {
  const company = "company" in row ? row.company : row
  const domain = domainAmong([company.domain])
  if (domain === null || domain === like) return null
  const industries = company.industries.slice(0, 3).join(", ")
  return {
    ...unknownCompany(domain),
    name: company.name,
    description: company.description,
    descriptionSource: company.description === null ? null : "vendor",
    socialUrl: addressOf(company.medias?.linkedin?.url ?? null),
    headcount: company.employeeCountLinkedin,
    industry: industryAmong(company.industries, query.industries),
    ...countryFields(company.primaryCountry),
    foundedYear: company.yearFounded,
    evidence: [
      similarEvidence(`Resembles ${like}${industries === "" ? "" : `: ${industries}`}`, at, scoreOf(row.relevance))
    ]
  }
}

export const makeCompanies = ({ charged, declared, http, settings }: VendorParts<OceanIoSettings>): CompanySource => {
  const namesOf = (industry: string): ReadonlyArray<string> =>
    settings.industry_names[industry] ?? (settings.only_named_industries ? [] : [industry])

  const filtersOf = (query: CompanyQuery, like: string) => {
    const { countryCodes, headcountMax, headcountMin, industries } = query
    return {
      lookalikeDomains: [like],
      excludeDomains: [like],
      employeeCountLinkedin: { from: headcountMin, ...(headcountMax === null ? {} : { to: headcountMax }) },
      ...(countryCodes.length === 0
        ? {}
        : { primaryLocations: { includeCountries: countryCodes.map((code) => code.toLowerCase()) } }),
      ...(industries.length === 0
        ? {}
        : { industries: { industries: [...new Set(industries.flatMap(namesOf))], mode: "anyOf" } })
    }
  }

  return {
    ...declared("company_source", { units: 25 * COMPANY_CREDITS, missRate: 0.1, latencyMillis: 2_000 }),
    kinds: ["similar"],
    serves: ({ industries, search }) =>
      search.kind === "similar" && industries.every((industry) => namesOf(industry).length > 0),
    search: searchOf(http, "similar", (query, { companyDomain }) =>
      Effect.gen(function* () {
        const at = new Date(yield* Clock.currentTimeMillis).toISOString()
        const companiesFilters = filtersOf(query, companyDomain)
        const { isMore, items } = yield* gather({
          first: "",
          pagesMax: PAGES_MAX,
          itemsMax: query.limit,
          ask: (cursor: string, missing) => {
            const size = Math.min(missing, ROWS_MAX)
            const body = { size, ...(cursor === "" ? {} : { searchAfter: cursor }), companiesFilters }
            return Effect.map(
              charged(
                CompaniesPage,
                { path: "/v3/search/companies", body },
                ({ companies }) => companies.length * COMPANY_CREDITS
              ),
              ({ companies, searchAfter }) => ({ items: companies, next: searchAfter })
            )
          }
        })
        const found = items.flatMap((row) => companyOf(row, query, companyDomain, at) ?? [])
        return companyPage(query, found, isMore)
      })
    )
  }
}
