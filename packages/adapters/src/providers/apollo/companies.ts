import { countryOfCode } from "@outbound/domain/kernel/people/Countries.js"
import type {
  CompanyCriteria,
  CompanyPage,
  CompanySource,
  FoundCompany
} from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect, Schema } from "effect"
import {
  countryFields,
  domainAmong,
  firmographicEvidence,
  industryOf,
  united,
  unknownCompany,
  withinLimits
} from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import { declaredOf, type VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { APOLLO, headcountRange } from "./http.js"
import { Organization } from "./organization.js"

/** Credits per page. */
const PAGE_CREDITS = 1

const ROWS_MAX = 100
const PAGES_MAX = 3

const CompaniesPage = Schema.Struct({
  pagination: maybe(Schema.Struct({ total_pages: maybe(Schema.Number) })),
  organizations: Schema.Array(Organization)
})

const companyOf = (organization: Organization, at: string): FoundCompany | null => {
  const domain = domainAmong([organization.primary_domain, organization.website_url])
  if (domain === null) return null
  const found = {
    ...unknownCompany(domain),
    name: organization.name,
    description: organization.short_description,
    descriptionSource: organization.short_description === null ? null : ("vendor" as const),
    specialties: organization.keywords,
    socialUrl: addressOf(organization.linkedin_url),
    headcount: organization.estimated_num_employees,
    industry: industryOf(organization.industry),
    ...countryFields(organization.country),
    city: organization.city,
    foundedYear: organization.founded_year,
    totalFundingUsd: organization.total_funding,
    lastFundingRoundDate: organization.latest_funding_round_date
  }
  return { ...found, evidence: [firmographicEvidence(found, at)] }
}

/**
 * Industries need the vendor's own ids. Keywords can't be excluded, nor checked afterwards, because a search returns no
 * description. Places within listed countries can't be expressed.
 */
const serves = ({ countryCodes, industries, search }: CompanyCriteria): boolean =>
  search.kind === "firmographic" &&
  industries.length === 0 &&
  search.excludeKeywords.length === 0 &&
  (search.locations.length === 0 || countryCodes.length === 0)

export const makeCompanies = (http: VendorHttp, config: VendorConfig, spend: Spend): CompanySource => ({
  ...declaredOf(config, APOLLO, "company_source", {
    costMicros: PAGE_CREDITS * config.unitMicros,
    missRate: 0.15,
    latencyMillis: 1_500
  }),
  kinds: ["firmographic"],
  serves,
  search: (query) =>
    Effect.gen(function* () {
      const { search } = query
      if (search.kind !== "firmographic") {
        return yield* Effect.fail(http.failed("invalid", `it does not search by ${search.kind}`))
      }
      const at = new Date(yield* Clock.currentTimeMillis).toISOString()
      const countries = query.countryCodes.map((code) => countryOfCode(code)?.name ?? code)
      const rows = Math.min(query.limit, ROWS_MAX)
      const { isMore, items } = yield* gather({
        first: 1,
        pagesMax: PAGES_MAX,
        itemsMax: query.limit,
        ask: (page: number) =>
          http
            .read(CompaniesPage, {
              method: "POST",
              path: "/mixed_companies/search",
              hasEffect: true,
              query: {
                "organization_locations[]": search.locations.length > 0 ? search.locations : countries,
                "q_organization_keyword_tags[]": search.keywords,
                "organization_num_employees_ranges[]": headcountRange(query.headcountMin, query.headcountMax),
                page,
                per_page: rows
              }
            })
            .pipe(
              Effect.tap(() => spend(PAGE_CREDITS)),
              Effect.map(({ organizations, pagination }) => ({
                items: organizations,
                next: page < (pagination?.total_pages ?? 0) ? page + 1 : null
              }))
            )
      })
      const companies = united(items.flatMap((organization) => companyOf(organization, at) ?? []))
      const page: CompanyPage = { companies: withinLimits(query, companies), moreAvailable: isMore, places: [] }
      return page
    })
})
