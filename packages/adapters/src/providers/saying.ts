import { type Classified, classifiedByStatus } from "./classify.js"
import { isJsonObject, type VendorAnswer } from "./VendorHttp.js"

const SAYING_CHARS_MAX = 300

/** How much of what it says is looked at. */
const READ_CHARS_MAX = 2_000

/** How vendors call what they say of an error. */
const MEMBERS = ["error", "error_code", "code", "title", "message", "description", "reason", "detail", "status", "type"]

/** What has the look of a key: vendors repeat the one that they refuse. */
const LIKE_A_KEY = /(?=[\w-]*\d)[\w-]{16,}/g

/** Vendors repeat who was asked about as well, and causes come to stand in logs. */
const ADDRESS = /[^\s"'<>()[\]:;,\\]{1,320}@[^\s"'<>()[\]:;,\\]{1,255}/g

const DOMAIN = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu

/** On one line, and no longer than that; a word that does not fit is left out whole, as half a key is known by no look. */
const shortened = (text: string, charsMax: number): string => {
  const line = text.slice(0, charsMax + 1).replace(/[\s\p{Cc}\p{Cs}]+/gu, " ")
  return text.length <= charsMax ? line : line.slice(0, line.lastIndexOf(" ") + 1)
}

const textsIn = (value: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof value === "string") return [shortened(value, READ_CHARS_MAX)]
  if (!isJsonObject(value) || depth === 0) return []
  return MEMBERS.flatMap((member) => textsIn(value[member], depth - 1))
}

/** A text of a vendor, on one line, without keys and addresses. */
export const safely = (text: string): string => {
  const line = shortened(text, READ_CHARS_MAX).replace(ADDRESS, "[address]").replace(LIKE_A_KEY, "…").trim()
  return shortened(line, SAYING_CHARS_MAX).trim()
}

/**
 * Of a text its vendor's own words, to tell by them what it means: a word in an address or a domain is that of whoever
 * asked about it.
 */
export const ownWordsIn = (text: string): string =>
  shortened(text, READ_CHARS_MAX).replace(ADDRESS, " ").replace(DOMAIN, " ")

/** What an error body says, on one line, without keys and addresses; empty where it says nothing. */
export const sayingOf = (json: unknown): string => {
  const texts = isJsonObject(json) ? textsIn(json, 2) : []
  return safely([...new Set(texts)].join("; "))
}

/** As its status says, with what the vendor says of it: which field is not in the plan, which filter is unknown. */
export const classifiedWithSaying = (answer: VendorAnswer): Classified | null => {
  const classified = classifiedByStatus(answer)
  const saying = sayingOf(answer.json)
  if (classified === null || saying === "") return classified
  return { ...classified, cause: `status ${answer.status}: ${saying}` }
}
