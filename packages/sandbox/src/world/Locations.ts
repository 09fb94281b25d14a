import type { InterpretedPlace } from "@outbound/domain/sources/ports/LeadSource.js"
import { countryCodeOf } from "./CountryCodes.js"
import { AREAS, COUNTRIES, COUNTRY_ALIASES, REGIONS } from "./Places.js"
import { fold } from "./Text.js"
import type { PlacedCity } from "./World.js"

export interface LocatedCities {
  /** 1 for each city that any of the phrases means. */
  readonly mask: Uint8Array
  /** One entry per country that a phrase means, for the phrases that were not taken literally. */
  readonly places: ReadonlyArray<InterpretedPlace>
}

interface Meaning {
  readonly country: string
  /** Null: the whole country. */
  readonly cities: ReadonlyArray<string> | null
  readonly literal: boolean
}

const STATE_CODES: Readonly<Record<string, string>> = {
  ny: "New York",
  ca: "California",
  il: "Illinois",
  ma: "Massachusetts",
  tx: "Texas",
  wa: "Washington",
  ga: "Georgia",
  co: "Colorado",
  fl: "Florida",
  pa: "Pennsylvania",
  or: "Oregon",
  mn: "Minnesota",
  az: "Arizona",
  tn: "Tennessee",
  ut: "Utah",
  mi: "Michigan",
  nc: "North Carolina",
  oh: "Ohio",
  on: "Ontario",
  bc: "British Columbia",
  qc: "Quebec"
}

const countryNamed = (folded: string): string | undefined =>
  COUNTRIES.find(({ name }) => fold(name) === folded)?.name ?? COUNTRY_ALIASES[folded]

/** Whether a phrase holds a name letter by letter; with other accents it is a reading, and told as one. */
const isSpelled = (phrase: string, name: string): boolean =>
  phrase.normalize("NFKC").toLowerCase().includes(name.toLowerCase())

/** Groups cities by country: a city's name, or a state's, may stand in several. */
const byCountry = (cities: ReadonlyArray<PlacedCity>, literal: boolean): ReadonlyArray<Meaning> =>
  [...new Set(cities.map(({ country }) => country))].map((country) => ({
    country,
    cities: cities.filter((city) => city.country === country).map(({ name }) => name),
    literal
  }))

const meaningsOf = (phrase: string, cities: ReadonlyArray<PlacedCity>): ReadonlyArray<Meaning> => {
  const key = fold(phrase)
  if (COUNTRIES.some(({ name }) => fold(name) === key)) {
    return [{ country: countryNamed(key) ?? "", cities: null, literal: true }]
  }
  const named = cities.filter(({ name }) => fold(name) === key)
  if (named.length > 0)
    return byCountry(
      named,
      named.every(({ name }) => isSpelled(phrase, name))
    )

  const alias = COUNTRY_ALIASES[key]
  if (alias !== undefined) return [{ country: alias, cities: null, literal: false }]
  const region = REGIONS[key] ?? REGIONS[key.replace(/^(the )/, "").replace(/ region$/, "")]
  if (region !== undefined) return region.map((country) => ({ country, cities: null, literal: false }))
  const area = AREAS[key] ?? AREAS[key.replace(/^(the |san francisco |greater )/, "")]
  if (area !== undefined) return [{ ...area, literal: false }]
  const inState = cities.filter(({ state }) => state !== null && fold(state) === key)
  if (inState.length > 0) return byCountry(inState, false)

  const [city = "", ...rest] = key.split(/\s*,\s*/)
  if (rest.length > 0) {
    const within = rest.at(-1) ?? ""
    const country = countryNamed(within)
    const countryCode = within.toUpperCase()
    const state = fold(STATE_CODES[within] ?? within)
    const found = cities.filter(
      (it) =>
        (fold(it.name) === city || AREAS[city]?.cities.includes(it.name) === true) &&
        (it.country === country ||
          countryCodeOf(it.country) === countryCode ||
          (it.state !== null && fold(it.state) === state))
    )
    return byCountry(
      found,
      found.every(({ name }) => isSpelled(phrase, name))
    )
  }
  const around = key.replace(/^greater /, "").replace(/ (metropolitan |metro )?area$/, "")
  return around === key
    ? []
    : byCountry(
        cities.filter(({ name }) => fold(name) === around),
        false
      )
}

/** Reads phrases for places. A phrase that names no place of this world finds nobody. */
export const locate = (phrases: ReadonlyArray<string>, cities: ReadonlyArray<PlacedCity>): LocatedCities => {
  const mask = new Uint8Array(cities.length)
  const places: Array<InterpretedPlace> = []
  for (const requested of new Set(phrases)) {
    for (const meaning of meaningsOf(requested, cities)) {
      const names = meaning.cities === null ? null : new Set(meaning.cities)
      cities.forEach((city, index) => {
        if (city.country === meaning.country && (names === null || names.has(city.name))) mask[index] = 1
      })
      if (!meaning.literal) places.push({ requested, region: meaning.country, cities: meaning.cities ?? [] })
    }
  }
  return { mask, places }
}
