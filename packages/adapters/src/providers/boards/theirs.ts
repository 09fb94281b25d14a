import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import type { BoardProof } from "@outbound/domain/sources/SourceMemoryStore.js"
import { type JsonLd, type Markup, ofType, textIn } from "../../site/markup.js"
import type { Link } from "../../site/extract.js"
import type { VisitedPage } from "../../site/WebVisitor.js"
import { isNamed } from "../open/names.js"
import { plainText, present } from "../open/texts.js"
import { type Board, boardOf, type Posting, timeOf } from "./postings.js"
import { type BoardAddress, boardIn } from "./systems.js"

/** Names of pages about work at a company, in the languages that we know them in. */
const CAREERS =
  /(?:^|[\s/_.-])(?:careers?|jobs?|join(?:-?us)?|work(?:-?with-?us|-?at|-?for-?us)|vacanc(?:y|ies)|openings?|open-?(?:positions?|roles?)|hiring|karriere|stellen(?:angebote)?|offene-?stellen|jobb|vacatures?|werken-?bij|emplois?|carri[eè]res?|recrutement|nous-?rejoindre|empleos?|trabaja|carreras?|lavora|carriera|vagas|ura|tyopaikat|praca|kariera)(?:$|[\s/_.?-])/i

/** Where companies usually have one, if no link says so. */
const USUAL = ["/careers", "/jobs"]

const LINKS_MAX = 6

/** The links of a page that lead to pages about work there. */
export const careersLinks = (at: URL, links: ReadonlyArray<Link>): ReadonlyArray<URL> => {
  const found = new Map<string, URL>()
  for (const { href, words } of links) {
    if (!URL.canParse(href, at.href)) continue
    const url = new URL(href, at)
    url.hash = ""
    if (!/^https?:$/.test(url.protocol) || url.href === at.href) continue
    if (CAREERS.test(` ${words} `) || CAREERS.test(`${url.hostname}${url.pathname}`)) found.set(url.href, url)
  }
  if (found.size === 0 && at.pathname === "/") for (const path of USUAL) found.set(path, new URL(path, at))
  return [...found.values()].slice(0, LINKS_MAX)
}

/** The share of postings that must name the company where nothing else tells whose they are. */
const NAMING_SHARE = 0.5
const NAME_CHARS_MIN = 4

const isNamedIn = (names: ReadonlyArray<string>, text: string): boolean => {
  const words = ` ${fold(text).replace(/[^\p{L}\p{N}.]+/gu, " ")} `
  return names.some((name) => {
    const wanted = fold(name)
      .replace(/[^\p{L}\p{N}.]+/gu, " ")
      .trim()
    return wanted.length >= NAME_CHARS_MIN && words.includes(` ${wanted} `)
  })
}

/**
 * How we know that a board is the company's; null: we don't. A link on the company's page is not enough, since pages also link
 * the boards of a parent, of a customer, or of the companies in a portfolio. The board's address must have the company's name,
 * or the board must call itself so; if it has no name of its own, half of its postings must name the company.
 */
export const proofOf = (
  address: BoardAddress,
  { name, postings }: Board,
  names: ReadonlyArray<string>
): BoardProof | null => {
  if (isNamed(address.board, names)) return "address"
  if (name !== null) return isNamed(name, names) ? "board_name" : null
  const naming = postings.filter(({ text, title }) => isNamedIn(names, `${title} ${text ?? ""}`)).length
  return naming > 0 && naming / postings.length >= NAMING_SHARE ? "postings" : null
}

/** Addresses in scripts, where boards are embedded by code. */
const WRITTEN =
  /(?:https?:)?\/\/[a-z0-9.-]*(?:greenhouse\.io|lever\.co|ashbyhq\.com|recruitee\.com|personio\.(?:de|com)|smartrecruiters\.com|workable\.com)[^\s"'<>\\]{0,200}/gi

/** A board, and the address of the company's page that leads to it first. */
interface BoardOnPage {
  readonly address: BoardAddress
  readonly foundOn: string
}

/** The boards that a company's pages embed or link, embedded ones first. */
export const boardsOn = (
  pages: ReadonlyArray<{ readonly page: VisitedPage; readonly markup: Markup }>,
  strayed: ReadonlyArray<URL>
): ReadonlyArray<BoardOnPage> => {
  const found = new Map<string, BoardOnPage & { weight: number }>()
  const add = (href: string, base: URL, weight: number) => {
    if (!URL.canParse(href, base.href)) return
    const address = boardIn(new URL(href, base))
    if (address === null) return
    const key = `${address.system} ${address.board.toLowerCase()}`
    const before = found.get(key)
    if (before === undefined) found.set(key, { address, foundOn: base.href, weight })
    else before.weight += weight
  }
  for (const url of strayed) add(url.href, url, EMBED_WEIGHT)
  for (const { markup, page } of pages) {
    for (const { by, href } of markup.references) add(href, page.at, by === "embed" ? EMBED_WEIGHT : 1)
    for (const script of markup.scripts) for (const [href] of script.matchAll(WRITTEN)) add(href, page.at, EMBED_WEIGHT)
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight)
}

const EMBED_WEIGHT = 100

const JOB = new Set(["JobPosting"])

const placeIn = (value: unknown): ReadonlyArray<string> =>
  [value].flat().flatMap((place) => {
    const address = (place as JsonLd | null)?.["address"]
    if (typeof address === "string") return [address]
    if (typeof address !== "object" || address === null) return []
    const at = address as JsonLd
    const parts = present([textIn(at, "addressLocality"), textIn(at, "addressRegion"), textIn(at, "addressCountry")])
    return parts.length === 0 ? [] : [parts.join(", ")]
  })

/** Whether a posting on a company's page is the company's: it names no other. */
const isOwnPosting = (posting: JsonLd, companyDomain: string, names: ReadonlyArray<string>): boolean => {
  const by = posting["hiringOrganization"]
  const name = textIn(posting, "hiringOrganization")
  if (typeof by === "object" && by !== null) {
    const at = textIn(by as JsonLd, "sameAs") ?? textIn(by as JsonLd, "url")
    const domain = at === null ? null : registrableDomain(at)
    if (domain !== null && domain === companyDomain) return true
  }
  return name === null || isNamed(name, names)
}

/** The postings that stand in a company's own pages (schema.org `JobPosting`). Null: there are none. */
export const postingsOn = (
  companyDomain: string,
  pages: ReadonlyArray<{ readonly page: VisitedPage; readonly markup: Markup }>,
  names: ReadonlyArray<string>
): Board | null => {
  const postings = pages.flatMap(({ markup, page }) =>
    ofType(markup.data, JOB).flatMap((one): ReadonlyArray<Posting> => {
      const title = textIn(one, "title")
      if (title === null || !isOwnPosting(one, companyDomain, names)) return []
      const address = textIn(one, "url")
      const url = address !== null && URL.canParse(address, page.url) ? new URL(address, page.url).href : page.url
      const identifier = one["identifier"]
      const id = typeof identifier === "object" && identifier !== null ? textIn(identifier as JsonLd, "value") : null
      return [
        {
          id: id ?? `${title} ${url}`,
          title: plainText(title) ?? title,
          url,
          publishedAt: timeOf(textIn(one, "datePosted")),
          places: placeIn(one["jobLocation"]),
          department: textIn(one, "occupationalCategory"),
          text: plainText(textIn(one, "description"))
        }
      ]
    })
  )
  return postings.length === 0 ? null : boardOf(null, postings)
}
