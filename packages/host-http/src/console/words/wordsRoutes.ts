import { isWordsPlace, RecipientWords } from "@outbound/domain/control/words/RecipientWords.js"
import { RECIPIENT_LANGUAGES, type RecipientLanguage } from "@outbound/domain/kernel/words/languages.js"
import { type NoticeParts, WORDS_PLACES } from "@outbound/domain/kernel/words/notice.js"
import { isRegion, REST } from "@outbound/domain/kernel/words/regions.js"
import { Effect } from "effect"
import { acting } from "../control/acting.js"
import { asControl } from "../control/wire.js"
import { pages } from "../pages.js"
import type { Problem } from "../Parts.js"
import { missingPage } from "../Shell.js"
import { type Inside, member, type Page } from "../Visit.js"
import { WORDS_PATH } from "../../web/wordsNames.js"
import { TEXT_PATH, textPage, wordsPage } from "./WordsPage.js"

/** A text that a query or a form names; null: there is no such. */
const namedIn = (given: URLSearchParams): { readonly where: string; readonly language: RecipientLanguage } | null => {
  const said = (given.get("where") ?? "").trim()
  const lower = said.toLowerCase()
  const where = isRegion(lower) || lower === REST ? lower : said.toUpperCase()
  const language = RECIPIENT_LANGUAGES.find((one) => one === given.get("language"))
  return language === undefined || !isWordsPlace(where) ? null : { where, language }
}

/** A textarea sends line ends; a notice is one paragraph. */
const line = (text: string | null): string => (text ?? "").replace(/\s+/g, " ").trim()

const partsIn = (form: URLSearchParams): NoticeParts => ({
  purpose: line(form.get("purpose")),
  basis: line(form.get("basis")),
  source: line(form.get("source")),
  rights: line(form.get("rights")),
  contact: line(form.get("contact"))
})

/** What recipients are told by their country. Everybody reads it, owners write it. */
export const wordsPages = pages({ words: RecipientWords }, ({ words }) => {
  const list = (visit: Inside, problem?: Problem): Page =>
    Effect.map(words.words(visit.by), (settings) =>
      wordsPage({ viewer: visit.viewer, settings, done: visit.query.get("done"), problem })
    )

  const place = (visit: Inside): Page => {
    const chosen = WORDS_PLACES.find((one) => one === visit.form.get("place")) ?? "off"
    return acting(visit, `${WORDS_PATH}?done=place`, asControl(words.change(visit.by, { place: chosen })), {
      again: (problem) => list(visit, problem)
    })
  }

  const text = (visit: Inside, problem?: Problem): Page => {
    const named = namedIn(problem === undefined ? visit.query : visit.form)
    if (named === null) return Effect.succeed(missingPage(visit.viewer))
    return Effect.map(words.words(visit.by), (settings) =>
      textPage({ viewer: visit.viewer, settings, ...named, problem })
    )
  }

  const write = (visit: Inside): Page => {
    const named = namedIn(visit.form)
    if (named === null) return Effect.succeed(missingPage(visit.viewer))
    const isRemoved = visit.form.get("remove") === "yes"
    const change = isRemoved ? { remove: named } : { write: { ...named, parts: partsIn(visit.form) } }
    return acting(
      visit,
      `${WORDS_PATH}?done=${isRemoved ? "removed" : "text"}`,
      asControl(words.change(visit.by, change)),
      { again: (problem) => text(visit, problem) }
    )
  }

  return [
    member(WORDS_PATH, { get: (visit) => list(visit), post: place }),
    member(TEXT_PATH, { get: (visit) => text(visit), post: write })
  ]
})
