import { countryOfCode } from "@outbound/domain/kernel/people/Countries.js"
import type { CompanyCriteria, CompanySource, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect, Schema } from "effect"
import {
  companyPage,
  countryFields,
  domainAmong,
  firmographicEvidence,
  industryOf,
  searchOf,
  unknownCompany
} from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, maybe } from "../shape.js"
import { headcountRange, Organization } from "./organization.js"
import type { VendorParts } from "../Vendor.js"

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

export const makeCompanies = ({ charged, declared, http }: VendorParts): CompanySource => ({
  ...declared("company_source", { units: PAGE_CREDITS, missRate: 0.15, latencyMillis: 1_500 }),
  kinds: ["firmographic"],
  serves,
  search: searchOf(http, "firmographic", (query, search) =>
    Effect.gen(function* () {
      const at = new Date(yield* Clock.currentTimeMillis).toISOString()
      const countries = query.countryCodes.map((code) => countryOfCode(code)?.name ?? code)
      const filters = {
        "organization_locations[]": search.locations.length > 0 ? search.locations : countries,
        "q_organization_keyword_tags[]": search.keywords,
        "organization_num_employees_ranges[]": headcountRange(query.headcountMin, query.headcountMax),
        per_page: Math.min(query.limit, ROWS_MAX)
      }
      const { isMore, items } = yield* gather({
        first: 1,
        pagesMax: PAGES_MAX,
        itemsMax: query.limit,
        ask: (page: number) =>
          Effect.map(
            charged(
              CompaniesPage,
              { path: "/mixed_companies/search", query: { ...filters, page } },
              () => PAGE_CREDITS
            ),
            ({ organizations, pagination }) => ({
              items: organizations,
              next: page < (pagination?.total_pages ?? 0) ? page + 1 : null
            })
          )
      })
      const companies = items.flatMap((organization) => companyOf(organization, at) ?? [])
      return companyPage(query, companies, isMore)
    })
  )
})
