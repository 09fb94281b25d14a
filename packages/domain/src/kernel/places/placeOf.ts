import { readCountry } from "../people/Countries.js"
import type { Recipient } from "../sequences/Sequence.js"
import { zoneNamed } from "./zones.js"
import { areaRegions, callingCodes, citiesApart, cityZones, countryZones, regionZones } from "./zoneTable.js"

/** Where a person is, as far as their values say. */
export interface Place {
  /** An IANA zone; null: not known. */
  readonly timezone: string | null
  /** An ISO 3166-1 alpha-2 code; null: not known. */
  readonly country: string | null
}

/** The custom values that are read, by what their names are without spaces, marks and capitals. */
const NAMES = {
  timezone: ["timezone", "tz"],
  country: ["country", "countrycode", "countryname"],
  region: ["region", "state", "province", "statecode", "regioncode"],
  city: ["city", "town"],
  phone: ["phone", "phonenumber", "telephone", "mobile", "mobilephone"]
} as const

const simple = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

type Values = ReadonlyMap<string, string>

const read = (values: Values, of: keyof typeof NAMES): string | null => {
  for (const name of NAMES[of]) {
    const value = values.get(name)
    if (value !== undefined && value.trim() !== "") return value.trim()
  }
  return null
}

const CODE_DIGITS_MAX = 4
const AREA_DIGITS_MAX = 3

interface Phone {
  readonly country: string | null
  readonly region: string | null
}

const NO_PHONE: Phone = { country: null, region: null }

/** What a number with its country's code says of the place; others say nothing. */
const phoneOf = (text: string | null): Phone => {
  const given = (text ?? "").replace(/[^\d+]/g, "").replace(/^00/, "+")
  if (!given.startsWith("+")) return NO_PHONE
  const digits = given.slice(1).replace(/\D/g, "")
  for (let length = CODE_DIGITS_MAX; length > 0; length -= 1) {
    const country = callingCodes.get(digits.slice(0, length))
    if (country !== undefined) return { country, region: areaOf(country, digits.slice(length)) }
  }
  if (!digits.startsWith("1")) return NO_PHONE
  for (const country of ["US", "CA"]) {
    const region = areaOf(country, digits.slice(1))
    if (region !== null) return { country, region }
  }
  return NO_PHONE
}

const areaOf = (country: string, digits: string): string | null => {
  const areas = areaRegions.get(country)
  for (let length = AREA_DIGITS_MAX; length > 0; length -= 1) {
    const region = areas?.get(digits.slice(0, length))
    if (region !== undefined) return region
  }
  return null
}

/** Another region may have a city of that name, so a region that is known decides, but for cities that keep apart from it. */
const zoneIn = (country: string, values: Values, phone: Phone): string | null => {
  const regions = regionZones.get(country)
  const [region, city] = [simple(read(values, "region") ?? ""), simple(read(values, "city") ?? "")]
  const ofCity = cityZones.get(country)?.get(city) ?? null
  const ofRegion = regions?.get(region) ?? null
  const isApart = citiesApart.get(country)?.get(city)?.includes(region) ?? false
  const ofArea = phone.country === country && phone.region !== null ? (regions?.get(phone.region) ?? null) : null
  return (isApart ? ofCity : null) ?? ofRegion ?? ofCity ?? ofArea ?? countryZones.get(country) ?? null
}

/**
 * The zone and the country of a person, by their custom values: `timezone`, `country`, `region`, `city` and `phone`, or
 * names that mean the same. A country with one zone is certain; within others the city, the region or the area code
 * decides. What is not known stays so: nothing is guessed from a language or an address.
 */
export const placeOf = ({ custom }: Pick<Recipient, "custom">): Place => {
  const values = new Map(
    Object.entries(custom).map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/g, ""), value] as const)
  )
  const phone = phoneOf(read(values, "phone"))
  const country = readCountry(read(values, "country"))?.code ?? phone.country
  const said = read(values, "timezone")
  const own = said === null ? null : zoneNamed(said)
  if (own !== null) return { timezone: own, country }
  return { timezone: country === null ? null : zoneIn(country, values, phone), country }
}
