import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { localOf } from "@outbound/domain/outreach/sending/zone.js"
import { type Credits, credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { useContext } from "preact/hooks"
import { ReadersZone, UTC } from "./Zone.js"

const ONE_CREDIT = credits("1")

/** One for each zone that is asked for: at most `ZONES`. */
const moments = new Map<string, Intl.DateTimeFormat>()

const momentIn = (zone: string): Intl.DateTimeFormat => {
  const known = moments.get(zone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: zone,
    timeZoneName: "short"
  })
  moments.set(zone, made)
  return made
}

/** A moment with the name of its time zone; without one, in UTC. */
export const momentWords = (atMillis: number, zone = UTC): string => momentIn(zone).format(new Date(atMillis))

/** A moment in the reader's time zone. In another one than UTC, pointing at it tells UTC. */
export const Moment = (props: { readonly atMillis: number }) => {
  const zone = useContext(ReadersZone)
  return (
    <time
      dateTime={new Date(props.atMillis).toISOString()}
      title={zone === UTC ? undefined : momentWords(props.atMillis)}
    >
      {momentWords(props.atMillis, zone)}
    </time>
  )
}

const dayAlone = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC"
})
const dayShort = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" })
const hourAlone = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" })

/** A day (UTC), long and short. */
export const dayWords = (atMillis: number): string => dayAlone.format(new Date(atMillis))
export const shortDayWords = (atMillis: number): string => dayShort.format(new Date(atMillis))

/** The hour and minute in the reader's time zone, for events listed under their day in it. */
export const TimeOfDay = (props: { readonly atMillis: number }) => {
  const zone = useContext(ReadersZone)
  return (
    <time
      dateTime={new Date(props.atMillis).toISOString()}
      title={zone === UTC ? undefined : momentWords(props.atMillis)}
    >
      {hourAlone.format(new Date(localOf(zone, props.atMillis)))}
    </time>
  )
}

/** The start of the day (UTC), and of the one after it. */
export const dayStartOf = (atMillis: number): number => atMillis - (atMillis % DAY)
export const nextDayStartOf = (atMillis: number): number => dayStartOf(atMillis) + DAY

/** The day of a moment in a time zone, in words. */
export const dayWordsIn = (zone: string, atMillis: number): string => dayWords(localOf(zone, atMillis))

const DAY_NAMES: Readonly<Record<string, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun"
}

export const dayNames = (days: ReadonlyArray<string>): string => days.map((day) => DAY_NAMES[day] ?? day).join(", ")

export const hourWords = (hour: number): string => `${String(hour).padStart(2, "0")}:00`

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** The time left, rounded down. */
export const timeLeft = (millis: number): string => {
  if (millis < MINUTE) return "less than a minute"
  const [count, unit] =
    millis < 2 * HOUR ? [Math.floor(millis / MINUTE), "minute"] : [Math.floor(millis / HOUR), "hour"]
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const numbers = new Intl.NumberFormat("en-GB")

/** A number with grouped digits. */
export const grouped = (n: number): string => numbers.format(n)

export const count = (n: number, one: string, many = `${one}s`): string => `${grouped(n)} ${n === 1 ? one : many}`

/** An amount of micro-credits, with grouped digits and a typographic minus. */
export const amountWords = (micros: bigint): string => {
  const [whole = "0", fraction] = format(micros < 0n ? -micros : micros).split(".")
  const digits = numbers.format(BigInt(whole))
  return `${micros < 0n ? "\u2212" : ""}${fraction === undefined ? digits : `${digits}.${fraction}`}`
}

export const creditWords = (amount: Credits): string =>
  `${amountWords(amount)} ${amount === ONE_CREDIT ? "credit" : "credits"}`
