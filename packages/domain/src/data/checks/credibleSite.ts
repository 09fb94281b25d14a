import { registrableDomain } from "../../kernel/people/Domain.js"
import { type Judgement, JUDGE_ANSWERS } from "../../sources/ports/Judge.js"
import { type SitePage, type SiteReading, UNREADABLE_REASONS } from "../../sources/ports/SiteReader.js"

// Checks what sources say about a website: pages must be the company's own, and quotes must be on their page verbatim.

const URL_CHARS_MAX = 2048
const TITLE_CHARS_MAX = 300
/** The longest page text for a judge. */
export const PAGE_CHARS_MAX = 40_000

/** The longest passage that counts as a quote. */
export const EXCERPT_CHARS_MAX = 500

/** A shorter passage occurs on any page and proves nothing. */
const EXCERPT_LETTERS_MIN = 4

/** Control characters except white space, and lone surrogates. */
const UNPRINTABLE = /[^\P{Cc}\s]|\p{Cs}/gu

/** The form for comparing and showing: any white space becomes one space. */
const normalised = (text: string): string => text.replace(UNPRINTABLE, "").replace(/\s+/g, " ").trim()

/** The same per line, without empty lines: lines show a judge what belongs together. */
const normalisedLines = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map(normalised)
    .filter((line) => line !== "")
    .join("\n")

/** Cuts without splitting a character. */
const upTo = (text: string, charsMax: number): string => text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, "")

const isOwnUrl = (url: string, companyDomain: string): boolean => {
  if (url.length > URL_CHARS_MAX || !URL.canParse(url)) return false
  const { password, protocol, username } = new URL(url)
  return /^https?:$/.test(protocol) && username + password === "" && registrableDomain(url) === companyDomain
}

const crediblePage = (page: SitePage, companyDomain: string): SitePage | null => {
  const text = upTo(normalisedLines(page.text), PAGE_CHARS_MAX)
  if (text === "" || !isOwnUrl(page.url, companyDomain)) return null
  const title = upTo(normalised(page.title ?? ""), TITLE_CHARS_MAX)
  return { url: new URL(page.url).href, title: title === "" ? null : title, text }
}

/** The reading without implausible parts; null if nothing is left. */
export const credibleReading = (reading: SiteReading, companyDomain: string, pagesMax: number): SiteReading | null => {
  if (reading._tag === "Unreadable") return UNREADABLE_REASONS.includes(reading.reason) ? reading : null
  const own = reading.pages.flatMap((page) => crediblePage(page, companyDomain) ?? [])
  const pages = [...new Map(own.toReversed().map((page) => [page.url, page])).values()].toReversed().slice(0, pagesMax)
  return pages.length === 0 ? null : { _tag: "Read", pages }
}

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

/** The quote as its page has it; null if the page doesn't contain it. */
const quotation = (
  { excerpt, sourceUrl }: Judgement,
  pages: ReadonlyArray<SitePage>
): { readonly excerpt: string; readonly sourceUrl: string } | null => {
  if (typeof excerpt !== "string" || typeof sourceUrl !== "string" || !URL.canParse(sourceUrl)) return null
  const quoted = normalised(excerpt)
  if (quoted.length > EXCERPT_CHARS_MAX || lettersIn(quoted) < EXCERPT_LETTERS_MIN) return null
  const page = pages.find(({ url }) => url === new URL(sourceUrl).href)
  return page !== undefined && normalised(page.text).includes(quoted) ? { excerpt: quoted, sourceUrl: page.url } : null
}

const NOTHING_QUOTED = { excerpt: null, sourceUrl: null } as const

/** The usable part of a judgement, or null. A `yes` without a quote becomes `unclear`; `not_found` has no quote. */
export const credibleJudgement = (judgement: Judgement, pages: ReadonlyArray<SitePage>): Judgement | null => {
  if (!JUDGE_ANSWERS.includes(judgement.answer)) return null
  if (judgement.answer === "not_found") return { answer: "not_found", ...NOTHING_QUOTED }
  const quoted = quotation(judgement, pages)
  return quoted === null ? { answer: "unclear", ...NOTHING_QUOTED } : { answer: judgement.answer, ...quoted }
}
