import { countryNamed as countryWithName } from "@outbound/domain/kernel/people/Countries.js"
import { INDUSTRIES } from "@outbound/domain/kernel/people/Industries.js"
import { titleFits } from "@outbound/domain/data/matching/titles.js"
import type { InterpretedPlace, LeadPage, LeadQuery } from "@outbound/domain/sources/ports/LeadSource.js"
import { fold } from "./Text.js"
import { personOf, type PlacedCity, type World } from "./World.js"
import { countryCodeOf } from "./CountryCodes.js"
import { AREAS, COUNTRIES, COUNTRY_ALIASES, REGIONS } from "./Places.js"

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

/** The country of this world that a phrase names, in whatever language. */
const inAnyLanguage = (phrase: string): string | undefined => {
  const code = countryWithName(phrase)?.code
  return code === undefined ? undefined : COUNTRIES.find(({ name }) => countryCodeOf(name) === code)?.name
}

const countryNamed = (folded: string): string | undefined =>
  COUNTRIES.find(({ name }) => fold(name) === folded)?.name ?? COUNTRY_ALIASES[folded] ?? inAnyLanguage(folded)

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

  const alias = COUNTRY_ALIASES[key] ?? inAnyLanguage(phrase)
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

const WORD_LENGTH_MIN = 3
const WORDS_MAX = 40
const STOP_WORDS: ReadonlySet<string> = new Set([
  "and",
  "the",
  "for",
  "with",
  "who",
  "that",
  "are",
  "from",
  "their",
  "people",
  "companies",
  "company"
])

/** The words of the audience that could stand in a title or in the name of an industry. */
export const steeringWords = (audience: string): ReadonlyArray<string> =>
  [...new Set(fold(audience).split(/[^\p{L}\p{N}]+/u))]
    .filter((word) => word.length >= WORD_LENGTH_MIN && !STOP_WORDS.has(word))
    .slice(0, WORDS_MAX)
    .map((word) => (word.length > 4 && word.endsWith("s") ? word.slice(0, -1) : word))

/** How many of the words a text holds. */
export const overlap = (text: string, words: ReadonlyArray<string>): number => {
  const folded = fold(text)
  return words.reduce((count, word) => (folded.includes(word) ? count + 1 : count), 0)
}

/** 1 for each company that the query's own filters let through. */
const companiesMask = (world: World, query: LeadQuery): Uint8Array => {
  const industries = new Set(query.industries.map(fold))
  const domains = new Set(query.companyDomains.map((domain) => domain.toLowerCase()))
  const industryMask = INDUSTRIES.map((name) => industries.size === 0 || industries.has(fold(name)))
  return Uint8Array.from(world.companies, (company) =>
    industryMask[company.industry] === true &&
    (domains.size === 0 || domains.has(company.domain)) &&
    (query.headcountMin === null || company.headcount >= query.headcountMin) &&
    (query.headcountMax === null || company.headcount <= query.headcountMax)
      ? 1
      : 0
  )
}

/**
 * Everybody who passes all filters, those first whose title and industry share most words with the audience. The
 * order is total and does not depend on `limit`: a longer list begins with the shorter one.
 */
export const search = (world: World, query: LeadQuery): LeadPage => {
  const isSought = titleFits(query.titles)
  const titleMask = Uint8Array.from(world.titles, ({ text }) => (isSought(text) === true ? 1 : 0))
  const { mask: cityMask, places } = locate(query.locations, world.cities)
  const everywhere = query.locations.length === 0
  const companyMask = companiesMask(world, query)

  const words = steeringWords(query.audience)
  const titleScore = world.titles.map(({ text }) => overlap(text, words))
  const industryScore = INDUSTRIES.map((name) => overlap(name, words))

  const limit = Math.max(0, Math.floor(query.limit))
  const byScore: Array<Array<number>> = []
  let totalFound = 0
  for (const person of world.searchOrder) {
    const company = world.companyOf[person] ?? 0
    const title = world.titleOf[person] ?? 0
    if (companyMask[company] !== 1 || titleMask[title] !== 1) continue
    if (!everywhere && cityMask[world.cityOf[person] ?? 0] !== 1) continue
    totalFound++
    const score = (titleScore[title] ?? 0) + (industryScore[world.companies[company]?.industry ?? 0] ?? 0)
    const bucket = (byScore[score] ??= [])
    if (bucket.length < limit) bucket.push(person)
  }
  const people: Array<number> = []
  for (let score = byScore.length - 1; score >= 0 && people.length < limit; score--) {
    people.push(...(byScore[score] ?? []).slice(0, limit - people.length))
  }
  return { people: people.map((person) => personOf(world, person)), totalFound, places }
}
