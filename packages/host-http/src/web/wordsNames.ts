import { countryOfCode } from "@outbound/domain/kernel/people/Countries.js"
import type { RecipientLanguage } from "@outbound/domain/kernel/words/languages.js"
import { isRegion, type NoticePart, REGIONS, REST } from "@outbound/domain/kernel/words/regions.js"

/** How pages call what recipients are told by their country. */

/** Where an owner sets it. */
export const WORDS_PATH = "/console/settings/words"

export const PART_WORDS: Readonly<Record<NoticePart, string>> = {
  purpose: "Purpose",
  basis: "Legal basis",
  source: "Source",
  rights: "Rights",
  contact: "Contact"
}

export const partList = (parts: ReadonlyArray<NoticePart>): string =>
  parts.map((part) => PART_WORDS[part].toLowerCase()).join(", ")

const LANGUAGE_NAMES = new Intl.DisplayNames(["en"], { type: "language" })
export const languageName = (language: RecipientLanguage): string => LANGUAGE_NAMES.of(language) ?? language

/** What words are for, as a page calls it. */
export const whereName = (where: string): string =>
  isRegion(where) ? REGIONS[where].name : where === REST ? "Everywhere else" : (countryOfCode(where)?.name ?? where)
