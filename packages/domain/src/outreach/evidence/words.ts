import { withoutEntities } from "../../kernel/text/entities.js"

/**
 * Texts as words, so that an excerpt is found whatever lies between them: markup, quotes, JSON's signs, line ends, letters
 * without width. Signs that change what is said are words too: a per cent, a currency, a minus.
 */

/** A word in its normal form, and where it begins in the normalised text. */
export interface Word {
  readonly text: string
  readonly at: number
}

export interface Worded {
  /** The normalised text. Sentences end in it as they were written. */
  readonly text: string
  readonly words: ReadonlyArray<Word>
}

const UNSEEN = /[\p{Default_Ignorable_Code_Point}\uFEFF]+/gu

/** Lower case, without marks on letters, one form for each sign. Line ends stay: a heading ends there. */
const normalised = (text: string): string =>
  withoutEntities(text)
    .normalize("NFKD")
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}])\p{M}+/gu, "")
    .replace(UNSEEN, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/ø/g, "o")
    .replace(/ł/g, "l")
    .replace(/đ/g, "d")
    .replace(/æ/g, "ae")
    .replace(/œ/g, "oe")
    .replace(/[‘’‛´`]/g, "'")
    .replace(/n't\b/g, "nt")
    .replace(/'s\b/g, "")
    .replace(/[‐‑–—−]/g, "-")
    .replace(/[^\S\n]+/gu, " ")
    .replace(/ ?\n\s*/gu, "\n")
    .normalize("NFC")

/** Scripts without spaces between words have a word for each letter. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+|[%$€£¥₹]|(?<=^|[\s(])-(?=[$€£¥₹]?\d)/gu

export const wordsOf = (text: string): Worded => {
  const form = normalised(text)
  return { text: form, words: [...form.matchAll(WORDS)].map((match) => ({ text: match[0], at: match.index })) }
}

/** The sentences of a text. */
export const sentencesOf = (text: string): ReadonlyArray<string> => text.split(/(?<=[.!?;][”"’)]?)\s+|\n+/u)

/** Where words were left out of an excerpt. */
const LEFT_OUT = /(?<!\s)\s*(?:\[\s*(?:…|\.{3})\s*\]|\(\s*(?:…|\.{3})\s*\)|…|\.{3,})\s*/gu

/** The parts of an excerpt between what was left out of it; none is empty. */
export const partsOf = (excerpt: string): ReadonlyArray<Worded> =>
  excerpt
    .split(LEFT_OUT)
    .map(wordsOf)
    .filter(({ words }) => words.length > 0)
