import { countryOfCode, readCountry } from "../../kernel/people/Countries.js"
import { AREAS, REGIONS, STATES } from "./PlaceNames.js"
import { remembered } from "./remembered.js"

/** Bounds keys so that they fit an index. */
const KEY_CHARS_MAX = 300

/** The form for comparing place names: lower case, no accents, single spaces. */
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

/** ISO 3166-1 alpha-2 of a country's name (in any language) or code. Null: not a country. */
export const countryCodeOf = remembered((text): string | null => readCountry(text)?.code ?? null)

export const countryNameOf = (code: string): string => countryOfCode(code)?.name ?? code

/** The key of a country: its code, or its folded name if unknown. */
export const countryKeyOf = (country: string): string => countryCodeOf(country) ?? foldPlace(country)

/** "Greater Boston Area" is Boston. */
const bare = (key: string): string =>
  key
    .replace(/^greater /, "")
    .replace(/ (metropolitan area|metro area|metropolitan region|metroplex|area|region)$/, "")
    .replace(/^city of /, "")

export const cityKeyOf = remembered((city) => bare(foldPlace(city)) || foldPlace(city))

/** The key of a state by name; in the United States and Canada by code too. */
export const regionKeyOf = (region: string): string => {
  const key = foldPlace(region)
  return STATES.find(({ code }) => code === key)?.name ?? cityKeyOf(region)
}

const stateNamed = (key: string) => STATES.find(({ code, name }) => code === key || name === key)

/** Whether the text after a city is a state, not a country: a code in capitals, or a name that no country has. */
export const isState = (text: string): boolean => {
  const state = stateNamed(foldPlace(text))
  return (
    state !== undefined && (state.name === foldPlace(text) ? countryCodeOf(text) === null : /^[A-Z]{2}$/.test(text))
  )
}

/** The country of a state's name or code. Codes that are also countries don't count: "NL" is hardly Newfoundland. */
const countryOfRegion = (region: string): string | null => {
  const state = stateNamed(foldPlace(region))
  const isSure = state?.name === foldPlace(region) || countryOfCode(region) === null
  return isSure ? (state?.country ?? null) : null
}

/** A city or region by key, anywhere or in one country. */
export interface NamedPlace {
  readonly key: string
  readonly countryKey: string | null
}

/** How a place phrase is read. It matches people in one of its countries or places. */
export interface PlaceMeaning {
  readonly requested: string
  readonly countryKeys: ReadonlyArray<string>
  readonly places: ReadonlyArray<NamedPlace>
}

/** Reads a place phrase: a country, a group of countries, a known area, a city in its country or state, or a name. */
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
  // A country unknown to us is still found by the name in the list.
  return {
    requested,
    countryKeys: [foldPlace(requested)],
    places: [{ key: stateNamed(key)?.name ?? cityKeyOf(requested), countryKey: stateNamed(key)?.country ?? null }]
  }
}

/** After a city, `CA` is California, `IN` Indiana, and Georgia the state. After a city and a state: countries. */
const countryOfLast = (last: string, parts: number): string | null => {
  const state = stateNamed(last)
  if (parts === 2 && state !== undefined && (state.code === last || countryCodeOf(last) === null)) return state.country
  return countryCodeOf(last) ?? state?.country ?? null
}

/** A location by key. A state implies its country, unless another is given. */
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

/** Whether the location matches. */
export const isAt = ({ countryKeys, places }: Omit<PlaceMeaning, "requested">, at: PlaceKeys): boolean =>
  (at.countryKey !== null && countryKeys.includes(at.countryKey)) ||
  places.some(
    ({ countryKey, key }) =>
      (key === at.cityKey || key === at.regionKey) && (countryKey === null || countryKey === at.countryKey)
  )
