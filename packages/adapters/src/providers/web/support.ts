import { fold } from "@outbound/domain/data/matching/verdicts.js"

/** A shorter quotation can stand anywhere. */
const QUOTE_CHARS_MIN = 20
const QUOTE_CHARS_MAX = 600

/** Words without a claim of their own: a sentence may have them, or not. */
const FREE = new Set(
  (
    "a an the and or of in on at to for from by with as is are was were be been being it its they their them this that these those " +
    "we our us you your he she which who whose also has have had does do did than then so such into over about through " +
    "company business firm organization offers offer provides provide says " +
    "der die das den dem des ein eine einer und oder von zu im in am mit für ist sind wird wir unser unsere sie ihre bietet " +
    "le la les un une des et ou de du en au aux pour par est sont nous notre il elle"
  ).split(" ")
)

/** Words that turn or weaken what is said: where the page has one, the sentence must have it too, and the other way. */
const TURNING = new Set(
  (
    "not no never none nothing neither nor without hardly barely few former formerly previously ex until unless if " +
    "plan plans planned planning hope hopes aim aims want wants intend intends may might could would should will expect expects " +
    "expected almost nearly only except up upto less more least most fewer than before after once first last cannot can't don't " +
    "doesn't isn't aren't won't wasn't no-one unlike against instead rather soon once competitor competitors alleged allegedly " +
    "nicht kein keine nie ohne ehemals bald früher pas jamais sans ne"
  ).split(" ")
)

/** The words of a text, folded; numbers keep their marks. */
const wordsIn = (text: string): ReadonlyArray<string> =>
  fold(text)
    .replace(/[’‘]/g, "'")
    .match(/\d[\d.,]*\d|\d|[\p{L}\p{M}][\p{L}\p{M}\p{N}'-]*/gu) ?? []

const STEM_CHARS = 6
/** Endings apart, a word is the same. Numbers and short words are only themselves. */
const isSame = (one: string, other: string): boolean =>
  one === other ||
  (one.length >= STEM_CHARS &&
    other.length >= STEM_CHARS &&
    !/\d/.test(one + other) &&
    one.slice(0, -3) === other.slice(0, one.length - 3) &&
    Math.abs(one.length - other.length) <= 3)

const claims = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.filter((word) => !FREE.has(word) || TURNING.has(word))

/** A text on one line, as it is compared. */
export const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

/** The quotation as the page has it, within one of its lines; null: the page doesn't say so. */
export const verbatim = (quote: string, pageText: string): string | null => {
  const wanted = oneLine(quote)
  if (wanted.length < QUOTE_CHARS_MIN || wanted.length > QUOTE_CHARS_MAX) return null
  for (const line of pageText.split("\n")) {
    const plain = oneLine(line)
    const at = plain.toLowerCase().indexOf(wanted.toLowerCase())
    if (at < 0 || plain.length !== plain.toLowerCase().length) continue
    // The whole sentence: half of one may say the opposite.
    const before = Math.max(plain.lastIndexOf(". ", at), plain.lastIndexOf("! ", at), plain.lastIndexOf("? ", at))
    const ends = [". ", "! ", "? "].map((mark) => plain.indexOf(mark, at + wanted.length - 1)).filter((end) => end >= 0)
    const end = ends.length === 0 ? plain.length : Math.min(...ends) + 1
    return plain.slice(before < 0 ? 0 : before + 2, end)
  }
  return null
}

/**
 * Whether a sentence says nothing that its quotation doesn't: each of its words that claims something stands in the
 * quotation, in that order, and no word that turns or weakens a claim was left out or put in. `names`: how the company
 * is called, which a sentence may put for "we".
 */
export const isSupported = (sentence: string, quotation: string, names: ReadonlyArray<string>): boolean => {
  const own = new Set(names.flatMap(wordsIn))
  const said = claims(wordsIn(sentence)).filter((word) => !own.has(word))
  const quoted = claims(wordsIn(quotation))
  if (said.length < 2) return false
  let at = 0
  for (const word of said) {
    const found = quoted.findIndex((other, index) => index >= at && isSame(word, other))
    if (found < 0) return false
    at = found + 1
  }
  const turning = (words: ReadonlyArray<string>) => words.filter((word) => TURNING.has(word)).join(" ")
  return turning(claims(wordsIn(sentence))) === turning(quoted)
}
