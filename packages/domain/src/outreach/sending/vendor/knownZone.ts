/**
 * Expresses a schedule in a zone that a vendor knows. Vendors have short lists of zones. Another zone is used only if
 * every window opens and closes at the same instants.
 */
import { HOUR_MILLIS, DAY_MILLIS } from "../../../kernel/durations.js"
import type { Schedule } from "../../../kernel/sequences/Sequence.js"
import { nextWindow } from "../planner.js"
import { offsetAt } from "../zone.js"

/** The windows are compared for this long: all clock changes of a year, and the next one. */
const COMPARED_MILLIS = 400 * DAY_MILLIS

/** A first look at this many days excludes most zones. */
const SAMPLES = 14

/** The zones' difference in hours if it is the same on all sampled days; otherwise null. */
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
  // A window that would span two days can't be expressed.
  if (moved.startHour < 0 || moved.endHour > 24) return null
  return opensAlike(schedule, moved, fromMillis) ? moved : null
}

/**
 * The schedule in the first suitable zone: its own, one with the same clock changes, or one a whole number of hours
 * away with the hours moved. Null: none.
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
