import { type Credits, credits, format } from "@outbound/domain/kernel/money/Credits.js"

const ONE_CREDIT = credits("1")

const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC"
})

export const momentWords = (atMillis: number): string => `${moment.format(new Date(atMillis))} UTC`

export const Moment = (props: { readonly atMillis: number }) => (
  <time dateTime={new Date(props.atMillis).toISOString()}>{momentWords(props.atMillis)}</time>
)

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

/** The hour and minute, for events listed under their day. */
export const TimeOfDay = (props: { readonly atMillis: number }) => (
  <time dateTime={new Date(props.atMillis).toISOString()}>{hourAlone.format(new Date(props.atMillis))}</time>
)

const DAY = 86_400_000

/** The start of the day (UTC). */
export const dayStartOf = (atMillis: number): number => atMillis - (atMillis % DAY)

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
