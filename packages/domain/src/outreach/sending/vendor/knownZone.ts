/**
 * A schedule in a zone that a vendor knows. Vendors keep short lists of zones; a schedule is said in another zone only
 * where every window opens and closes at the same instants.
 */
import type { Schedule } from "../../../kernel/sequences/Sequence.js"
import { nextWindow } from "../planner.js"
import { DAY_MILLIS, offsetAt } from "../zone.js"

const HOUR_MILLIS = 3_600_000

/** For so long the windows are compared: every change of the clocks of a year, and the one after. */
const COMPARED_MILLIS = 400 * DAY_MILLIS

/** A first look at so many days of it leaves few zones to compare. */
const SAMPLES = 14

/** The difference of the zones in hours, where it is the same on the days of the first look; null where it is not. */
const hoursApart = (zone: string, other: string, fromMillis: number): number | null => {
  let hours: number | null = null
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const at = fromMillis + (sample * COMPARED_MILLIS) / SAMPLES
    const apart = (offsetAt(other, at) - offsetAt(zone, at)) / HOUR_MILLIS
    if (!Number.isInteger(apart) || (hours !== null && apart !== hours)) return null
    hours = apart
  }
  return hours
}

const opensAlike = (one: Schedule, other: Schedule, fromMillis: number): boolean => {
  for (let at = fromMillis; at < fromMillis + COMPARED_MILLIS;) {
    const [a, b] = [nextWindow(one, at), nextWindow(other, at)]
    if (a === null || b === null) return a === b
    if (a.opensAtMillis !== b.opensAtMillis || a.closesAtMillis !== b.closesAtMillis) return false
    at = a.closesAtMillis
  }
  return true
}

const sameIn = (schedule: Schedule, zone: string, fromMillis: number): Schedule | null => {
  const hours = hoursApart(schedule.timezone, zone, fromMillis)
  if (hours === null) return null
  const moved = {
    ...schedule,
    timezone: zone,
    startHour: schedule.startHour + hours,
    endHour: schedule.endHour + hours
  }
  // A window that would lie on two days can't be said in one.
  if (moved.startHour < 0 || moved.endHour > 24) return null
  return opensAlike(schedule, moved, fromMillis) ? moved : null
}

/**
 * The schedule in the first of the zones in which it can be said: its own, else one whose clocks change alike, else one
 * a whole number of hours away, with the hours moved. Null: in none.
 */
export const inKnownZone = (
  schedule: Schedule,
  zones: ReadonlyArray<string> | null,
  fromMillis: number
): Schedule | null => {
  if (zones === null || zones.includes(schedule.timezone)) return schedule
  const byDistance = zones
    .flatMap((zone) => {
      const hours = hoursApart(schedule.timezone, zone, fromMillis)
      return hours === null ? [] : [{ zone, hours: Math.abs(hours) }]
    })
    .sort((a, b) => a.hours - b.hours)
  for (const { zone } of byDistance) {
    const found = sameIn(schedule, zone, fromMillis)
    if (found !== null) return found
  }
  return null
}
