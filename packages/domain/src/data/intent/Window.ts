import { DAY_MILLIS } from "../../kernel/durations.js"
import { WITHIN_DAYS_DEFAULT } from "../../verbs/FindIntent.js"

/** Whole UTC days, since many sources know only the day. */
export interface Window {
  /** YYYY-MM-DD. */
  readonly from: string
  /** The last day: today, or `from` if that is in the future. */
  readonly to: string
  /** Null if the request gives a start date. */
  readonly withinDays: number | null
}

const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

export const windowOf = (
  request: { readonly since?: string | undefined; readonly within_days?: number | undefined },
  nowMillis: number
): Window => {
  const today = dayOf(nowMillis)
  if (request.since !== undefined) {
    return { from: request.since, to: request.since > today ? request.since : today, withinDays: null }
  }
  const withinDays = request.within_days ?? WITHIN_DAYS_DEFAULT
  return { from: dayOf(nowMillis - withinDays * DAY_MILLIS), to: today, withinDays }
}

/** For dates that aren't ahead. `observedAt`: RFC 3339 in UTC. */
export const isWithin = (window: Window, observedAt: string): boolean => observedAt.slice(0, 10) >= window.from

/** One day ahead is today in another time zone. */
export const isAhead = (observedAt: string, nowMillis: number): boolean =>
  Date.parse(observedAt) >= (Math.floor(nowMillis / DAY_MILLIS) + 2) * DAY_MILLIS

/** Age in days, at least 0. */
export const ageDays = (observedAt: string, nowMillis: number): number =>
  Math.max(0, Math.floor(nowMillis / DAY_MILLIS) - Math.floor(Date.parse(observedAt) / DAY_MILLIS))
