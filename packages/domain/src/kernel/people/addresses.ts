/** Finds addresses in texts, so that erasure finds the stored texts that name a person. */
import { usableEmail } from "./EmailAddress.js"

const LOCAL_CHARS_MAX = 64
const HOST_CHARS_MAX = 253

/** A local part in quotation marks may have a backslash before each character. */
const QUOTED_CHARS_MAX = 2 * LOCAL_CHARS_MAX + 2

/** What stands between a local part and its domain, also as programs for East Asian scripts write it. */
const AT = /[@\uFF20\uFE6B]/gu

/** Characters of a written address, beside letters and digits of any script: what nobody sees may stand among them. */
const LOCAL = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}!#$%&'‘’*+/=?^_`{|}~.‐‑‒–−-]/u
const HOST = /[\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}.-]/u

/** Separates an address from the link or query around it. */
const INNER = /[^\p{L}\p{M}\p{N}\p{Default_Ignorable_Code_Point}._%+-]/gu

/** Where the local part begins whose quotation mark closes just before `at`; `at`: there is none. */
const quotedFrom = (text: string, at: number): number => {
  for (let from = at - 2; from >= 0 && at - from <= QUOTED_CHARS_MAX; from -= 1) {
    if (text[from] !== '"') continue
    let slashes = 0
    while (text[from - 1 - slashes] === "\\") slashes += 1
    if (slashes % 2 === 0) return from
  }
  return at
}

const localFrom = (text: string, at: number): number => {
  if (text[at - 1] === '"') return quotedFrom(text, at)
  let from = at
  while (from > 0 && at - from < LOCAL_CHARS_MAX && LOCAL.test(text[from - 1] ?? "")) from -= 1
  return from
}

const hostTo = (text: string, at: number): number => {
  let to = at + 1
  while (to < text.length && to - at <= HOST_CHARS_MAX && HOST.test(text[to] ?? "")) to += 1
  return at + 1 + text.slice(at + 1, to).replace(/[.-]+$/, "").length
}

interface Written {
  readonly from: number
  readonly to: number
  readonly email: string
}

/** What may be an address, around each `@`: as far as its characters go, and as far as no link is around it. */
const writtenIn = (text: string): ReadonlyArray<Written> =>
  Array.from(text.matchAll(AT)).flatMap(({ index: at }) => {
    const [from, to] = [localFrom(text, at), hostTo(text, at)]
    if (from === at || to === at + 1) return []
    const inner = at - (text.slice(from, at).split(INNER).at(-1) ?? "").length
    return [...new Set(inner === at ? [from] : [from, inner])].flatMap((begin) => {
      const email = usableEmail(text.slice(begin, to))
      return email === null ? [] : [{ from: begin, to, email }]
    })
  })

/** Every address in the text, normalised: the whole text, and around each `@`. */
export const addressesIn = (text: string): ReadonlySet<string> => {
  const found = new Set(writtenIn(text).map(({ email }) => email))
  const whole = text.length <= LOCAL_CHARS_MAX + HOST_CHARS_MAX ? usableEmail(text) : null
  return whole === null ? found : found.add(whole)
}

/** As people write them among words: an apostrophe may stand within an address, quotation marks around it. */
const AMONG_WORDS = /[^\s<>()[\],;:"“”„«»]{1,64}@[^\s<>()[\],;:"'‘’“”„«»]{1,255}/gu

/** A short word before an address, of which an apostrophe is left: French and Italian. */
const ELISION = /^(?:[dl]|qu|dell|all|dall|nell|sull)['’](?=[^'’@])/iu

/** The addresses in the words of a person or a server, in their order, normalised. */
export function* addressesAmong(text: string): Generator<string> {
  for (const [found] of text.matchAll(AMONG_WORDS)) {
    const bare = found.replace(/^['‘’`]+/u, "").replace(ELISION, "")
    const email = usableEmail(bare.replace(/[.!?`]+$/u, ""))
    if (email !== null) yield email
  }
}

/** The first of them. */
export const addressAmong = (text: string): string | null => {
  for (const email of addressesAmong(text)) return email
  return null
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** Replaces an erased address. */
export const ERASED_MARK = "[erased]"

/** Removes another spelling of the address, wherever one stands. */
const withoutSpellings = (email: string, text: string): string => {
  const kept: Array<string> = []
  let done = 0
  for (const { email: found, from, to } of writtenIn(text)) {
    if (found !== email || from < done) continue
    kept.push(text.slice(done, from), ERASED_MARK)
    done = to
  }
  return kept.length === 0 ? text : [...kept, text.slice(done)].join("")
}

/** Removes the address (normalised) from a text. A text that is only the address becomes empty. */
export const withoutAddress = (email: string): ((text: string) => string) => {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}._%+-])${escaped(email)}(?![\\p{L}\\p{N}-]|\\.[\\p{L}\\p{N}])`, "giu")
  return (text) => (usableEmail(text) === email ? "" : withoutSpellings(email, text.replace(pattern, ERASED_MARK)))
}
