const NUL = "must not contain U+0000"
const ILL_FORMED = "must be well-formed Unicode text; it contains half of a surrogate pair"

const FLAWS = /[\0\p{Surrogate}]/u
const EVERY_FLAW = /[\0\p{Surrogate}]/gu
const REPLACEMENT = "\uFFFD"

/** Why a text can't be stored as it is: U+0000, or half of a surrogate pair. Null: it can. */
export const textFlaw = (text: string): string | null => {
  const flaw = FLAWS.exec(text)
  return flaw === null ? null : flaw[0] === "\0" ? NUL : ILL_FORMED
}

/** The text with each flaw as U+FFFD, for text of others (mail, vendors), which nobody can be asked to correct. */
export const repaired = (text: string): string => (FLAWS.test(text) ? text.replace(EVERY_FLAW, REPLACEMENT) : text)

/** A JSON text can hold a flaw only as one of these escapes. */
const MAY_BE_FLAWED = /\\u(?:0000|[dD][89a-fA-F])/

const repairedValue = (value: unknown): unknown => {
  if (typeof value === "string") return repaired(value)
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(repairedValue)
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [repaired(key), repairedValue(member)]))
}

/** Parses JSON of others, with every flaw in its strings and keys repaired. Throws where `JSON.parse` does. */
export const parseRepaired = (json: string): unknown => {
  const value: unknown = JSON.parse(json)
  return MAY_BE_FLAWED.test(json) ? repairedValue(value) : value
}

/** A time as ISO 8601 in UTC, to the millisecond. */
export const iso = (millis: number): string => new Date(millis).toISOString()
export const isoOrNull = (millis: number | null): string | null => (millis === null ? null : iso(millis))
