import { foldLine } from "./matched.js"

const WORD_CHARS_MIN = 3
const WORDS_MAX = 20
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "and any are around based business can companies company does for from has have into like many more most near offer " +
    "offering offers other our over people provide provides providing selling sells services some such than that the " +
    "their them these they this those was what which who whose with within work working works you your"
  ).split(" ")
)

/** Drops the plural ending, so that "banks" matches "bank". */
const stem = (word: string): string =>
  word.length > 4 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word

/** The significant words of a plain-language text, folded, at most 20. */
export const steeringWords = (text: string): ReadonlyArray<string> =>
  [
    ...new Set(
      foldLine(text)
        .split(/[^\p{L}\p{N}]+/u)
        .filter((word) => word.length >= WORD_CHARS_MIN && !STOP_WORDS.has(word))
        .map(stem)
    )
  ].slice(0, WORDS_MAX)

/** The number of words found in a folded text. */
export const wordsFound = (text: string, words: ReadonlyArray<string>): number =>
  words.reduce((count, word) => (text.includes(word) ? count + 1 : count), 0)
