import { Predicate } from "effect"
import { type Classified, classifiedByStatus } from "./classify.js"

const SAYING_CHARS_MAX = 300

/** The most text to read of an error. */
const READ_CHARS_MAX = 2_000

/** Vendors' names for error texts. */
const MEMBERS = [
  "error",
  "errors",
  "error_code",
  "code",
  "title",
  "message",
  "msg",
  "description",
  "reason",
  "detail",
  "details",
  "status",
  "type"
]

/** Of a list of complaints, the first ones. */
const LISTED_MAX = 3

/** Looks like a key: vendors echo refused keys. */
const LIKE_A_KEY = /(?=[\w-]*\d)[\w-]{16,}/g

/** Vendors echo addresses too, and causes are logged. */
const ADDRESS = /[^\s"'<>()[\]:;,\\]{1,320}@[^\s"'<>()[\]:;,\\]{1,255}/g

const DOMAIN = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu

/** One line of at most this length. Cuts at a word, because half a key isn't recognised as one. */
const shortened = (text: string, charsMax: number): string => {
  const line = text.slice(0, charsMax + 1).replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
  return text.length <= charsMax ? line : line.slice(0, line.lastIndexOf(" ") + 1)
}

const textsIn = (value: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof value === "string") return [shortened(value, READ_CHARS_MAX)]
  if (Array.isArray(value)) return value.slice(0, LISTED_MAX).flatMap((one) => textsIn(one, depth))
  if (!Predicate.isObject(value) || depth === 0) return []
  return MEMBERS.flatMap((member) => textsIn(value[member], depth - 1))
}

/** A vendor's text on one line, without keys and addresses. */
export const safely = (text: string): string => {
  const line = shortened(text, READ_CHARS_MAX).replace(ADDRESS, "[address]").replace(LIKE_A_KEY, "…").trim()
  return shortened(line, SAYING_CHARS_MAX).trim()
}

/** A vendor's own words, to classify by. Words in an address or domain come from the caller. */
export const ownWordsIn = (text: string): string =>
  shortened(text, READ_CHARS_MAX).replace(ADDRESS, " ").replace(DOMAIN, " ")

/** The text of an error body on one line, without keys and addresses; empty if there is none. */
export const sayingOf = (json: unknown): string => {
  const texts = Predicate.isObject(json) ? textsIn(json, 2) : []
  return safely([...new Set(texts)].join("; "))
}

/** Classified by status, with the vendor's text: the field not in the plan, or the unknown filter. */
export const classifiedWithSaying = (answer: {
  readonly status: number
  readonly json: unknown
}): Classified | null => {
  const classified = classifiedByStatus(answer)
  const saying = sayingOf(answer.json)
  if (classified === null || saying === "") return classified
  return { ...classified, cause: `status ${answer.status}: ${saying}` }
}
