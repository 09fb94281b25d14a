import { Schema } from "effect"
import type { OriginKind } from "../people/origins.js"
import { languageOfCountry, RECIPIENT_LANGUAGES, type RecipientLanguage } from "./languages.js"
import { GDPR_NAMES, NOTICE_TEXTS } from "./noticeTexts.js"
import type { RecipientPlace } from "./recipientPlace.js"
import {
  isRegion,
  NOTICE_PARTS,
  type NoticePart,
  regionOf,
  type RegionName,
  REGIONS,
  REST,
  STRICTEST
} from "./regions.js"

/** Where the words stand: nowhere, in the first message, or on the page behind a link in it. */
export const WORDS_PLACES = ["off", "message", "link"] as const
export type WordsPlace = (typeof WORDS_PLACES)[number]

/** Longest text of a part, in characters. */
export const PART_CHARS_MAX = 1_000

/** Most texts that a workspace writes itself. */
export const OWN_TEXTS_MAX = 60

const Parts = Schema.Struct({
  purpose: Schema.String,
  basis: Schema.String,
  source: Schema.String,
  rights: Schema.String,
  contact: Schema.String
})

/** The parts of a notice; an empty one is not said. */
export type NoticeParts = typeof Parts.Type

/** Words that the workspace wrote: for a region, a country (its code), or the rest of the world, in one language. */
export const OwnNotice = Schema.Struct({
  where: Schema.String,
  language: Schema.Literals(RECIPIENT_LANGUAGES),
  parts: Parts
})
export type OwnNotice = typeof OwnNotice.Type

/** What a workspace says to recipients by their country. */
export const WordsSettings = Schema.Struct({
  place: Schema.Literals(WORDS_PLACES),
  own: Schema.Array(OwnNotice)
})
export type WordsSettings = typeof WordsSettings.Type

/** At first nothing is said: what a sender declares about itself, it declares on purpose. */
export const NO_WORDS: WordsSettings = { place: "off", own: [] }

/** Who says it, as it is filled in. */
export interface NoticeSender {
  readonly name: string
  readonly postalAddress: string
}

const lawIn = (region: RegionName, language: RecipientLanguage): string => {
  const { law } = REGIONS[region]
  return law === "GDPR" ? (GDPR_NAMES[language] ?? law) : (law ?? "")
}

const asksForAll = (region: RegionName): boolean =>
  (REGIONS[region].required as ReadonlyArray<NoticePart>).includes("rights")

/** Our words for a region, in a language. */
export const defaultParts = (region: RegionName, language: RecipientLanguage): NoticeParts => {
  const { basis, commercial, contact, purpose, rights, source } = NOTICE_TEXTS[language]
  const says = (part: NoticePart): boolean => (REGIONS[region].required as ReadonlyArray<NoticePart>).includes(part)
  return {
    purpose: asksForAll(region) ? purpose : commercial,
    basis: says("basis") ? basis.replaceAll("{{law}}", () => lawIn(region, language)) : "",
    source: says("source") ? source : "",
    rights: says("rights") ? rights : "",
    contact
  }
}

/** What has to be said there. Where we know no law, everything. */
export const requiredParts = (where: string): ReadonlyArray<NoticePart> => {
  const region = isRegion(where) ? where : regionOf(where)
  return region === null ? NOTICE_PARTS : REGIONS[region].required
}

/** The parts that have to be said there and are not. */
export const missingParts = (where: string, parts: NoticeParts): ReadonlyArray<NoticePart> =>
  requiredParts(where).filter((part) => parts[part].trim() === "")

/** Whose words a recipient there gets; null: nobody's. */
const whereOf = ({ own }: WordsSettings, { country }: RecipientPlace): string | null => {
  if (country === null) return STRICTEST
  if (own.some(({ where }) => where === country)) return country
  return regionOf(country) ?? (own.some(({ where }) => where === REST) ? REST : null)
}

/** The workspace's own words in the language, else ours, else the workspace's in English or in any language. */
const partsOf = (
  { own }: WordsSettings,
  where: string,
  language: RecipientLanguage
): { readonly language: RecipientLanguage; readonly parts: NoticeParts; readonly isOwn: boolean } | null => {
  const theirs = own.filter((one) => one.where === where)
  const exact = theirs.find((one) => one.language === language)
  if (exact !== undefined) return { language, parts: exact.parts, isOwn: true }
  if (isRegion(where)) return { language, parts: defaultParts(where, language), isOwn: false }
  const other = theirs.find((one) => one.language === "en") ?? theirs[0]
  return other === undefined ? null : { language: other.language, parts: other.parts, isOwn: true }
}

/** What one recipient is told. */
export interface Notice {
  /** The region, the country or `REST` whose words these are. */
  readonly where: string
  readonly language: RecipientLanguage
  readonly isOwn: boolean
  /** What has to be said there and is not. */
  readonly missing: ReadonlyArray<NoticePart>
  readonly text: string
}

/** The words that a recipient gets under the settings; null: their country has none. Pure: the same facts, the same words. */
export const noticeFor = (
  settings: WordsSettings,
  place: RecipientPlace,
  of: { readonly origin: OriginKind; readonly sender: NoticeSender }
): Notice | null => {
  const where = whereOf(settings, place)
  const found = where === null ? null : partsOf(settings, where, languageOfCountry(place.country))
  if (where === null || found === null) return null
  const { isOwn, language, parts } = found
  const values: Readonly<Record<string, string>> = {
    sender: of.sender.name,
    address: of.sender.postalAddress.replace(/\s*\n\s*/g, ", "),
    source: NOTICE_TEXTS[language].sources[of.origin]
  }
  const text = NOTICE_PARTS.map((part) => parts[part].trim())
    .filter((said) => said !== "")
    .join(" ")
    .replace(/\{\{(sender|address|source)\}\}/g, (_whole, name: string) => values[name] ?? "")
  return { where, language, isOwn, missing: missingParts(where, parts), text }
}

/** How a lead's messages end, beside the postal address and the way out. Kept with the lead from its approval on. */
export const LeadWords = Schema.Struct({
  /** Of the footer. */
  language: Schema.Literals(RECIPIENT_LANGUAGES),
  /** Names the text among those of the approval; null: nothing is said. */
  notice: Schema.NullOr(Schema.String),
  /** Whether the text is behind a link instead of in the message. */
  isLinked: Schema.Boolean
})
export type LeadWords = typeof LeadWords.Type

/** What a message's footer says beside the address and the way out. */
export interface FooterWords {
  readonly language: RecipientLanguage
  /** Null: no notice; `link`: the page behind the way out has it. */
  readonly notice: string | "link" | null
}

/**
 * The footer of a message to a lead with these words: only the first one says why they are written to. `texts` are the
 * approval's; null: it has none of this name, so nothing may be sent.
 */
export const footerWordsOf = (
  words: LeadWords | null,
  stepIndex: number,
  texts: Readonly<Record<string, string>>
): FooterWords | null => {
  if (words === null) return PLAIN_FOOTER
  const { isLinked, language, notice } = words
  if (notice === null || stepIndex > 0) return { language, notice: null }
  if (isLinked) return { language, notice: "link" }
  const text = texts[notice]
  return text === undefined ? null : { language, notice: text }
}

export const PLAIN_FOOTER: FooterWords = { language: "en", notice: null }
