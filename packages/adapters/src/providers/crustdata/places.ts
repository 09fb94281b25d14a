import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { type Country, countryNamed, readCountry } from "@outbound/domain/kernel/people/Countries.js"
import type { InterpretedPlace } from "@outbound/domain/sources/ports/LeadSource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect } from "effect"
import { allOf, anyOf, type Filter, isAnyOf, leaf } from "./filters.js"
import type { Words } from "./words.js"

const COUNTRY = "basic_profile.location.country"
const STATE = "basic_profile.location.state"
const CITY = "basic_profile.location.city"

/** The most cities for one name: "Frankfurt" is on the Main and on the Oder. */
const CITIES_MAX = 5

/** A place phrase as a filter, and its reading if it wasn't taken literally. */
export interface PlaceFilter {
  readonly filter: Filter
  readonly place: InterpretedPlace | null
}

interface Phrase {
  readonly requested: string
  /** The parts before the country, narrowest first. */
  readonly parts: ReadonlyArray<string>
  readonly country: Country | null
}

export const phraseOf = (requested: string): Phrase => {
  const parts = requested
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const country = countryNamed(parts.at(-1) ?? "")
  return { requested, parts: country === null ? parts : parts.slice(0, -1), country }
}

const isWithin = (text: string, value: string): boolean =>
  ` ${fold(value).replace(/[^\p{L}\p{N}]+/gu, " ")} `.includes(` ${fold(text).replace(/[^\p{L}\p{N}]+/gu, " ")} `)

const exactly = (values: ReadonlyArray<string>, text: string): string | null =>
  values.find((value) => fold(value) === fold(text)) ?? null

/** The vendor's name for the country. */
const countryValue = (words: Words, { code, name }: Country) =>
  Effect.map(words.near(COUNTRY, name), (near) => near.find((value) => readCountry(value)?.code === code) ?? name)

const countryFilter = (words: Words, country: Country | null): Effect.Effect<Filter | null, ProviderFailure> =>
  country === null
    ? Effect.succeed(null)
    : Effect.map(countryValue(words, country), (value) => leaf(COUNTRY, "=", value))

/** A state or region alone: "Texas", "Bavaria, Germany". */
const stateOf = (words: Words, { country, requested }: Phrase, text: string) =>
  Effect.gen(function* () {
    const state = exactly(yield* words.near(STATE, text), text)
    if (state === null) return null
    const filter = allOf([leaf(STATE, "=", state), yield* countryFilter(words, country)])
    return filter === null ? null : { filter, place: { requested, region: state, cities: [] } }
  })

const cityOf = (words: Words, phrase: Phrase, city: string, around: string | undefined) =>
  Effect.gen(function* () {
    const near = yield* words.near(CITY, city)
    const same = exactly(near, city)
    const cities = same === null ? near.filter((value) => isWithin(city, value)).slice(0, CITIES_MAX) : [same]
    if (cities.length === 0) return null
    const state = around === undefined ? null : exactly(yield* words.near(STATE, around), around)
    // A city of that name in another state doesn't match.
    if (around !== undefined && state === null) return null
    const filter = allOf([
      isAnyOf(CITY, cities),
      state === null ? null : leaf(STATE, "=", state),
      yield* countryFilter(words, phrase.country)
    ])
    if (filter === null) return null
    const region = phrase.country?.name ?? state ?? cities[0] ?? city
    return { filter, place: same === null ? { requested: phrase.requested, region, cities } : null }
  })

/** The place as a filter; null if the vendor doesn't know it. */
export const placeFilter = (words: Words, requested: string): Effect.Effect<PlaceFilter | null, ProviderFailure> =>
  Effect.gen(function* () {
    const phrase = phraseOf(requested)
    const [city, around] = phrase.parts
    if (city === undefined) {
      if (phrase.country === null) return null
      const value = yield* countryValue(words, phrase.country)
      const isLiteral = fold(value) === fold(requested)
      return {
        filter: leaf(COUNTRY, "=", value),
        place: isLiteral ? null : { requested, region: value, cities: [] }
      }
    }
    const named = yield* cityOf(words, phrase, city, around)
    if (around !== undefined) return named
    const state = yield* stateOf(words, phrase, city)
    if (state === null) return named
    // "New York" is a city and a state, and "Texas" also a small city: both match.
    const filter = named === null || named.place !== null ? null : anyOf([named.filter, state.filter])
    return filter === null ? state : { filter, place: state.place }
  })
