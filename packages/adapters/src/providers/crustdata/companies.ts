import { countryOfCode } from "@outbound/domain/kernel/people/Countries.js"
import type {
  CompanyCriteria,
  CompanyPage,
  CompanyQuery,
  CompanySearch,
  FoundCompany
} from "@outbound/domain/sources/ports/CompanySource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Schema } from "effect"
import {
  companyPage,
  countryFields,
  domainAmong,
  firmographicEvidence,
  industryOf,
  unknownCompany
} from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, listOf, maybe, maybeNumbers, maybeTexts, Numeric } from "../shape.js"
import { pageBody, readCharged } from "./endpoints.js"
import { allOf, anyOf, type Filter, isAnyOf, leaf, within } from "./filters.js"
import { ROW_CREDITS } from "./people.js"
import { phraseOf } from "./places.js"
import type { CrustdataSettings } from "./settings.js"
import { type IndustryWords, industryWords, type Words } from "./words.js"
import type { VendorParts } from "../Vendor.js"

const PAGES_MAX = 3

export const Company = Schema.Struct({
  basic_info: maybe(
    Schema.Struct({
      ...maybeTexts("name", "primary_domain", "website", "professional_network_url", "description"),
      year_founded: maybe(Numeric),
      industries: listOf(Schema.String)
    })
  ),
  headcount: maybe(Schema.Struct({ total: maybe(Schema.Number) })),
  funding: maybe(
    Schema.Struct({
      ...maybeNumbers("total_investment_usd", "last_round_amount_usd"),
      ...maybeTexts("last_fundraise_date", "last_round_type")
    })
  ),
  locations: maybe(Schema.Struct(maybeTexts("hq_country", "hq_city", "country", "city", "headquarters"))),
  taxonomy: maybe(
    Schema.Struct({
      professional_network_industry: maybe(Schema.String),
      categories: listOf(Schema.String),
      professional_network_specialities: listOf(Schema.String)
    })
  )
})
export type Company = typeof Company.Type

const CompaniesPage = Schema.Struct({
  companies: Schema.Array(Company),
  next_cursor: maybe(Schema.String),
  total_count: maybe(Schema.Number)
})

/** The vendor's industry, or the canonical one if known. */
export const industryIn = ({ basic_info, taxonomy }: Company, words?: IndustryWords): string | null => {
  const own = taxonomy?.professional_network_industry ?? basic_info?.industries[0] ?? null
  return own === null ? null : (words?.canonicalOf(own) ?? industryOf(own))
}

/** The city of "Berlin, Germany"; null for a country alone. */
const cityIn = (headquarters: string | null): string | null => {
  const parts = headquarters?.split(",").map((part) => part.trim()) ?? []
  return parts.length > 1 && parts[0] !== undefined && parts[0] !== "" ? parts[0] : null
}

/** Null if the company can't be identified. */
export const foundCompany = (company: Company, words?: IndustryWords): FoundCompany | null => {
  const { basic_info: basic, funding, locations, taxonomy } = company
  const domain = domainAmong([basic?.primary_domain ?? null, basic?.website ?? null])
  if (domain === null) return null
  return {
    ...unknownCompany(domain),
    name: basic?.name ?? null,
    description: basic?.description ?? null,
    descriptionSource: basic?.description == null ? null : "vendor",
    specialties: [...(taxonomy?.professional_network_specialities ?? []), ...(taxonomy?.categories ?? [])],
    socialUrl: addressOf(basic?.professional_network_url ?? null),
    headcount: company.headcount?.total ?? null,
    industry: industryIn(company, words),
    ...countryFields(locations?.hq_country ?? locations?.country ?? null),
    city: locations?.hq_city ?? locations?.city ?? cityIn(locations?.headquarters ?? null),
    foundedYear: basic?.year_founded ?? null,
    totalFundingUsd: funding?.total_investment_usd ?? null,
    lastFundingRoundDate: funding?.last_fundraise_date ?? null,
    lastFundingRoundAmountUsd: funding?.last_round_amount_usd ?? null
  }
}

type Firmographic = Extract<CompanySearch, { readonly kind: "firmographic" }>

/** Filters the country by code, and the rest of the location by the headquarters' text. */
const headquartersFilter = (countryField: string, location: string): Filter | null => {
  const { country, parts } = phraseOf(location)
  return allOf([
    ...parts.map((part) => leaf("locations.headquarters", "[.]", part)),
    country === null ? null : leaf(countryField, "in", [country.code3])
  ])
}

interface Parts extends Pick<VendorParts<CrustdataSettings>, "http" | "settings" | "spend"> {
  readonly words: Words
}

/** Descriptions aren't searchable: keywords match categories and markets only. */
export const servesFirmographics = (
  criteria: CompanyCriteria,
  { company_keyword_fields }: CrustdataSettings
): boolean =>
  criteria.search.kind === "firmographic" &&
  (criteria.search.keywords.length === 0 || company_keyword_fields.length > 0)

export const makeFirmographics =
  (parts: Parts) =>
  (query: CompanyQuery, search: Firmographic): Effect.Effect<CompanyPage, ProviderFailure> =>
    Effect.gen(function* () {
      const { settings, words } = parts
      const beganMillis = yield* Clock.currentTimeMillis
      const industries = yield* industryWords(words, settings.company_industry_field, query.industries)
      const countryField = settings.company_country_field
      const places = search.locations
        .map((location) => headquartersFilter(countryField, location))
        .filter((filter) => filter !== null)
      const isHopeless =
        (query.industries.length > 0 && industries.values.length === 0) ||
        (search.locations.length > 0 && places.length === 0)
      if (isHopeless) return { companies: [], moreAvailable: false, places: [] }
      const filters = allOf([
        isAnyOf(settings.company_industry_field, industries.values),
        isAnyOf(
          countryField,
          query.countryCodes.flatMap((code) => countryOfCode(code)?.code3 ?? [])
        ),
        anyOf(places),
        within("headcount.total", query.headcountMin, query.headcountMax),
        anyOf(
          search.keywords.flatMap((word) => settings.company_keyword_fields.map((field) => leaf(field, "[.]", word)))
        )
      ])
      const at = new Date(beganMillis).toISOString()
      const { isMore, items } = yield* gather({
        first: "",
        pagesMax: PAGES_MAX,
        itemsMax: query.limit,
        beganMillis,
        ask: (cursor: string, missing) =>
          Effect.map(
            readCharged(
              parts,
              CompaniesPage,
              "/company/search",
              {
                ...pageBody(filters, cursor, missing),
                sorts: [{ [settings.company_sort_key]: "crustdata_company_id", order: "asc" }],
                fields: settings.company_fields
              },
              ({ companies }) => companies.length * ROW_CREDITS
            ),
            ({ companies, next_cursor }) => ({ items: companies, next: next_cursor })
          )
      })
      const companies = items.flatMap((company) => {
        const found = foundCompany(company, industries)
        return found === null ? [] : [{ ...found, evidence: [firmographicEvidence(found, at)] }]
      })
      return companyPage(query, companies, isMore)
    })
