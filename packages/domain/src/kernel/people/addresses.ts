/** Finds addresses in texts, so that erasure finds the stored texts that name a person. */
import { usableEmail } from "./EmailAddress.js"

const LOCAL_CHARS_MAX = 64
const HOST_CHARS_MAX = 253

/** Characters of a written address, beside letters and digits of any script. */
const LOCAL = /[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]/u
const HOST = /[\p{L}\p{M}\p{N}.-]/u

/** Separates an address from the link or query around it. */
const INNER = /[^\p{L}\p{M}\p{N}._%+-]/gu

const leftOf = (text: string, at: number): string => {
  let from = at
  while (from > 0 && at - from < LOCAL_CHARS_MAX && LOCAL.test(text[from - 1] ?? "")) from -= 1
  return text.slice(from, at)
}

const rightOf = (text: string, at: number): string => {
  let to = at + 1
  while (to < text.length && to - at <= HOST_CHARS_MAX && HOST.test(text[to] ?? "")) to += 1
  return text.slice(at + 1, to).replace(/[.-]+$/, "")
}

/** Every address in the text, normalised: the whole text, and around each `@`. */
export const addressesIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>()
  const add = (candidate: string) => {
    const email = usableEmail(candidate)
    if (email !== null) found.add(email)
  }
  if (text.length <= LOCAL_CHARS_MAX + HOST_CHARS_MAX) add(text)
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    const [local, host] = [leftOf(text, at), rightOf(text, at)]
    if (local === "" || host === "") continue
    add(`${local}@${host}`)
    const inner = local.split(INNER).at(-1) ?? ""
    if (inner !== "" && inner !== local) add(`${inner}@${host}`)
  }
  return found
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** Replaces an erased address. */
export const ERASED_MARK = "[erased]"

/** Removes the address (normalised) from a text. A text that is only the address becomes empty. */
export const withoutAddress = (email: string): ((text: string) => string) => {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}._%+-])${escaped(email)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, "giu")
  return (text) => (usableEmail(text) === email ? "" : text.replace(pattern, ERASED_MARK))
}
