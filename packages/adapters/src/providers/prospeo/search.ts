import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { readCountry } from "@outbound/domain/kernel/people/Countries.js"
import type { LeadCriteria, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Schema } from "effect"
import { gather } from "../pages.js"
import { ExpiringCache } from "../../platform/ExpiringCache.js"
import { listOf, maybe } from "../shape.js"
import type { VendorHttp } from "../VendorHttp.js"
import { personOf, ProspeoCompany, ProspeoPerson } from "./enrich.js"
import type { VendorParts } from "../Vendor.js"

const ROWS_PER_PAGE = 25
const PAGES_MAX = 8
const PAGE_CREDITS = 1

/** The longest and the shortest text it has suggestions for. */
const WORD_CHARS_MAX = 100
const WORD_CHARS_MIN = 2

/** Its vocabulary is cached for a day. */
const WORDS_MAX = 2_000
const WORDS_KEPT_MILLIS = DAY_MILLIS
const SUGGESTIONS_AT_ONCE_MAX = 4

const Results = Schema.Struct({
  results: Schema.Array(Schema.Struct({ person: ProspeoPerson, company: maybe(ProspeoCompany) })),
  pagination: maybe(Schema.Struct({ total_page: maybe(Schema.Number), total_count: maybe(Schema.Number) }))
})

/** No results. Other errors are classified as failures earlier. */
const NoResults = Schema.Struct({ error: Schema.Literal(true) })

const Word = Schema.Union([Schema.String, Schema.Struct({ name: Schema.String })])
const Suggestions = Schema.Struct({ location_suggestions: listOf(Word), industry_suggestions: listOf(Word) })

type Kind = "location" | "industry"

/** Matches the first part of a place, and the country if one is given. */
const isPlace = (asked: string, name: string): boolean => {
  if (fold(asked) === fold(name)) return true
  const parts = (text: string) => text.split(",").map((part) => part.trim())
  const [own = "", ...around] = parts(asked)
  const [same = "", ...of] = parts(name)
  if (fold(own) !== fold(same)) return false
  const country = readCountry(around.at(-1) ?? null)
  return country === null || readCountry(of.at(-1) ?? null)?.code === country.code
}

/** Its names for places and industries, the only ones its filters accept. Suggestions are free. */
const makeWords = (http: VendorHttp) => {
  const cache = new ExpiringCache<ReadonlyArray<string>>(WORDS_MAX)

  const suggested = (kind: Kind, text: string): Effect.Effect<ReadonlyArray<string>, ProviderFailure> =>
    Effect.gen(function* () {
      const word = text.trim().slice(0, WORD_CHARS_MAX)
      if (word.length < WORD_CHARS_MIN) return []
      const nowMillis = yield* Clock.currentTimeMillis
      const key = `${kind} ${fold(word)}`
      const cached = cache.get(key, nowMillis)
      if (cached !== undefined) return cached
      const answer = yield* http.ask(
        Schema.Union([NoResults, Suggestions]),
        "/search-suggestions",
        kind === "location" ? { location_search: word } : { industry_search: word }
      )
      const words =
        "error" in answer ? [] : kind === "location" ? answer.location_suggestions : answer.industry_suggestions
      const names = words.map((one) => (typeof one === "string" ? one : one.name))
      cache.set(key, names, nowMillis, WORDS_KEPT_MILLIS)
      return names
    })

  const place = (asked: string) =>
    Effect.map(suggested("location", asked.split(",")[0] ?? asked), (names) =>
      names.filter((name) => isPlace(asked, name)).slice(0, 1)
    )
  const industry = (asked: string) =>
    Effect.map(suggested("industry", asked), (names) => names.filter((name) => fold(name) === fold(asked)).slice(0, 1))
  const all =
    (of: (asked: string) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>) => (asked: ReadonlyArray<string>) =>
      Effect.map(Effect.forEach(asked, of, { concurrency: SUGGESTIONS_AT_ONCE_MAX }), (found) => [
        ...new Set(found.flat())
      ])
  return { places: all(place), industries: all(industry) }
}

const hasFilter = ({ companyDomains, headcountMax, headcountMin, industries, locations, titles }: LeadCriteria) =>
  [companyDomains, industries, locations, titles].some(({ length }) => length > 0) ||
  headcountMin !== null ||
  headcountMax !== null

const include = (name: string, values: ReadonlyArray<string>) =>
  values.length === 0 ? {} : { [name]: { include: values } }

const filtersOf = (query: LeadQuery, places: ReadonlyArray<string>, industries: ReadonlyArray<string>) => ({
  ...include("person_job_title", query.titles),
  ...include("person_location_search", places),
  ...include("company_industry", industries),
  ...(query.companyDomains.length === 0 ? {} : { company: { websites: { include: query.companyDomains } } }),
  ...(query.headcountMin === null && query.headcountMax === null
    ? {}
    : {
        company_headcount_custom: {
          ...(query.headcountMin === null ? {} : { min: query.headcountMin }),
          ...(query.headcountMax === null ? {} : { max: query.headcountMax })
        }
      })
})

const NOBODY = { people: [], totalFound: 0, places: [] }

/** Searches people by filters, page by page. Each page is charged. */
export const makeSearch = ({ charged, http }: VendorParts): Pick<LeadSource, "serves" | "search"> => {
  const words = makeWords(http)
  return {
    serves: hasFilter,
    search: (query) =>
      Effect.gen(function* () {
        const beganMillis = yield* Clock.currentTimeMillis
        const places = yield* words.places(query.locations)
        const industries = yield* words.industries(query.industries)
        // If the vendor knows none of the values, nobody matches.
        if (query.locations.length > 0 && places.length === 0) return NOBODY
        if (query.industries.length > 0 && industries.length === 0) return NOBODY
        const filters = filtersOf(query, places, industries)
        let total = 0
        const { items } = yield* gather({
          first: 1,
          pagesMax: PAGES_MAX,
          itemsMax: query.limit,
          beganMillis,
          ask: (page: number) =>
            Effect.map(
              charged(
                Schema.Union([NoResults, Results]),
                { path: "/search-person", body: { filters, page } },
                (answer) => ("error" in answer ? 0 : PAGE_CREDITS)
              ),
              (answer) => {
                if ("error" in answer) return { items: [], next: null }
                total = Math.max(total, answer.pagination?.total_count ?? 0)
                const isLast =
                  answer.results.length < ROWS_PER_PAGE || page >= (answer.pagination?.total_page ?? Infinity)
                return { items: answer.results, next: isLast ? null : page + 1 }
              }
            )
        })
        return {
          people: items.map(({ company, person }) => personOf(person, company, query.industries)),
          totalFound: Math.max(total, items.length),
          places: []
        }
      })
  }
}
