/** The one reader of addresses: whatever compares people compares what it gives. */
import { Result } from "effect"
import { textFlaw } from "../text.js"
import { readHost } from "./Host.js"

const LOCAL_OCTETS_MAX = 64
const ADDRESS_OCTETS_MAX = 254

/** Longer texts are no address, however they are written. */
const WRITTEN_CHARS_MAX = 1_024

const utf8 = new TextEncoder()

/** Whether the text has at most so many octets. A UTF-16 unit has at most three. */
const fits = (text: string, octetsMax: number): boolean =>
  text.length * 3 <= octetsMax || utf8.encode(text).length <= octetsMax

/** The usual address: nothing in it has another spelling but the case of its letters. */
const PLAIN = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i

// RFC 5321 §4.1.2 atoms, widened by RFC 6531 to characters beyond ASCII. White space and controls stay out there too.
const ATOM = /^(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]|[^\p{ASCII}\p{Z}\p{C}])+$/iu

/** Apostrophes and hyphens as word processors write them. No mailbox differs from another by their form. */
const APOSTROPHES = /[\u2018\u2019\u02BC]/gu
const HYPHENS = /[\u2010-\u2013\u2212]/gu

/** Word by word: within a longer text a letter may have another small form, as the Greek sigma has at the end of a word. */
const inSmall = (text: string): string => text.replace(/[\p{L}\p{M}]+/gu, (word) => word.toLowerCase())

/** What no reader shows. No mailbox differs from another by it. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2800]/gu

/** Words of a local part, between dots: atoms or quoted strings (RFC 5322 §3.4.1 with its obsolete form). */
const WORDS = /^(?:"(?:[^"\\]|\\.)*"|[^"\\.]*)(?:\.(?:"(?:[^"\\]|\\.)*"|[^"\\.]*))*$/su
const QUOTED_WORD = /"((?:[^"\\]|\\.)*)"/gsu

/** The text between quotation marks, as what it stands for (RFC 5321 §4.1.2: quoting changes no meaning). */
const unquoted = (local: string): string =>
  local.replace(QUOTED_WORD, (_, inside: string) => inside.replace(/\\(.)/gsu, "$1"))

const localFlaw = (local: string, wasQuoted: boolean): string | null => {
  if (local === "") return 'has nothing before its "@"'
  const atoms = local.split(".")
  if (atoms.every((atom) => ATOM.test(atom))) return null
  if (wasQuoted) return "has a local part that stands only in quotation marks, which many servers refuse"
  if (atoms.includes("")) return 'has a dot too many before its "@"'
  if (/[\t\n\r]/.test(local)) return "has a line break or a tab in it"
  if (local.includes("@")) return 'has more than one "@"'
  if (/\s/.test(local)) return "has a space in it"
  if (/[()]/.test(local)) return "has a remark in brackets"
  return 'has a sign before its "@" that no address has'
}

/** `<ann@acme.com>` and `mailto:ann@acme.com`: the address as programs copy it. */
const bare = (text: string): string => {
  const inner = /^<([^<>]*)>$/s.exec(text)?.[1] ?? text
  return inner.trim().replace(/^mailto:(?:\/\/)?/i, "")
}

/** `Ann North <ann@north.test>`. */
const NAMED = /[^\s<>][^<>]*<[^<>@]+@[^<>@]+>$/

const fromLocal = (written: string, host: string): Result.Result<string, string> => {
  // Case first: some capitals decompose only then.
  const folded = inSmall(written.normalize("NFKC"))
    .normalize("NFKC")
    .replaceAll("\u3002", ".")
    .replace(APOSTROPHES, "'")
    .replace(HYPHENS, "-")
  const isQuoted = folded.includes('"')
  if (isQuoted && !WORDS.test(folded)) return Result.fail("has a quotation mark that nothing closes")
  const local = isQuoted ? unquoted(folded) : folded
  const flaw = localFlaw(local, isQuoted)
  if (flaw !== null) return Result.fail(flaw)
  if (!fits(local, LOCAL_OCTETS_MAX)) return Result.fail(`has more than ${LOCAL_OCTETS_MAX} octets before its "@"`)
  const email = `${local}@${host}`
  return fits(email, ADDRESS_OCTETS_MAX)
    ? Result.succeed(email)
    : Result.fail(`has more than ${ADDRESS_OCTETS_MAX} octets`)
}

/**
 * The canonical form that identifies a person and receives their mail, or what is wrong with the address, as words after
 * "it". However an address is spelled, one mailbox has one form: without the quotation marks and backslashes that change
 * nothing, without what nobody sees, in lower case, its letters as NFKC makes them, its apostrophes and hyphens as ASCII
 * has them, its domain in ASCII (IDNA).
 */
export const readEmail = (input: string): Result.Result<string, string> => {
  const trimmed = input.trim()
  if (trimmed.length > WRITTEN_CHARS_MAX) return Result.fail(`has more than ${ADDRESS_OCTETS_MAX} octets`)
  if (textFlaw(trimmed) !== null) return Result.fail("has characters that are no text")
  const plain = trimmed.lastIndexOf("@")
  if (plain > 0 && plain <= LOCAL_OCTETS_MAX && PLAIN.test(trimmed.slice(0, plain))) {
    const host = Result.mapError(readHost(trimmed.slice(plain + 1)), (flaw) => `has a domain that ${flaw}`)
    return Result.flatMap(host, (domain) => fromLocal(trimmed.slice(0, plain), domain))
  }
  const text = bare(trimmed.replace(UNSEEN, "").trim())
  if (text.endsWith(">") && NAMED.test(text)) return Result.fail("has a name beside it; give the address alone")
  const at = Math.max(text.lastIndexOf("@"), text.lastIndexOf("\uFF20"), text.lastIndexOf("\uFE6B"))
  if (at === -1) return Result.fail(text === "" ? "is empty" : 'has no "@"')
  return Result.flatMap(
    Result.mapError(readHost(text.slice(at + 1)), (flaw) => `has a domain that ${flaw}`),
    (host) => fromLocal(text.slice(0, at), host)
  )
}

/** The canonical form of an address that can receive mail; null for any other text. */
export const usableEmail = (input: string): string | null => Result.getOrElse(readEmail(input), () => null)

/** What is wrong with an address, as words after "it"; null: nothing. */
export const emailFlaw = (input: string): string | null =>
  Result.match(readEmail(input), { onFailure: (flaw) => flaw, onSuccess: () => null })

/**
 * Spellings of an address that earlier releases took for other people. Suppressions of them are stored under their hashes
 * alone, so they are asked for beside the person's own.
 */
export const earlierForms = (email: string): ReadonlyArray<string> => {
  const at = email.lastIndexOf("@")
  const [local, host] = [email.slice(0, at), email.slice(at)]
  const written = [
    local.replaceAll("'", "\u2019"),
    local.replaceAll("-", "\u2010"),
    local.replaceAll("-", "\u2013"),
    local.toUpperCase().toLowerCase()
  ].filter((one) => one !== local)
  return [`"${local}"`, ...new Set(written)].map((one) => `${one}${host}`)
}

/** Input of the keyed hash of a person. */
export const addressHashInput = (workspaceId: string, normalized: string): string => `${workspaceId}\n${normalized}`

/** The address without its tag (RFC 5233): "pat+news@" is "pat@"; none: it has none. */
export const untagged = (email: string): ReadonlyArray<string> => {
  const plain = email.replace(/^([^+@"]+)\+[^@"]*@/, "$1@")
  return plain === email ? [] : [plain]
}
