import { type Credits, format } from "@outbound/domain/money/Credits.js"

const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC"
})

export const Moment = (props: { readonly atMillis: number }) => {
  const date = new Date(props.atMillis)
  return <time dateTime={date.toISOString()}>{`${moment.format(date)} UTC`}</time>
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long is left, rounded down, so that nobody is promised more time than there is. */
export const timeLeft = (millis: number): string => {
  if (millis < MINUTE) return "less than a minute"
  const [count, unit] =
    millis < 2 * HOUR ? [Math.floor(millis / MINUTE), "minute"] : [Math.floor(millis / HOUR), "hour"]
  return `${count} ${unit}${count === 1 ? "" : "s"}`
}

const grouped = new Intl.NumberFormat("en-GB")

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${grouped.format(n)} ${n === 1 ? one : many}`

/** Credits, with the digits of their whole part in groups. */
export const creditWords = (amount: Credits): string => {
  const [whole = "0", fraction] = format(amount).split(".")
  const digits = grouped.format(BigInt(whole))
  return `${fraction === undefined ? digits : `${digits}.${fraction}`} ${whole === "1" && fraction === undefined ? "credit" : "credits"}`
}
