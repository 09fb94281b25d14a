import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { countryNamed } from "@outbound/domain/kernel/people/Countries.js"
import type { InterpretedPlace, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { Person } from "@outbound/domain/sources/ports/Person.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Schema } from "effect"
import { domainAmong, industryOf } from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, listOf, maybe, maybeTexts } from "../shape.js"
import { headcountRange, Organization } from "./organization.js"
import type { VendorParts } from "../Vendor.js"

/** Credits to identify a person. */
const PERSON_CREDITS = 1

const ROWS_MAX = 100
const PAGES_MAX = 3
const MATCHED_AT_ONCE_MAX = 10
const DOMAINS_MAX = 1000

const Found = Schema.Struct({
  total_entries: maybe(Schema.Number),
  people: Schema.Array(Schema.Struct({ id: Schema.String }))
})

const Matched = Schema.Struct({
  ...maybeTexts("first_name", "last_name", "name", "title", "linkedin_url", "city", "country"),
  organization: maybe(Organization)
})

const Matches = Schema.Struct({ matches: listOf(Schema.NullOr(Matched)), credits_consumed: maybe(Schema.Number) })

const personOf = (person: typeof Matched.Type): Person => {
  const { organization } = person
  return {
    fullName: person.name,
    firstName: person.first_name,
    lastName: person.last_name,
    title: person.title,
    companyName: organization?.name ?? null,
    companyDomain: domainAmong([organization?.primary_domain ?? null, organization?.website_url ?? null]),
    companyHeadcount: organization?.estimated_num_employees ?? null,
    companyIndustry: industryOf(organization?.industry ?? null),
    city: person.city,
    country: person.country,
    socialUrl: addressOf(person.linkedin_url),
    observedAt: null
  }
}

/** A first name alone identifies nobody. */
const isSomebody = ({ fullName, lastName, socialUrl }: Person): boolean =>
  socialUrl !== null || (fullName !== null && lastName !== null)

/** Countries use the names in its answers. */
const placesOf = (locations: ReadonlyArray<string>): ReadonlyArray<InterpretedPlace> =>
  locations.flatMap((requested) => {
    const country = countryNamed(requested)
    return country === null || fold(country.name) === fold(requested)
      ? []
      : [{ requested, region: country.name, cities: [] }]
  })

/**
 * The free search returns neither last names nor companies, which isn't enough to identify people. So matches are
 * looked up by id, ten at a time; that is charged.
 */
export const makeLeads = ({ charged, declared, http }: VendorParts): LeadSource => {
  const find = (query: LeadQuery, page: number, rows: number) =>
    http.read(Found, {
      method: "POST",
      path: "/mixed_people/api_search",
      query: {
        "person_titles[]": query.titles,
        include_similar_titles: query.titles.length === 0 ? null : false,
        "person_locations[]": query.locations.map((location) => countryNamed(location)?.name ?? location),
        "q_organization_domains_list[]": query.companyDomains,
        "organization_num_employees_ranges[]": headcountRange(query.headcountMin, query.headcountMax),
        page,
        per_page: rows
      }
    })

  const match = (ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Person>, ProviderFailure> => {
    const peopleIn = ({ matches }: typeof Matches.Type) => matches.filter((one) => one !== null)
    return Effect.map(
      charged(
        Matches,
        { path: "/people/bulk_match", body: { details: ids.map((id) => ({ id })) } },
        (answer) => answer.credits_consumed ?? peopleIn(answer).length * PERSON_CREDITS
      ),
      (answer) => peopleIn(answer).map(personOf)
    )
  }

  return {
    ...declared("lead_source", { units: 25 * PERSON_CREDITS, missRate: 0.1, latencyMillis: 3_500 }),
    // Industries need the vendor's own ids.
    serves: ({ companyDomains, industries }) => industries.length === 0 && companyDomains.length <= DOMAINS_MAX,
    search: (query) =>
      Effect.gen(function* () {
        const beganMillis = yield* Clock.currentTimeMillis
        const rows = Math.min(query.limit, ROWS_MAX)
        let total = 0
        const found = yield* gather({
          first: 1,
          pagesMax: PAGES_MAX,
          itemsMax: query.limit,
          beganMillis,
          ask: (page: number) =>
            Effect.map(find(query, page, rows), ({ people, total_entries }) => {
              total = Math.max(total, total_entries ?? 0)
              return { items: people, next: people.length < rows ? null : page + 1 }
            })
        })
        const ids = found.items.map(({ id }) => id)
        if (ids.length === 0) return { people: [], totalFound: 0, places: [] }
        const { items } = yield* gather({
          first: 0,
          pagesMax: Math.ceil(ids.length / MATCHED_AT_ONCE_MAX),
          itemsMax: ids.length,
          beganMillis,
          isSparse: true,
          ask: (from: number) => {
            const next = from + MATCHED_AT_ONCE_MAX
            return Effect.map(match(ids.slice(from, next)), (people) => ({
              items: people.filter(isSomebody),
              next: next < ids.length ? next : null
            }))
          }
        })
        return { people: items, totalFound: Math.max(total, items.length), places: placesOf(query.locations) }
      })
  }
}
