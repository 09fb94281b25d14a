/** Names of time zones, as the IANA database has them and as other programs write them. */

/** Most characters of a zone's name. */
const ZONE_CHARS_MAX = 64

/**
 * The zones of the IANA database whose names are no `Area/Location`. The platform knows other abbreviations too, by
 * places that hardly anybody means: `BST` is Dhaka, `AST` Anchorage.
 */
const PLAIN_ZONES: ReadonlySet<string> = new Set(
  "UTC GMT GMT0 GMT+0 GMT-0 UCT Zulu Universal Greenwich CET MET EET WET EST MST HST EST5EDT CST6CDT MST7MDT PST8PDT Cuba Egypt Eire GB GB-Eire Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya NZ NZ-CHAT Navajo PRC Poland Portugal ROC ROK Singapore Turkey W-SU"
    .toLowerCase()
    .split(" ")
)

/** `Area/Location` of the database's own areas; `SystemV/…` is the platform's alone. */
const PLACED = /^(?!SystemV\/)[A-Za-z_]+\/[A-Za-z0-9_+/-]+$/i

/** Whether it is a zone of the IANA database that the platform knows. Offsets such as `+02:00` name no place. */
export const isTimezone = (zone: string): boolean => {
  if (zone.length > ZONE_CHARS_MAX || !(PLACED.test(zone) || PLAIN_ZONES.has(zone.toLowerCase()))) return false
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

/** Of them, those that people also write for a zone with summer time, which these have not. */
const UNCERTAIN: ReadonlySet<string> = new Set(["est", "mst"])

const isCertain = (zone: string): boolean => isTimezone(zone) && !UNCERTAIN.has(zone.toLowerCase())

/** A day of winter and one of summer, in either hemisphere: a zone's two offsets. */
const DAYS = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)] as const

/** Minutes ahead of UTC. */
const offsetOf = (zone: string, atMillis: number): number => {
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" }).formatToParts(atMillis)
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? ""
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d{2}):(\d{2})/.exec(name) ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

/** The offsets of zones, as many as there are. */
const offsets = new Map<string, ReadonlyArray<number>>()

const offsetsOf = (zone: string): ReadonlyArray<number> => {
  const found = offsets.get(zone) ?? DAYS.map((day) => offsetOf(zone, day))
  offsets.set(zone, found)
  return found
}

/** Zones by their city: `berlin`, `new york`. */
const citiesOf = (): ReadonlyMap<string, string> =>
  new Map(
    Intl.supportedValuesOf("timeZone").map((zone) => [
      zone
        .slice(zone.lastIndexOf("/") + 1)
        .replaceAll("_", " ")
        .toLowerCase(),
      zone
    ])
  )

/** Which of the zones with a name stands for all. */
const KNOWN_BEST = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Europe/Berlin"]

/** Zones by the English name of their time, winter and summer alike: "Eastern Time", "Central European Time". */
const timesOf = (): ReadonlyMap<string, ReadonlyArray<string>> => {
  const byName = new Map<string, Array<string>>()
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longGeneric" }).formatToParts(DAYS[0])
    const name = parts.find(({ type }) => type === "timeZoneName")?.value.toLowerCase() ?? ""
    const zones = byName.get(name)
    if (zones === undefined) byName.set(name, [zone])
    else zones.push(zone)
  }
  return byName
}

const AREAS = ["Europe", "America", "Asia", "Africa", "Australia", "Pacific", "Atlantic", "Indian"]

let cities: ReadonlyMap<string, string> | undefined
let times: ReadonlyMap<string, ReadonlyArray<string>> | undefined

const byCity = (city: string): string | undefined => (cities ??= citiesOf()).get(city)
/** Only where all clocks show the same; "Eastern Standard Time" is also said of a zone with summer time. */
const byTime = (name: string): string | undefined => {
  if (!name.endsWith(" time") || /\b(?:standard|daylight|summer)\b/.test(name)) return undefined
  const zones = (times ??= timesOf()).get(name) ?? []
  const areAlike = new Set(zones.map((zone) => offsetsOf(zone).join())).size === 1
  return areAlike ? (KNOWN_BEST.find((zone) => zones.includes(zone)) ?? zones[0]) : undefined
}

/** A city under a name that the platform's list has not, but knows: `Asia/Kolkata` beside `Asia/Calcutta`. */
const inSomeArea = (city: string): string | undefined =>
  AREAS.map((area) => `${area}/${city.replaceAll(" ", "_")}`).find(isTimezone)

/** `(UTC+01:00) Amsterdam, Berlin`, as Windows, Rails and CRMs list zones. */
const WITH_OFFSET = /^\(?(?:UTC|GMT) ?(?:([+-]) ?(\d{1,2})(?::?(\d{2}))?)?\)?[ -]+(?=\p{L})/iu

/**
 * The IANA zone that a person's value names for certain; null: none. It may be written as programs write it
 * (`us_slash_eastern`, `America/New York`), with its offset, by a city or by the name of its time. Abbreviations, offsets
 * alone and names that mean several times say nothing.
 */
export const zoneNamed = (given: string): string | null => {
  if (given.length > 2 * ZONE_CHARS_MAX) return null
  const text = given
    .trim()
    .replace(/^["']|["']$/g, "")
    .replaceAll("_slash_", "/")
    .replaceAll("\\/", "/")
    .replace(/\s*\/\s*/g, "/")
  if (isCertain(text)) return text
  const [prefix = "", sign, hours = "0", minutes = "0"] = WITH_OFFSET.exec(text) ?? []
  const standard = sign === undefined ? null : (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const rest = text
    .slice(prefix.length)
    .replace(/\s*\((?:US (?:&|and) Canada|Canada|[A-Z]{2,5}|(?:UTC|GMT)[^()]*)\)$/i, "")
  const isRight = (zone: string): boolean => standard === null || Math.min(...offsetsOf(zone)) === standard
  for (const part of [rest, ...rest.split(/, ?/)]) {
    const named = part.includes("/") ? part.replaceAll(" ", "_") : null
    if (named !== null && isCertain(named)) return isRight(named) ? named : null
    const key = part.toLowerCase()
    const zone = /^[\p{L} .'-]{4,40}$/u.test(part) ? (byCity(key) ?? byTime(key) ?? inSomeArea(part)) : undefined
    if (zone !== undefined && isRight(zone)) return zone
  }
  return null
}
