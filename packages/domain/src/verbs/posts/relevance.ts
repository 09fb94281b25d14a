/**
 * The relevance check `literal-v1` (contract: data, find posts). A post stays only if its text contains every word of
 * the query, and every quoted phrase word for word. Whole words are compared, case-folded and in compatibility form
 * (NFKC).
 */

export const RELEVANCE_CHECK = "literal-v1"

/** A word of the query, or a phrase in it. */
export interface Term {
  /** As the query has it, without quotes. */
  readonly text: string
  readonly folded: string
}

/** Upper case first: that is what makes `ß` and `SS` the same. A sigma at the end of a word is one like others. */
const fold = (text: string): string =>
  text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").replaceAll("ς", "σ").replace(/\s+/gu, " ").trim()

const QUOTED_OR_WORD = /["“”„]([^"“”„]*)["“”„]|[^\s"“”„]+/gu

/** Signs that stand between words (a dash, an ampersand) are none; a pictogram is one. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{So}]/u

/** The words and phrases of a query, each once. A quotation mark without its counterpart means nothing. */
export const termsOf = (query: string): ReadonlyArray<Term> => {
  const found = [...query.normalize("NFKC").matchAll(QUOTED_OR_WORD)].map((match) => (match[1] ?? match[0]).trim())
  const terms = found.filter((text) => SAYS_SOMETHING.test(text)).map((text): Term => ({ text, folded: fold(text) }))
  return terms.filter(({ folded }, place) => terms.findIndex((other) => other.folded === folded) === place)
}

/** Letters and digits of the scripts that set spaces between words; in others a word may stand anywhere. */
const SPACED =
  "[[\\p{L}\\p{M}\\p{N}]--[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]]"
const STARTS_SPACED = new RegExp(`^${SPACED}`, "v")
const ENDS_SPACED = new RegExp(`${SPACED}$`, "v")

/** The longest character is two units long. */
const endsSpaced = (text: string, end: number): boolean => ENDS_SPACED.test(text.slice(Math.max(0, end - 2), end))
const startsSpaced = (text: string, start: number): boolean => STARTS_SPACED.test(text.slice(start, start + 2))

const holds = (foldedText: string, { folded }: Term): boolean => {
  const [first, last] = [startsSpaced(folded, 0), endsSpaced(folded, folded.length)]
  for (let at = foldedText.indexOf(folded); at >= 0; at = foldedText.indexOf(folded, at + 1)) {
    const end = at + folded.length
    const isWithin = (first && endsSpaced(foldedText, at)) || (last && startsSpaced(foldedText, end))
    if (!isWithin) return true
  }
  return false
}

/** Whether a text holds all the terms. */
export const isRelevant = (terms: ReadonlyArray<Term>, text: string): boolean => {
  const folded = fold(text)
  return terms.every((term) => holds(folded, term))
}
