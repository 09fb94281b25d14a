import { HEADCOUNT_MIN_DEFAULT } from "@outbound/domain/data/companies/findCompanies.js"
import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { countryNamed } from "@outbound/domain/kernel/people/Countries.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { isOthersSite } from "@outbound/domain/kernel/people/othersSites.js"
import type { CompanyCriteria, CompanySource, FoundCompany } from "@outbound/domain/sources/ports/CompanySource.js"
import type { InterpretedPlace } from "@outbound/domain/sources/ports/LeadSource.js"
import { Clock, Effect, Schema } from "effect"
import { companyPage, countryFields, searchOf, unknownCompany } from "../companies.js"
import { gather } from "../pages.js"
import { listOf, maybe, maybeTexts } from "../shape.js"
import { setting } from "../../platform/setting.js"
import type { VendorParts } from "../Vendor.js"

/** The fields requested set the price. The website is in the dearest group. */
const FIELD_MASK = [
  "places.id",
  "places.displayName",
  "places.formattedAddress",
  "places.addressComponents",
  "places.websiteUri",
  "places.primaryType",
  "places.types",
  "places.businessStatus",
  "nextPageToken"
]

export const GooglePlacesSettings = Schema.Struct({
  field_mask: setting(Schema.Array(Schema.NonEmptyString), FIELD_MASK),
  rows_per_page: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })), 20)
})

export type GooglePlacesSettings = typeof GooglePlacesSettings.Type

const wordsOf = (text: string): ReadonlyArray<string> =>
  fold(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) =>
      word.length > 4 && word.endsWith("ies")
        ? `${word.slice(0, -3)}y`
        : word.length > 3 && /(ss|sh|ch|x)es$/.test(word)
          ? word.slice(0, -2)
          : word.length > 3 && word.endsWith("s") && !word.endsWith("ss")
            ? word.slice(0, -1)
            : word
    )

/**
 * The requested category that one of a place's types names: "dentists" is `dentist`, "Italian restaurant"
 * `italian_restaurant`. Null: the types don't tell.
 */
const categoryAmong = (categories: ReadonlyArray<string>, types: ReadonlyArray<string>): string | null => {
  const named = types.map((type) => wordsOf(type).join(" "))
  return categories.find((category) => named.includes(wordsOf(category).join(" "))) ?? null
}

/** A type in words: `dental_clinic` as "dental clinic". */
const inWords = (type: string | null): string | null => type?.replaceAll("_", " ") ?? null

const partsOf = (location: string): ReadonlyArray<string> => location.split(",").map((part) => part.trim())

/**
 * How the vendor read the places. It answers in English: a search for "München" returns Munich. If no result is in a
 * city of the requested name, the most frequent city was meant.
 */
class Cities {
  readonly #counts = new Map<string, Map<string, number>>()

  /** Records a result in this city for the location. */
  found(location: string, city: string | null): void {
    if (city === null) return
    const counts = this.#counts.get(location) ?? new Map<string, number>()
    this.#counts.set(location, counts.set(city, (counts.get(city) ?? 0) + 1))
  }

  /** The places not taken literally. */
  understood(): ReadonlyArray<InterpretedPlace> {
    return [...this.#counts].flatMap(([requested, counts]) => {
      const [name = "", ...around] = partsOf(requested)
      if ([...counts.keys()].some((city) => fold(city) === fold(name))) return []
      const [most] = [...counts].sort(([, a], [, b]) => b - a)
      if (most === undefined) return []
      return [{ requested, region: countryNamed(around.at(-1) ?? "")?.name ?? name, cities: [most[0]] }]
    })
  }
}

/** What a page costs, in requests. */
const PAGE_REQUESTS = 1

const PAGES_PER_TEXT_MAX = 3
/** The most requests of a search: each city and category pair is its own text. */
const REQUESTS_MAX = 15

const Place = Schema.Struct({
  id: maybe(Schema.String),
  displayName: maybe(Schema.Struct({ text: maybe(Schema.String) })),
  ...maybeTexts("formattedAddress", "websiteUri"),
  types: listOf(Schema.String),
  ...maybeTexts("primaryType", "businessStatus"),
  addressComponents: listOf(
    Schema.Struct({ longText: maybe(Schema.String), shortText: maybe(Schema.String), types: listOf(Schema.String) })
  )
})

type Place = typeof Place.Type

/** An empty result has no members. */
const PlacesPage = Schema.Struct({ places: listOf(Place), nextPageToken: maybe(Schema.String) })

const CITY_TYPES = ["locality", "postal_town", "administrative_area_level_3"]

const cityOf = ({ addressComponents }: Place): string | null => {
  for (const type of CITY_TYPES) {
    const component = addressComponents.find(({ types }) => types.includes(type))
    if (component !== undefined) return component.longText ?? component.shortText
  }
  return null
}

/** By the address's country component, else by its last line. */
const countryOf = ({ addressComponents, formattedAddress }: Place): string | null => {
  const component = addressComponents.find(({ types }) => types.includes("country"))
  const last = formattedAddress?.split(",").at(-1)?.trim() ?? ""
  return component?.shortText ?? component?.longText ?? countryNamed(last)?.name ?? null
}

/** The text of one request. */
interface Text {
  readonly location: string
  readonly textQuery: string
  readonly regionCode: string | null
}

const textsFor = (criteria: CompanyCriteria): ReadonlyArray<Text> => {
  if (criteria.search.kind !== "local") return []
  const { categories, locations } = criteria.search
  const wanted = categories.length === 0 ? ["businesses"] : categories
  return locations.flatMap((location) => {
    const country = countryNamed(location.split(",").at(-1)?.trim() ?? "")
    // Skips places outside the requested countries.
    if (criteria.countryCodes.length > 0 && country !== null && !criteria.countryCodes.includes(country.code)) return []
    return wanted.map((category) => ({
      location,
      textQuery: `${category} in ${location}`,
      regionCode: country?.code.toLowerCase() ?? null
    }))
  })
}

const companyOf = (place: Place, categories: ReadonlyArray<string>, at: string): FoundCompany | null => {
  const domain = registrableDomain(place.websiteUri ?? "")
  const name = place.displayName?.text ?? null
  const isClosed = place.businessStatus?.startsWith("CLOSED") ?? false
  if (domain === null || name === null || isClosed || isOthersSite(domain)) return null
  const types = [place.primaryType, ...place.types].filter((type) => type !== null)
  const subject = categories.length === 0 ? inWords(types[0] ?? null) : categoryAmong(categories, types)
  return {
    ...unknownCompany(domain),
    name,
    city: cityOf(place),
    ...countryFields(countryOf(place)),
    evidence: [
      {
        signal: "local",
        subject,
        text: null,
        summary: [name, place.formattedAddress].filter((part) => part !== null).join(", "),
        evidenceUrl:
          place.id === null ? null : `https://www.google.com/maps/place/?q=place_id:${encodeURIComponent(place.id)}`,
        observedAt: at,
        score: subject === null ? 0.6 : 0.9,
        confidence: "high"
      }
    ]
  }
}

/** Size and industry of a place are unknown. */
const serves = ({ headcountMax, headcountMin, industries, search }: CompanyCriteria): boolean =>
  search.kind === "local" && industries.length === 0 && headcountMax === null && headcountMin <= HEADCOUNT_MIN_DEFAULT

/** In the requested country, or of unknown country. */
const isWithin = (countryCodes: ReadonlyArray<string>, { countryCode }: FoundCompany): boolean =>
  countryCodes.length === 0 || countryCode === null || countryCodes.includes(countryCode)

export const makeCompanies = ({
  charged,
  declared,
  http,
  settings
}: VendorParts<GooglePlacesSettings>): CompanySource => {
  const ask = ({ regionCode, textQuery }: Text, pageToken: string) => {
    const body = {
      textQuery,
      pageSize: settings.rows_per_page,
      languageCode: "en",
      ...(regionCode === null ? {} : { regionCode }),
      ...(pageToken === "" ? {} : { pageToken })
    }
    const headers = { "x-goog-fieldmask": settings.field_mask.join(",") }
    return charged(PlacesPage, { path: "/v1/places:searchText", headers, body }, () => PAGE_REQUESTS)
  }

  return {
    ...declared("company_source", { units: 2 * PAGE_REQUESTS, missRate: 0.1, latencyMillis: 1_200 }),
    kinds: ["local"],
    serves,
    search: searchOf(http, "local", (query, search) =>
      Effect.gen(function* () {
        const at = new Date(yield* Clock.currentTimeMillis).toISOString()
        const texts = textsFor(query)
        const seen = new Set<string>()
        const cities = new Cities()
        const { isMore, items } = yield* gather({
          first: { text: 0, page: 0, token: "" },
          pagesMax: REQUESTS_MAX,
          itemsMax: query.limit,
          isSparse: true,
          ask: (cursor) => {
            const text = texts[cursor.text]
            if (text === undefined) return Effect.succeed({ items: [], next: null })
            return Effect.map(ask(text, cursor.token), ({ nextPageToken, places }) => {
              const companies = places.flatMap((place) => {
                const company = companyOf(place, search.categories, at)
                return company === null || !isWithin(query.countryCodes, company) ? [] : [company]
              })
              for (const { city } of companies) cities.found(text.location, city)
              const isLast = nextPageToken === null || cursor.page + 1 >= PAGES_PER_TEXT_MAX
              const next = isLast
                ? { text: cursor.text + 1, page: 0, token: "" }
                : { text: cursor.text, page: cursor.page + 1, token: nextPageToken }
              return {
                // A branch isn't another company.
                items: companies.filter(({ domain }) => !seen.has(domain) && seen.add(domain)),
                next: next.text < texts.length ? next : null
              }
            })
          }
        })
        return companyPage(query, items, isMore, cities.understood())
      })
    )
  }
}
