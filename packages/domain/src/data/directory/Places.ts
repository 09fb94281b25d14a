import { countryOfCode, readCountry } from "../../kernel/people/Countries.js"
import { AREAS, REGIONS, STATES } from "./PlaceNames.js"
import { remembered } from "./remembered.js"

/** No key is longer, so that every key fits an index. */
const KEY_CHARS_MAX = 300

/** For comparing names of places: lower case, without accents, white space collapsed. */
export const foldPlace = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[.’']/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, KEY_CHARS_MAX)
    .trim()

/** Other languages in which countries are recognised, the first of them first. */
const LANGUAGES = ["de", "fr", "es", "it", "nl", "pt", "pl", "sv", "da"]
const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

let foreignNames: ReadonlyMap<string, string> | undefined

const codesByForeignName = (): ReadonlyMap<string, string> => {
  if (foreignNames !== undefined) return foreignNames
  const found = new Map<string, string>()
  const codes = LETTERS.flatMap((a) => LETTERS.map((b) => a + b)).filter((code) => countryOfCode(code) !== null)
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: "region" })
    for (const code of codes) {
      const key = foldPlace(names.of(code) ?? code)
      if (!found.has(key)) found.set(key, code)
    }
  }
  foreignNames = found
  return found
}

/** ISO 3166-1 alpha-2 of a country by its name, in English or another language, or its code; null where it names none. */
export const countryCodeOf = remembered(
  (text): string | null => readCountry(text)?.code ?? codesByForeignName().get(foldPlace(text)) ?? null
)

export const countryNameOf = (code: string): string => countryOfCode(code)?.name ?? code

/** What a country is matched by: its code, or its folded name where it is not understood. */
export const countryKeyOf = (country: string): string => countryCodeOf(country) ?? foldPlace(country)

/** "Greater Boston Area" is Boston. */
const bare = (key: string): string =>
  key
    .replace(/^greater /, "")
    .replace(/ (metropolitan area|metro area|metropolitan region|metroplex|area|region)$/, "")
    .replace(/^city of /, "")

export const cityKeyOf = remembered((city) => bare(foldPlace(city)) || foldPlace(city))

/** A state by its name: of the United States and Canada, by its code as well. */
export const regionKeyOf = (region: string): string => {
  const key = foldPlace(region)
  return STATES.find(({ code }) => code === key)?.name ?? cityKeyOf(region)
}

const stateNamed = (key: string) => STATES.find(({ code, name }) => code === key || name === key)

/** Whether what stands behind a city is its state, and not its country: a code in capitals, or a name that no country has. */
export const isState = (text: string): boolean => {
  const state = stateNamed(foldPlace(text))
  return (
    state !== undefined && (state.name === foldPlace(text) ? countryCodeOf(text) === null : /^[A-Z]{2}$/.test(text))
  )
}

/** The country of a state, by its name, or by a code that is no country's: "NL" is rather not Newfoundland. */
const countryOfRegion = (region: string): string | null => {
  const state = stateNamed(foldPlace(region))
  const isSure = state?.name === foldPlace(region) || countryOfCode(region) === null
  return isSure ? (state?.country ?? null) : null
}

/** A city or region, by key, anywhere or in one country. */
export interface NamedPlace {
  readonly key: string
  readonly countryKey: string | null
}

/** How a phrase for a place is understood. It holds for whoever is in one of its countries, or at one of its places. */
export interface PlaceMeaning {
  readonly requested: string
  readonly countryKeys: ReadonlyArray<string>
  readonly places: ReadonlyArray<NamedPlace>
}

/** Reads a phrase for a place: a country, a group of them, a known area, a city with its country or state, or a name. */
export const interpretPlace = (requested: string): PlaceMeaning => {
  const key = foldPlace(requested).replace(/^the /, "")
  const countries = (countryKeys: ReadonlyArray<string>): PlaceMeaning => ({ requested, countryKeys, places: [] })
  const area = AREAS.get(key) ?? AREAS.get(bare(key))
  if (area !== undefined) {
    return { requested, countryKeys: [], places: area.cities.map((city) => ({ key: city, countryKey: area.country })) }
  }
  const code = countryCodeOf(key)
  if (code !== null) return countries([code])
  const region = REGIONS.get(key) ?? REGIONS.get(key.replace(/ (region|countries)$/, ""))
  if (region !== undefined) return countries(region)
  const parts = key.split(/\s*,\s*/).filter((part) => part !== "")
  const last = parts.at(-1) ?? key
  if (parts.length > 1) {
    const countryKey = countryOfLast(last, parts.length)
    return { requested, countryKeys: [], places: [{ key: cityKeyOf(parts[0] ?? key), countryKey }] }
  }
  // A country that nobody else knows is still found by the name that its list has for it.
  return {
    requested,
    countryKeys: [foldPlace(requested)],
    places: [{ key: stateNamed(key)?.name ?? cityKeyOf(requested), countryKey: stateNamed(key)?.country ?? null }]
  }
}

/** Behind a city, `CA` is California and `IN` Indiana; behind a city and a state they are countries. So is Georgia. */
const countryOfLast = (last: string, parts: number): string | null => {
  const state = stateNamed(last)
  if (parts === 2 && state !== undefined && (state.code === last || countryCodeOf(last) === null)) return state.country
  return countryCodeOf(last) ?? state?.country ?? null
}

/** Where somebody is, by key. Whoever is in a state is in its country, where nothing else is said. */
export interface PlaceKeys {
  readonly cityKey: string | null
  readonly regionKey: string | null
  readonly countryKey: string | null
}

export const placeKeysOf = (at: {
  readonly city: string | null
  readonly region: string | null
  readonly country: string | null
}): PlaceKeys => ({
  cityKey: at.city === null ? null : cityKeyOf(at.city),
  regionKey: at.region === null ? null : regionKeyOf(at.region),
  countryKey: at.country !== null ? countryKeyOf(at.country) : at.region === null ? null : countryOfRegion(at.region)
})

/** Whether it holds for whoever is there. */
export const isAt = ({ countryKeys, places }: Omit<PlaceMeaning, "requested">, at: PlaceKeys): boolean =>
  (at.countryKey !== null && countryKeys.includes(at.countryKey)) ||
  places.some(
    ({ countryKey, key }) =>
      (key === at.cityKey || key === at.regionKey) && (countryKey === null || countryKey === at.countryKey)
  )
