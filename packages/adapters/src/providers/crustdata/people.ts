import { titleFits } from "@outbound/domain/data/matching/titles.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type { LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { Person } from "@outbound/domain/sources/ports/Person.js"
import { Clock, Effect, Schema } from "effect"
import { industryAmong } from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, listOf, maybe, maybeTexts, textsOf } from "../shape.js"
import { pageBody, readCharged } from "./endpoints.js"
import { allOf, anyOf, type Filter, isAnyOf, leaf, within } from "./filters.js"
import { type PlaceFilter, placeFilter } from "./places.js"
import type { CrustdataSettings } from "./settings.js"
import { type IndustryWords, industryWords, type Words } from "./words.js"
import type { VendorParts } from "../Vendor.js"

const CURRENT = "experience.employment_details.current"
export const CURRENT_TITLE = `${CURRENT}.title`
export const CURRENT_DOMAIN = `${CURRENT}.company_website_domain`
const CURRENT_HEADCOUNT = `${CURRENT}.company_headcount_latest`

/** Credits per row of a search. */
export const ROW_CREDITS = 0.03

const PAGES_MAX = 3
const PLACES_AT_ONCE_MAX = 4

const Employment = Schema.Struct({
  ...maybeTexts("name", "title"),
  // The filter and the answer use different names.
  company_website_domain: textsOf,
  company_website: textsOf,
  company_headcount_latest: maybe(Schema.Number),
  company_industries: textsOf,
  start_date: maybe(Schema.String)
})
export type Employment = typeof Employment.Type

const Profile = Schema.Struct({
  basic_profile: maybe(
    Schema.Struct({
      ...maybeTexts("name", "first_name", "last_name", "current_title", "last_updated"),
      location: maybe(Schema.Struct({ city: maybe(Schema.String), country: maybe(Schema.String) }))
    })
  ),
  experience: maybe(Schema.Struct({ employment_details: maybe(Schema.Struct({ current: listOf(Employment) })) })),
  social_handles: maybe(
    Schema.Struct({
      professional_network_identifier: maybe(Schema.Struct({ profile_url: maybe(Schema.String) }))
    })
  ),
  metadata: maybe(Schema.Struct({ updated_at: maybe(Schema.String) }))
})
export type Profile = typeof Profile.Type

export const PeoplePage = Schema.Struct({
  profiles: Schema.Array(Profile),
  next_cursor: maybe(Schema.String),
  total_count: maybe(Schema.Number)
})

const domainsOf = (employment: Employment): ReadonlyArray<string> =>
  [...employment.company_website_domain, ...employment.company_website].flatMap((text) => registrableDomain(text) ?? [])

export const currentOf = ({ experience }: Profile): ReadonlyArray<Employment> =>
  experience?.employment_details?.current ?? []

/** A current position and its company. */
export interface Position {
  readonly employment: Employment
  readonly domain: string | null
}

/**
 * The position that matched. The search covers only current positions, so a single position with a single requested
 * company is at that company, even if the answer doesn't say so.
 */
export const positionOf = (
  profile: Profile,
  companyDomains: ReadonlyArray<string>,
  titles: ReadonlyArray<string>
): Position | null => {
  const current = currentOf(profile)
  const [only] = current
  const positions = current.map((employment): Position => {
    const domains = domainsOf(employment)
    return { employment, domain: domains.find((one) => companyDomains.includes(one)) ?? domains[0] ?? null }
  })
  if (only !== undefined && current.length === 1 && companyDomains.length === 1 && positions[0]?.domain === null) {
    return { employment: only, domain: companyDomains[0] ?? null }
  }
  const fits = ({ domain }: Position) => companyDomains.length === 0 || companyDomains.includes(domain ?? "")
  const isSought = titleFits(titles)
  const titled = ({ employment }: Position) => isSought(employment.title) === true
  return (
    positions.find((one) => fits(one) && titled(one)) ??
    positions.find(fits) ??
    positions.find(titled) ??
    positions[0] ??
    null
  )
}

export const profileUrlOf = ({ social_handles }: Profile): string | null =>
  addressOf(social_handles?.professional_network_identifier?.profile_url ?? null)

export const nameOf = ({ basic_profile }: Profile): string | null => {
  const joined = [basic_profile?.first_name, basic_profile?.last_name].filter((name) => name).join(" ")
  return basic_profile?.name ?? (joined === "" ? null : joined)
}

const personOf = (query: LeadQuery, industries: IndustryWords, profile: Profile): Person => {
  const position = positionOf(profile, query.companyDomains, query.titles)
  const basic = profile.basic_profile
  const named = (position?.employment.company_industries ?? []).map((one) => industries.canonicalOf(one) ?? one)
  return {
    fullName: nameOf(profile),
    firstName: basic?.first_name ?? null,
    lastName: basic?.last_name ?? null,
    title: position?.employment.title ?? basic?.current_title ?? null,
    companyName: position?.employment.name ?? null,
    companyDomain: position?.domain ?? null,
    companyHeadcount: position?.employment.company_headcount_latest ?? null,
    companyIndustry: industryAmong(named, query.industries),
    city: basic?.location?.city ?? null,
    country: basic?.location?.country ?? null,
    socialUrl: profileUrlOf(profile),
    observedAt: profile.metadata?.updated_at ?? basic?.last_updated ?? null
  }
}

interface Parts extends VendorParts<CrustdataSettings> {
  readonly words: Words
}

const NOBODY = { people: [], totalFound: 0, places: [] }

export const makeLeads = (parts: Parts): LeadSource => {
  const { declared, settings, words } = parts

  const filterOf = (query: LeadQuery, industries: IndustryWords, places: ReadonlyArray<PlaceFilter>): Filter | null =>
    allOf([
      anyOf(query.titles.map((title) => leaf(CURRENT_TITLE, settings.title_operator, title))),
      anyOf(places.map(({ filter }) => filter)),
      isAnyOf(settings.person_industry_field, industries.values),
      isAnyOf(CURRENT_DOMAIN, query.companyDomains),
      within(CURRENT_HEADCOUNT, query.headcountMin, query.headcountMax)
    ])

  const page = (filters: Filter | null, cursor: string, limit: number) =>
    readCharged(
      parts,
      PeoplePage,
      "/person/search",
      {
        ...pageBody(filters, cursor, limit),
        // Without a sort order a second page may repeat the first.
        sorts: [{ field: "crustdata_person_id", order: "asc" }],
        fields: settings.person_fields
      },
      ({ profiles }) => profiles.length * ROW_CREDITS
    )

  return {
    ...declared("lead_source", { units: 25 * ROW_CREDITS, missRate: 0.1, latencyMillis: 2_000 }),
    // It refuses a search without filters.
    serves: (criteria) =>
      criteria.titles.length + criteria.locations.length + criteria.industries.length > 0 ||
      criteria.companyDomains.length > 0 ||
      criteria.headcountMin !== null ||
      criteria.headcountMax !== null,
    search: (query) =>
      Effect.gen(function* () {
        const beganMillis = yield* Clock.currentTimeMillis
        const industries = yield* industryWords(words, settings.person_industry_field, query.industries)
        const found = yield* Effect.forEach(query.locations, (location) => placeFilter(words, location), {
          concurrency: PLACES_AT_ONCE_MAX
        })
        const places = found.filter((place) => place !== null)
        // If the vendor knows none of the values, nobody matches.
        const isHopeless =
          (query.industries.length > 0 && industries.values.length === 0) ||
          (query.locations.length > 0 && places.length === 0)
        if (isHopeless) return NOBODY
        const filters = filterOf(query, industries, places)
        let total: number | null = null
        const { items } = yield* gather({
          first: "",
          pagesMax: PAGES_MAX,
          itemsMax: query.limit,
          beganMillis,
          ask: (cursor: string, missing) =>
            Effect.map(page(filters, cursor, missing), ({ next_cursor, profiles, total_count }) => {
              total ??= total_count
              return { items: profiles, next: next_cursor }
            })
        })
        return {
          people: items.map((profile) => personOf(query, industries, profile)),
          totalFound: Math.max(total ?? 0, items.length),
          places: places.flatMap(({ place }) => place ?? [])
        }
      })
  }
}
