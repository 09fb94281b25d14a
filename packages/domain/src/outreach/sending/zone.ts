import { DAY_MILLIS } from "../../kernel/durations.js"
/**
 * Local time in IANA zones, by the platform's tables (`Intl`). A local time is represented as the epoch milliseconds of
 * the same clock time in UTC.
 */

/** No zone changes its offset twice within this time. */
const SETTLED_MILLIS = DAY_MILLIS

/** Most offsets cached per zone: years of days around now. */
const OFFSETS_MAX = 4_096

interface Zone {
  readonly format: Intl.DateTimeFormat
  /** The offset at the start of each day (UTC), by day number. */
  readonly offsets: Map<number, number>
}

const zones = new Map<string, Zone>()

const zoneOf = (name: string): Zone => {
  const known = zones.get(name)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric"
  })
  const zone: Zone = { format, offsets: new Map() }
  zones.set(name, zone)
  return zone
}

const LOCAL = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/

const readOffset = ({ format }: Zone, millis: number): number => {
  const second = Math.floor(millis / 1000) * 1000
  const found = LOCAL.exec(format.format(second))
  if (found === null) throw new RangeError(`no local time of ${millis}`)
  const [month, day, year, hour, minute, seconds] = found.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  return Date.UTC(year, month - 1, day, hour, minute, seconds) - second
}

/** The offset at the start of that day (UTC). */
const offsetOfDay = (zone: Zone, day: number): number => {
  const known = zone.offsets.get(day)
  if (known !== undefined) return known
  const offset = readOffset(zone, day * DAY_MILLIS)
  if (zone.offsets.size >= OFFSETS_MAX) zone.offsets.clear()
  zone.offsets.set(day, offset)
  return offset
}

/** How far local time is ahead of UTC at that instant, in milliseconds. */
export const offsetAt = (name: string, millis: number): number => {
  const zone = zoneOf(name)
  const day = Math.floor(millis / DAY_MILLIS)
  const before = offsetOfDay(zone, day)
  return before === offsetOfDay(zone, day + 1) ? before : readOffset(zone, millis)
}

export const localOf = (name: string, millis: number): number => millis + offsetAt(name, millis)

/** A period with one offset: from `from` (inclusive) to `to` (exclusive). */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly offset: number
}

/** The first millisecond in (`from`, `to`] at which the later offset applies. */
const changeBetween = (zone: Zone, from: number, to: number): number => {
  const later = readOffset(zone, to)
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (readOffset(zone, middle) === later) after = middle
    else before = middle
  }
  return after
}

/** Splits the time from `from` to `to` into periods of one offset. */
export const stretches = (name: string, from: number, to: number): ReadonlyArray<Stretch> => {
  const zone = zoneOf(name)
  const found: Array<Stretch> = []
  let begun = from
  let offset = offsetAt(name, from)
  for (let at = from; at < to;) {
    const next = Math.min(at + SETTLED_MILLIS, to)
    const then = offsetAt(name, next)
    if (then !== offset) {
      const change = changeBetween(zone, at, next)
      found.push({ from: begun, to: change, offset })
      begun = change
      offset = then
    }
    at = next
  }
  return begun < to ? [...found, { from: begun, to, offset }] : found
}

/**
 * The instant of a local time. A repeated time means the first occurrence; a skipped one moves later by the size of the
 * gap (as in RFC 5545 and ECMA-262).
 */
export const instantOf = (name: string, local: number): number => {
  const earliest = local - offsetAt(name, local - DAY_MILLIS)
  const latest = local - offsetAt(name, local + DAY_MILLIS)
  const [first, second] = earliest <= latest ? [earliest, latest] : [latest, earliest]
  if (localOf(name, first) === local) return first
  if (localOf(name, second) === local) return second
  return earliest
}
