import { fold } from "./phrases.js"

/** The languages whose month names we read: those in which mail programs let people say that they are away. */
const LOCALES =
  "ar be bg bs ca cs da de el en es et eu fa fi fr gl he hi hr hu hy id is it ka kk lt lv mk ms nb nl pl pt ro ru sk sl sq sr sr-Latn sv th tr uk".split(
    " "
  )

/** Shorter names stand alone: "mai" begins too many words. */
const ENDING_FROM_CHARS = 5

/** Longest ending that a language adds to a name ("detsembrini"). */
const ENDING_CHARS_MAX = 6

const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(/\p{L}{3,20}/gu) ?? []

/** A name, and what stays of it before another ending: "detsember" is "detsembrini", and "decembris" is "decembrim". */
const stemsOf = (name: string): ReadonlyArray<string> => [
  name,
  name.replace(/(?<=b)[ea](?=r$)|(?<=б)а(?=р$)/u, ""),
  name.replace(/i?s$/, "")
]

/** Names in folded text, as a date shows them and alone, with the months that they name in some language. */
const readNames = (): ReadonlyMap<string, ReadonlySet<number>> => {
  const found = new Map<string, Set<number>>()
  for (const locale of LOCALES) {
    const forms = [{ day: "numeric", month: "long" }, { month: "long" }, { day: "numeric", month: "short" }] as const
    for (const form of forms) {
      const format = new Intl.DateTimeFormat(`${locale}-u-ca-gregory`, { ...form, timeZone: "UTC" })
      for (let month = 1; month <= 12; month++) {
        const text =
          format.formatToParts(Date.UTC(2026, month - 1, 4)).find(({ type }) => type === "month")?.value ?? ""
        for (const word of wordsOf(text).flatMap(stemsOf)) found.set(word, (found.get(word) ?? new Set()).add(month))
      }
    }
  }
  return found
}

let known: ReadonlyMap<string, ReadonlySet<number>> | undefined

/** Read once somebody writes a date: it takes longer than all else that a start of the domain does. */
const namesOf = (): ReadonlyMap<string, ReadonlySet<number>> => (known ??= readNames())

const only = (months: ReadonlySet<number> | undefined): number | null =>
  months?.size === 1 ? ([...months][0] ?? null) : null

/**
 * The month that a folded word names, in one of many languages; null: none, or two languages disagree. `isOrdinal`: a
 * full stop follows the day: in Croatian, where "listopad" is October, and not in Polish, where it is November.
 */
export const monthOf = (word: string, isOrdinal: boolean): number | null => {
  if (word.startsWith("listopad")) return word === "listopadu" || !isOrdinal ? 11 : 10
  const names = namesOf()
  for (const bare of [word, word.replace(/^ב/u, "")]) {
    const exact = only(names.get(bare))
    if (exact !== null) return exact
    for (let ending = 1; ending <= ENDING_CHARS_MAX && bare.length - ending >= ENDING_FROM_CHARS; ending++) {
      const months = names.get(bare.slice(0, -ending))
      if (months !== undefined) return only(months)
    }
  }
  return null
}
