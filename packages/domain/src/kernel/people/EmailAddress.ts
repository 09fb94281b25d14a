import { textFlaw } from "../text.js"
import { hostOf } from "./Domain.js"

const LOCAL_OCTETS_MAX = 64
const ADDRESS_OCTETS_MAX = 254

const utf8 = new TextEncoder()

/** Whether the text has at most so many octets. A UTF-16 unit has at most three. */
const fits = (text: string, octetsMax: number): boolean =>
  text.length * 3 <= octetsMax || utf8.encode(text).length <= octetsMax

// RFC 5321 §4.1.2 atoms, widened by RFC 6531 to every non-ASCII character.
const ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~\u0080-\u{10FFFF}-]+$/iu
const QUOTED = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u

/**
 * The canonical form that identifies a person: trimmed, the domain in lower-case ASCII (IDNA), the local part in lower
 * case. Null if the text can't be an address.
 */
export const normalizeEmail = (input: string): string | null => {
  const text = input.trim()
  const at = text.lastIndexOf("@")
  if (at < 1) return null
  const host = hostOf(text.slice(at + 1))
  return host === null ? null : `${text.slice(0, at).normalize("NFC").toLowerCase()}@${host}`
}

/** Whether mail can be addressed to it (RFC 5321, 6531): at most 64 octets before the `@`, 254 in all. */
export const isPossibleEmail = (normalized: string): boolean => {
  const at = normalized.lastIndexOf("@")
  const local = normalized.slice(0, at)
  if (textFlaw(normalized) !== null) return false
  if (!fits(local, LOCAL_OCTETS_MAX) || !fits(normalized, ADDRESS_OCTETS_MAX)) return false
  return QUOTED.test(local) || local.split(".").every((atom) => ATOM.test(atom))
}

/** The canonical form of an address that can receive mail; null for any other text. */
export const usableEmail = (input: string): string | null => {
  const normalized = normalizeEmail(input)
  return normalized !== null && isPossibleEmail(normalized) ? normalized : null
}

/** Input of the keyed hash of a person. */
export const addressHashInput = (workspaceId: string, normalized: string): string => `${workspaceId}\n${normalized}`
