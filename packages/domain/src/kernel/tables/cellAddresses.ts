import { readEmail, usableEmail } from "../people/EmailAddress.js"
import { readHost } from "../people/Host.js"
import { hasKnownEnd } from "../people/Suffixes.js"
import { withoutEntities } from "../text/entities.js"
import { Result } from "effect"
import { isFailedFormula } from "../text/sheetErrors.js"
import { withoutInvisible } from "./Cell.js"

/** A part that is meant as an address, and what is wrong with it, as words after "it". */
interface WrongPart {
  readonly text: string
  readonly flaw: string
}

/** What a cell says of addresses. People write names, several addresses and whole domains into it. */
export interface CellAddresses {
  /** Canonical, each once. */
  readonly emails: ReadonlyArray<string>
  /** Hosts of `@acme.com`, `*@acme.com` and `acme.com`. An address never becomes one. */
  readonly domains: ReadonlyArray<string>
  /** Parts that are meant as an address and are none. */
  readonly wrong: ReadonlyArray<WrongPart>
  /** Other words, as a name. */
  readonly words: ReadonlyArray<string>
  /** Whether invisible characters were removed within an address. */
  readonly wasRepaired: boolean
}

/** A cell has no more addresses than this; the rest is reported as wrong. */
const PARTS_MAX = 100

/** A longer part is no address. */
const PART_CHARS_MAX = 400

const SEPARATORS = /[;,|\n\r、，；،؛｜]|:::/

/** What people write between addresses, too: it may be part of one, so all around it must be addresses. */
const BETWEEN = / (?:and|or|und|oder|et|ou|y|o|e|en|of|och|eller|og|i|lub|и|или|&|\+) | ?\/+ ?/iu

/** What sets an address apart from a name or a remark beside it. */
const BESIDE = / [-–—] |: |[()[\]]/u

/** Signs of lists, such as bullets and arrows: no mailbox begins with one. */
const LISTING = /^(?:(?!\p{ASCII})[\p{So}\p{Sm}]|[•‣⁃·–—])+\s*/u

/** What mail programs and directories of accounts write before an address. */
const SCHEME = /^(?:mailto:(?:\/\/)?|smtp:|(?:e?mail|emailaddress|e)=)/i

/** What surrounds an address in lists: brackets and quotes in pairs, `mailto:`, signs at its end. */
const bare = (part: string): string => {
  let text = part.trim()
  if (text.length > PART_CHARS_MAX) return text
  text = text.replace(LISTING, "")
  for (
    let times = 0, before = "";
    times < 4 && text !== before && /^\W|\W$|^(?:mailto:|smtp:|[a-z]{1,12}=)/i.test(text);
    times += 1
  ) {
    before = text
    text = text
      .replace(SCHEME, "")
      .replace(/^<([^<>]*)>$/, "$1")
      .replace(/^\(([^()]*)\)$/, "$1")
      .replace(/^\[([^[\]]*)\]$/, "$1")
      .replace(/^(['‘’"“”])([^'‘’"“”]+@[^'‘’"“”]+)['‘’"“”]$/, "$2")
      // A spreadsheet's mark of text, alone at the beginning.
      .replace(/^'(?=[^'])/, "")
      .replace(/[.,;:]+$/, "")
      .trim()
  }
  return text
}

/** What stands between a local part and its domain. */
const AT = /[@\uFF20\uFE6B]/u

/** Everybody at a domain: `@acme.com`, `*@acme.com`. */
const EVERYBODY = /^\*?@/

const readPart = (part: string): Result.Result<string, string> => {
  const text = bare(part)
  // A star stands for everybody.
  if (EVERYBODY.test(text)) return Result.fail('has nothing before its "@"')
  if (/[\r\n]/.test(text)) return Result.fail("has a line break in it")
  if (text.includes("\uFFFD")) return Result.fail("has a character that could not be read")
  const isLink = /^\s*<?mailto:/i.test(part)
  return readEmail(isLink ? (text.split("?", 1)[0] ?? "") : text)
}

const isEmail = (part: string): boolean => Result.isSuccess(readPart(part))

/** What is barred is barred for ever, so a bare name must be one that mail can go to: "n.a." and `ann_at_acme.com` aren't. */
const domainOf = (part: string): string | null => {
  const text = bare(part)
  const host = Result.getOrNull(readHost(text.replace(EVERYBODY, "").replace(/^\*\./, "")))
  return host === null || EVERYBODY.test(text) || hasKnownEnd(host) ? host : null
}

/** `Ann North <ann@north.test>`, alone or in a list. */
const ANGLED = /<([^<>]{1,400})>/g

const partsOf = (text: string): ReadonlyArray<string> => {
  const angled = [...text.matchAll(ANGLED)].map(([, inner = ""]) => inner)
  const outside = angled.length === 0 ? text : text.replaceAll(ANGLED, ";")
  const parts = [...angled, ...outside.split(SEPARATORS)].filter((part) => part.trim() !== "")
  return parts.flatMap((part) => {
    if (part.length > PART_CHARS_MAX) return [part]
    const words = part.trim().split(/\s+/)
    // Addresses separated by nothing but space.
    if (words.length > 1 && words.every(isEmail)) return words
    // Without one of these nothing divides it.
    if (!/[\s/()[\]]/.test(part.trim()) || isEmail(part)) return [part]
    const line = words.join(" ")
    const between = line.split(BETWEEN)
    if (between.length > 1 && between.every(isEmail)) return between
    const beside = line.split(BESIDE).filter((one) => one.trim() !== "")
    const held = beside.filter((one) => AT.test(one))
    return beside.length > 1 && held.length === 1 && held.every(isEmail) ? beside : [part]
  })
}

/** Characters that programs write between the values of one cell, and that stand for a line's end elsewhere. */
// oxlint-disable-next-line no-control-regex -- they are what is meant
const DIVIDING = /[\u0001-\u0008\v\f\u000E-\u001F\u007F-\u009F\u2028\u2029]/g

/** What may be the part of an address before its "@", which a separator cut off. */
const LOCAL = /^[^\s@]+$/

/** The address behind a sign with which it is somebody else's, as of a formula or a comment; null: it has none. */
export const behindSign = (email: string): string | null => {
  const behind = email.replace(/^[^\p{L}\p{M}\p{N}_]+/u, "")
  return behind === email ? null : usableEmail(behind)
}

export const cellAddresses = (cell: string): CellAddresses => {
  const text = withoutInvisible(withoutEntities(cell).replace(DIVIDING, "\n")).trim()
  const emails = new Set<string>()
  const domains = new Set<string>()
  const wrong: Array<WrongPart> = []
  const words: Array<string> = []
  const parts = isEmail(text) ? [text] : partsOf(text).filter((part) => bare(part) !== "")
  const read = parts.slice(0, PARTS_MAX).map((part) => [part, readPart(part)] as const)
  const hasEmail = read.some(([, email]) => Result.isSuccess(email))
  // A bare name beside what is meant as an address may be anything, as a website, or the end of the address.
  const mayBeBare = !hasEmail && !parts.some((part) => AT.test(part) && !EVERYBODY.test(bare(part)))
  for (const [index, [part, email]] of read.entries()) {
    const [before = null] = read[index - 1] ?? []
    const isTorn =
      EVERYBODY.test(bare(part)) && before !== null && LOCAL.test(before.trim()) && domainOf(before) === null
    const isDomain = Result.isFailure(email) && !isTorn && (EVERYBODY.test(bare(part)) || mayBeBare)
    const domain = isDomain ? domainOf(part) : null
    if (Result.isSuccess(email)) emails.add(email.success)
    else if (domain !== null) domains.add(domain)
    else if (AT.test(part)) wrong.push({ text: part.trim(), flaw: email.failure })
    else words.push(part.trim())
  }
  const flaw = `is beyond the ${PARTS_MAX} addresses of a cell`
  wrong.push(...parts.slice(PARTS_MAX).map((part) => ({ text: part.trim(), flaw })))
  return {
    emails: [...emails],
    domains: [...domains],
    wrong,
    words,
    wasRepaired: (emails.size > 0 || domains.size > 0) && withoutInvisible(cell).trim() !== cell.trim()
  }
}

const SHOWN_CHARS_MAX = 80

/** The text in quotes, cut to what a message can hold. */
export const shownText = (text: string): string => {
  const cut =
    text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX).replace(/[\uD800-\uDBFF]$/, "")}…` : text
  return `"${cut}"`
}

/** The one address of a cell, or why there is none. Null: the cell is empty. */
export const oneAddress = (
  cell: string
): { readonly email: string } | { readonly what: string; readonly mend: string } | null => {
  const text = withoutInvisible(cell).trim()
  if (text === "") return null
  if (isFailedFormula(text))
    return {
      what: `${shownText(text)} is what a spreadsheet writes where a formula failed`,
      mend: "Enter the address."
    }
  const { domains, emails, words, wrong } = cellAddresses(cell)
  const [email] = emails
  // A name belongs to an address in angle brackets. Other words may be what a line break or delimiter tore off.
  const isNamed = words.length === 0 || text.includes("<")
  const isOne = emails.length === 1 && wrong.length === 0 && domains.length === 0
  if (email !== undefined && isOne && isNamed) return { email }
  if (email !== undefined && isOne)
    return { what: `${shownText(text)} holds more than an address`, mend: `If ${email} is meant, enter that alone.` }
  const [first] = wrong
  if (first !== undefined && emails.length === 0 && wrong.length === 1)
    return {
      what: `${shownText(first.text)} is not an email address: it ${first.flaw}`,
      mend: "Enter an address such as ann@acme.com, or leave it empty."
    }
  if (emails.length + wrong.length > 1)
    return { what: `${shownText(text)} holds several addresses`, mend: "Give each address a row of its own." }
  return {
    what: `${shownText(text)} is not an email address`,
    mend: "Enter an address such as ann@acme.com, or leave it empty."
  }
}
