import type { ValueEvidence } from "../../kernel/sequences/evidence.js"
import { type DateSaid, termsOf } from "./quantities.js"

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** The last moment of a day, month or year: a statement is never taken for older than it says. */
const endOf = ({ day, month, year }: DateSaid): number | null => {
  if (year === null) return null
  if (month === null) return Date.UTC(year + 1, 0, 1) - 1
  return day === null ? Date.UTC(year, month, 1) - 1 : Date.UTC(year, month - 1, day + 1) - 1
}

/** Words after which a date is no age of the statement, but a fact that stays true. */
const LASTING =
  /\b(?:since|founded|established|est|started|began|from|born|seit|gegr[uü]ndet|gr[uü]ndung|depuis|fond[eé]e?|cr[eé]{2}e?|desde|fundad[ao]|dal|fondat[ao]|sinds|opgericht)\b[\s\p{L}.,:_"]{0,24}$|(?:founded|gegr[uü]ndet)_?\p{L}*\W{0,4}$/iu

/** Words before a year that is a time. Elsewhere a year may be a name's: a wine of 2024, a prize, a version. */
const AT_TIME =
  /(?:^|[.!?;:\n("“„]|\b(?:in|during|for|of|by|until|till|through|since|from|before|after|early|late|mid|year|fy|im|jahr|jahre|ende|anfang|bis|seit|en|au|ann[eé]e|a[nñ]o|nel|dal|sinds|vanaf|voor|fra|fr[aå]n|i|v|w|roku|and|und|than)\b)\W{0,3}$/iu

/** The newest date that the excerpt itself gives to what it says; null: none, or one since which it holds. */
const datedIn = (value: string, excerpt: string): number | null => {
  const lower = excerpt.toLowerCase()
  let at = 0
  let newest: { readonly end: number; readonly isLasting: boolean } | null = null
  for (const term of termsOf(excerpt)) {
    if (term.kind !== "date") continue
    const { date } = term
    const end = endOf(date)
    if (end === null) continue
    const year = String(date.year)
    const place = lower.indexOf(year, at)
    if (place >= 0) at = place + year.length
    const before = excerpt.slice(0, Math.max(0, place - Math.max(0, term.text.length - year.length)))
    const isLasting = LASTING.test(before)
    if (date.month === null && !isLasting && !AT_TIME.test(before)) continue
    // A value that is the year says itself how old it is.
    if (date.month === null && value.trim() === year) continue
    if (newest === null || end > newest.end) newest = { end, isLasting }
  }
  return newest === null || newest.isLasting ? null : newest.end
}

const timeOf = (text: string | null): number | null => {
  if (text === null) return null
  const millis = Date.parse(DAY.test(text) ? `${text}T23:59:59Z` : text)
  return Number.isNaN(millis) ? null : millis
}

/**
 * When a statement was made, as far as anybody can say: the oldest of when it was seen, the source's own date, and the date
 * that its words name. A time that lies ahead says nothing.
 */
export const saidAt = (
  value: string,
  { excerpt, seenAt }: Pick<ValueEvidence, "excerpt" | "seenAt">,
  datedAt: string | null,
  nowMillis: number
): number =>
  Math.min(nowMillis, ...[timeOf(seenAt), timeOf(datedAt), datedIn(value, excerpt)].flatMap((one) => one ?? []))
