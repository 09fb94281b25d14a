import { cs } from "./cs.js"
import { da } from "./da.js"
import { de } from "./de.js"
import { en } from "./en.js"
import { es } from "./es.js"
import { fi } from "./fi.js"
import { fr } from "./fr.js"
import { it } from "./it.js"
import { nl } from "./nl.js"
import { no } from "./no.js"
import { pl } from "./pl.js"
import { pt } from "./pt.js"
import { sv } from "./sv.js"
import type { RecipientWords } from "./RecipientWords.js"

/** The languages of pages for recipients: those in which replies are read. */
export const LANGUAGES = { cs, da, de, en, es, fi, fr, it, nl, no, pl, pt, sv } as const satisfies Readonly<
  Record<string, RecipientWords>
>
export type Language = keyof typeof LANGUAGES

/** How many wishes of a browser are looked at. */
const WISHES_MAX = 20

const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGES, name)

/** Norwegian has two written forms; browsers name those. */
const named = (wish: string): string => (wish === "nb" || wish === "nn" ? "no" : wish)

/** What a browser wishes, the best first (`Accept-Language`, RFC 9110 12.5.4). */
const wishesOf = (accepted: string | undefined) =>
  (accepted ?? "")
    .split(",", WISHES_MAX)
    .map((wish, index) => {
      const [range = "", ...parameters] = wish.trim().toLowerCase().split(";")
      const quality = parameters
        .map((one) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(one)?.[1])
        .find((one) => one !== undefined)
      return {
        range: range.trim(),
        name: named(range.trim().split("-")[0] ?? ""),
        quality: quality === undefined ? 1 : Number(quality),
        index
      }
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality || one.index - other.index)

/** The language that a browser likes best of those that there are; English for none. */
export const languageOf = (accepted: string | undefined): Language =>
  wishesOf(accepted)
    .map(({ name }) => name)
    .find(isLanguage) ?? "en"

/** A language with a country, and nothing else that could change how a date looks. */
const LOCALE = /^[a-z]{2}-[a-z]{2}$/

/** Whose form dates have: the reader's country's where the browser says it, since one language has several. */
export const localeOf = (accepted: string | undefined): string => {
  const language = languageOf(accepted)
  const range = wishesOf(accepted).find(({ name, range: said }) => name === language && LOCALE.test(said))?.range
  return range ?? (language === "en" ? "en-GB" : language)
}
