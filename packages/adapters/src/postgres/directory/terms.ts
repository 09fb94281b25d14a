/** The index terms of directory rows, and searches expressed in them. */
import type { PlaceFilter } from "@outbound/domain/data/directory/DirectoryStore.js"
import type { TitleNeedle } from "@outbound/domain/data/matching/titles.js"

/** Placeholder for the share in a query that runs share by share. No text contains it. */
export const SHARE = "\u0001"

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** First characters of fingerprints, and of digests of domains. */
export const PERSON_SHARES: ReadonlyArray<string> = [...BASE64URL]
export const COMPANY_SHARES: ReadonlyArray<string> = [..."0123456789abcdef"]

/** Most words of a search that are looked up in the index. */
const WORDS_MAX = 400
/** Each part of a phrase may always use this many. */
const WORDS_OF_PART_MIN = 8
/** More places than this exclude little, so the rows are checked instead. */
const PLACES_MAX = 60

/** Lower bounds of the size bands, as in the migration. */
const BANDS = [1, 2, 11, 51, 201, 501, 1001, 5001, 10_001]
/** More bands than this exclude little. */
const BANDS_MAX = 4

/** A condition on a row's terms. `true` excludes no one; `false` excludes everyone. */
export type Condition = string | boolean

export type TermKind = "t" | "w" | "l" | "c" | "i" | "h"

const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`

/** Terms of one workspace, for every share. */
export const termsOf = (workspaceId: string) => {
  const prefix = workspaceId.slice(-8) + SHARE
  return (kind: TermKind, text: string): string => quoted(prefix + kind + text)
}
export type Term = ReturnType<typeof termsOf>

export const anyOf = (conditions: ReadonlyArray<Condition>): Condition => {
  if (conditions.includes(true)) return true
  const some = conditions.filter((one) => typeof one === "string")
  return some.length === 0 ? false : some.length === 1 ? (some[0] ?? false) : `(${some.join(" | ")})`
}

export const allOf = (conditions: ReadonlyArray<Condition>): Condition => {
  if (conditions.includes(false)) return false
  const all = conditions.filter((one) => typeof one === "string")
  return all.length === 0 ? true : all.length === 1 ? (all[0] ?? true) : `(${all.join(" & ")})`
}

const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&")

/** A part of a phrase, and how to find the words that contain it. */
export interface Part {
  /** A LIKE pattern. */
  readonly pattern: string
  /** The word, if the part must be a whole word. */
  readonly exact: string | null
}

/**
 * A phrase within a text: its first word may be the end of a longer one, its last word the beginning; words in between
 * match exactly.
 */
export const partsOf = (phrase: string): ReadonlyArray<Part> => {
  const words = phrase.split(/\s+/).filter((word) => word !== "")
  return words.map((word, at) => {
    const from = at === 0 ? "%" : ""
    const to = at === words.length - 1 ? "%" : ""
    return { pattern: from + escaped(word) + to, exact: from + to === "" ? word : null }
  })
}

/** Most words per part, for this many phrases. */
export const wordsOfPartMax = (phrases: number): number =>
  Math.max(WORDS_OF_PART_MIN, Math.floor(WORDS_MAX / Math.max(1, phrases)))

/** Words by pattern. More than are looked up count as too many. */
export type Vocabulary = ReadonlyMap<string, ReadonlyArray<string>>

/** A part of too many words is left to the check of the rows. */
export const phraseCondition = (
  phrase: string,
  kind: "t" | "w",
  { term, vocabulary, wordsMax }: { readonly term: Term; readonly vocabulary: Vocabulary; readonly wordsMax: number }
): Condition =>
  allOf(
    partsOf(phrase).map(({ exact, pattern }) => {
      const words = exact === null ? (vocabulary.get(pattern) ?? []) : [exact]
      return words.length > wordsMax ? true : anyOf(words.map((word) => term(kind, word)))
    })
  )

/** The words of forms. Each may stand within a longer one, such as "Vice-President" or "CTO/Founder". */
const wordsOf = (form: string): ReadonlyArray<string> => form.split(" ")

/** A title by one of its forms, part by part, or as it was typed. */
export const titleCondition = (
  { contained, parts, pattern }: TitleNeedle,
  options: Parameters<typeof phraseCondition>[2]
): Condition =>
  anyOf([
    contained === null ? false : phraseCondition(contained, "t", options),
    pattern === null
      ? false
      : allOf(
          parts.map((forms) =>
            anyOf(forms.map((form) => allOf(wordsOf(form).map((word) => phraseCondition(word, "t", options)))))
          )
        )
  ])

/** What of titles is looked up in the vocabulary. */
export const phrasesOf = (needles: ReadonlyArray<TitleNeedle>): ReadonlyArray<string> => [
  ...new Set(needles.flatMap(({ contained, parts }) => [contained ?? [], parts.flat().flatMap(wordsOf)].flat()))
]

export const placesCondition = (places: PlaceFilter | null, term: Term): Condition => {
  if (places === null || places.countryKeys.length + places.places.length > PLACES_MAX) return true
  return anyOf([
    ...places.countryKeys.map((key) => term("c", key)),
    ...places.places.map(({ countryKey, key }) =>
      countryKey === null ? term("l", key) : allOf([term("l", key), term("c", countryKey)])
    )
  ])
}

export const namesCondition = (kind: "i" | "c", names: ReadonlyArray<string>, term: Term): Condition =>
  names.length === 0 || names.length > PLACES_MAX ? true : anyOf(names.map((name) => term(kind, name)))

const bandOf = (headcount: number): number => BANDS.filter((from) => headcount >= from).length

export const headcountCondition = (
  { headcountMax, headcountMin }: { readonly headcountMin: number | null; readonly headcountMax: number | null },
  term: Term
): Condition => {
  if (headcountMin === null && headcountMax === null) return true
  const first = bandOf(headcountMin ?? 0)
  const last = headcountMax === null ? BANDS.length : bandOf(headcountMax)
  const bands = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return bands.length > BANDS_MAX ? true : anyOf(bands.map((band) => term("h", String(band))))
}

/** Places as parameters of the row check: countries, places anywhere, and places in a country. */
export const placeParameters = (places: PlaceFilter | null) => ({
  everywhere: places === null,
  countryKeys: places?.countryKeys ?? [],
  placeKeys: places?.places.flatMap(({ countryKey, key }) => (countryKey === null ? [key] : [])) ?? [],
  placesIn:
    places?.places.flatMap(({ countryKey, key }) => (countryKey === null ? [] : [`${key}\n${countryKey}`])) ?? []
})
