import { regionKeyOf } from "@outbound/domain/data/directory/Places.js"
import { bareCompanyName } from "@outbound/domain/kernel/people/companyNames.js"
import { registrableDomain } from "@outbound/domain/kernel/people/Domain.js"
import { type JsonLd, type Markup, ofType, textIn } from "../../site/markup.js"
import type { VisitedPage } from "../../site/WebVisitor.js"
import { namesOf, ORGANIZATIONS } from "../open/names.js"

/** What a company's own pages say of who it is. */
export interface Stated {
  readonly companyDomain: string
  /** Its domain's name, and the names that its pages state, bare. */
  readonly names: ReadonlySet<string>
  /** As its pages write them, and its domain's name where they write none: each once. */
  readonly written: ReadonlyArray<string>
  /** Of the names the ones that its pages state. */
  readonly said: ReadonlySet<string>
  /** The stated names with their legal forms. */
  readonly legal: ReadonlySet<string>
  readonly places: ReadonlyArray<StatedPlace>
  readonly phones: ReadonlySet<string>
  readonly tickers: ReadonlySet<string>
  /** Filers that its pages link at the SEC, which may be others too. */
  readonly ciks: ReadonlySet<string>
}

interface StatedPlace {
  readonly city: string
  readonly state: string | null
  readonly zip: string | null
}

/** A filer, as the SEC keeps it. */
export interface Filer {
  readonly cik: string
  readonly name: string
  readonly formerNames: ReadonlyArray<string>
  readonly websites: ReadonlyArray<string>
  readonly phone: string | null
  readonly tickers: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<{
    readonly city: string | null
    readonly state: string | null
    readonly zip: string | null
  }>
}

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "")

/** Filers of one name are told apart by a place of incorporation or a word between slashes: `ACME INC /DE/`. */
const filed = (name: string): string => name.replace(/\s*[/\\][\w .]{1,12}[/\\]?\s*$/, "")

const FORMS: Readonly<Record<string, string>> = {
  incorporated: "inc",
  corporation: "corp",
  company: "co",
  limited: "ltd",
  lp: "lp"
}
const LEGAL_FORMS = new Set(["inc", "corp", "co", "ltd", "llc", "lp", "plc", "llp"])

const wordsOf = (name: string): ReadonlyArray<string> =>
  filed(name)
    .toLowerCase()
    .replace(/\b(l)\.?(l)\.?([cp])\b|\b(l)\.(p)\b/g, (found) => found.replaceAll(".", ""))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => FORMS[word] ?? word)

/** A name with its legal form, as it is compared. */
const legalOf = (name: string): string => wordsOf(name).join(" ")

const formOf = (legal: string): string | null => {
  const last = legal.split(" ").at(-1) ?? ""
  return LEGAL_FORMS.has(last) ? last : null
}

const bare = (name: string): string => bareCompanyName(filed(name))

/** The digits of a number of the United States or Canada; null: it is none. */
const phoneOf = (text: string): string | null => {
  const digits = text.replace(/\D/g, "")
  if (digits.length === 10) return digits
  return digits.length === 11 && digits.startsWith("1") ? digits.slice(1) : null
}

const COPYRIGHT = /(?:©|\(c\)|copyright)[\s\d–,-]{0,16}(?:by\s)?([\p{L}][\p{L}\p{N} .,&'-]{1,60})/giu
const AFTER_NAME = /[.,\s]*(?:all rights.*|powered by.*)$/i
const ADDRESS = /([A-Z][A-Za-z.'’ -]{1,40}),\s*([A-Z]{2})\.?\s+(\d{5})(?:-\d{4})?\b/g
const PHONE = /(?:\+?1[ .-])?\(?[2-9]\d{2}\)?[ .-]\d{3}[ .-]\d{4}\b/g
const TICKER = /\b(?:NASDAQ|NYSE(?: American| Arca)?|OTCQ[BX]|AMEX)\s*:\s*([A-Z]{1,5}(?:[.-][A-Z])?)(?![A-Za-z])/gi
const CIK_LINK = /^https?:\/\/(?:[a-z0-9-]+\.)*sec\.gov\/(?:.*[?&](?:CIK=)|Archives\/edgar\/data\/)0*(\d{1,10})\b/i

const LABEL_CHARS_MIN = 4

const all = (pattern: RegExp, text: string): ReadonlyArray<RegExpMatchArray> => [...text.matchAll(pattern)].slice(0, 50)

const stateOf = (text: string | null): string | null => (text === null || text.trim() === "" ? null : regionKeyOf(text))

const zipOf = (text: string | null): string | null => /^\d{5}/.exec(text?.trim() ?? "")?.[0] ?? null

/** What a company's own pages say of who it is. */
export const statedBy = (
  companyDomain: string,
  pages: ReadonlyArray<{ readonly page: VisitedPage; readonly markup: Markup }>
): Stated => {
  const [label = ""] = companyDomain.split(".")
  const markups = pages.map(({ markup }) => markup)
  const structured = namesOf(companyDomain, markups).filter((name) => name !== companyDomain && name !== label)
  const known = new Set([label, ...structured].map(bareCompanyName))
  // Themes and agencies sign pages too: a name counts if it begins as the company's own does.
  const isOwn = (name: string) =>
    [...known].some((one) => one.length >= LABEL_CHARS_MIN && bareCompanyName(name).startsWith(one))
  const signed = pages
    .flatMap(({ page }) => all(COPYRIGHT, page.text).map(([, name = ""]) => name.replace(AFTER_NAME, "").trim()))
    .filter(isOwn)
  const said = [...structured, ...signed].filter((name) => bareCompanyName(name) !== "")
  const organizations = markups
    .flatMap(({ data }) => ofType(data, ORGANIZATIONS))
    .filter((one) => {
      const name = textIn(one, "name") ?? textIn(one, "legalName")
      const at = textIn(one, "url")
      return (
        (name !== null && known.has(bareCompanyName(name))) || (at !== null && registrableDomain(at) === companyDomain)
      )
    })
  const addresses = organizations
    .flatMap((one) => [one["address"], one["location"]].flat())
    .flatMap((one) => (typeof one === "object" && one !== null ? [one as JsonLd] : []))
    .map((one) => (typeof one["address"] === "object" && one["address"] !== null ? (one["address"] as JsonLd) : one))
  const hrefs = markups.flatMap(({ references }) =>
    references.filter(({ by }) => by === "link").map(({ href }) => href)
  )
  const texts = pages.map(({ page }) => page.text)
  return {
    companyDomain,
    names: new Set([...known, ...said.map(bare)].filter((name) => name !== "")),
    written: [...new Map((said.length === 0 ? [label] : said).map((name) => [bare(name), name])).values()],
    said: new Set(said.map(bare)),
    legal: new Set(said.map(legalOf)),
    places: [
      ...addresses.flatMap((one): ReadonlyArray<StatedPlace> => {
        const city = letters(textIn(one, "addressLocality") ?? "")
        const [state, zip] = [stateOf(textIn(one, "addressRegion")), zipOf(textIn(one, "postalCode"))]
        return city === "" && state === null && zip === null ? [] : [{ city, state, zip }]
      }),
      ...texts.flatMap((text) =>
        all(ADDRESS, text).map(([, city = "", state = "", zip = ""]) => ({
          city: letters(city),
          state: stateOf(state),
          zip
        }))
      )
    ],
    phones: new Set(
      [
        ...organizations.map((one) => textIn(one, "telephone") ?? ""),
        ...hrefs.filter((href) => /^tel:/i.test(href)),
        ...texts.flatMap((text) => all(PHONE, text).map(([found]) => found))
      ].flatMap((text) => phoneOf(text) ?? [])
    ),
    tickers: new Set(
      [
        ...organizations.map(
          (one) =>
            textIn(one, "tickerSymbol")
              ?.split(/[\s:]+/)
              .at(-1) ?? ""
        ),
        ...texts.flatMap((text) => all(TICKER, text).map(([, symbol = ""]) => symbol))
      ]
        .map((symbol) => symbol.toUpperCase().replace(".", "-"))
        .filter((symbol) => symbol !== "")
    ),
    ciks: new Set(hrefs.flatMap((href) => CIK_LINK.exec(href)?.[1] ?? []))
  }
}

export const isCalled = ({ names }: Stated, name: string): boolean => names.has(bare(name))

/** What speaks for a filer beside its name. A state is shared by too many to prove anything by itself. */
const evidenceFor = (stated: Stated, filer: Filer): "proof" | "state" | null => {
  const websites = filer.websites.flatMap((at) => registrableDomain(at) ?? [])
  if (websites.includes(stated.companyDomain) || stated.ciks.has(filer.cik)) return "proof"
  // It is somebody else's, whatever else agrees.
  if (websites.length > 0) return null
  if (filer.tickers.some((ticker) => stated.tickers.has(ticker.toUpperCase()))) return "proof"
  const phone = filer.phone === null ? null : phoneOf(filer.phone)
  if (phone !== null && stated.phones.has(phone)) return "proof"
  const at = filer.addresses.map(({ city, state, zip }) => ({
    city: letters(city ?? ""),
    state: stateOf(state),
    zip: zipOf(zip)
  }))
  const isSameTown = at.some((one) =>
    stated.places.some(
      (place) =>
        (one.zip !== null && one.zip === place.zip) ||
        (one.city.length > 2 &&
          place.city.endsWith(one.city) &&
          (place.state === null || one.state === null || place.state === one.state))
    )
  )
  if (isSameTown) return "proof"
  return at.some(({ state }) => state !== null && stated.places.some((place) => place.state === state)) ? "state" : null
}

/** A name as short as this is borne by many. */
const TELLING_CHARS_MIN = 6

/** By its name now, by a former one, or not at all. */
const namedAs = (stated: Stated, { formerNames, name }: Filer): "now" | "before" | null => {
  if (isCalled(stated, name)) return "now"
  return formerNames.some((former) => isCalled(stated, former)) ? "before" : null
}

/**
 * The filer that is the company beyond doubt; null: none is, or several may be. It bears a name of the company, and its
 * website, a link to it, its ticker, telephone or town is the company's. Else it is the only filer of that name, the pages
 * state the name, and the state agrees. `areAll`: these are all filers of the name.
 */
export const theFiler = (stated: Stated, filers: ReadonlyArray<Filer>, areAll: boolean): Filer | null => {
  const named = filers
    .map((filer) => ({ filer, as: namedAs(stated, filer), by: evidenceFor(stated, filer) }))
    .filter(({ as }) => as !== null)
  const proven = named.filter(({ by }) => by === "proof")
  if (proven.length > 0) {
    const exact = proven.filter(({ filer }) => stated.legal.has(legalOf(filer.name)))
    const chosen = proven.length === 1 ? proven : exact
    return chosen.length === 1 ? (chosen[0]?.filer ?? null) : null
  }
  const [only, ...others] = named
  if (only === undefined || others.length > 0 || !areAll || only.by !== "state" || only.as !== "now") return null
  const name = bare(only.filer.name)
  const form = formOf(legalOf(only.filer.name))
  const forms = [...stated.legal].map(formOf).filter((one) => one !== null)
  const isSameForm = forms.length === 0 || form === null || forms.includes(form)
  return stated.said.has(name) && name.length >= TELLING_CHARS_MIN && isSameForm ? only.filer : null
}
