import { type Language, languagesOf } from "../languages.js"
import { CONCEPT_NAMES } from "./conceptNames.js"
import { CONCEPTS } from "./concepts.js"
import { plainText } from "../plainText.js"
import { hashOf } from "./hash.js"
import { CHARS_MAX, featuresOf, wordsOf } from "./features.js"

/**
 * What the model of requests sees of a text: its words, as the model of intents sees them, and what these words do
 * (`concepts.ts`): which stand in one clause, which follow each other. Each is hashed into one of `REQUEST_BUCKETS`.
 */
export const REQUEST_BUCKETS = 1 << 17

/** A beginning of a word is looked for from this length on. */
const PREFIX_CHARS_MIN = 2

/** Most things that one word may do, all languages together. */
const MEANINGS_MAX = 6

interface Meaning {
  readonly language: Language
  readonly concept: number
}

/** All languages' words and beginnings of words, so that a word is looked up once. */
const lexicon = () => {
  const words = new Map<string, Array<Meaning>>()
  const prefixes = new Map<string, Array<Meaning>>()
  let longest = 0
  for (const [language, concepts] of Object.entries(CONCEPTS) as ReadonlyArray<[Language, Record<string, string>]>) {
    CONCEPT_NAMES.forEach((name, concept) => {
      for (const entry of concepts[name]?.split(" ") ?? []) {
        const isPrefix = entry.endsWith("*")
        const key = isPrefix ? entry.slice(0, -1) : entry
        const into = isPrefix ? prefixes : words
        into.set(key, [...(into.get(key) ?? []), { language, concept }])
        if (isPrefix) longest = Math.max(longest, key.length)
      }
    })
  }
  return { words, prefixes, longest }
}

let known: ReturnType<typeof lexicon> | null = null

/** What a word does in these languages: in each what the whole word says, or its longest known beginning. */
const meaningsOf = (word: string, isIn: (language: string) => boolean): ReadonlyArray<number> => {
  known ??= lexicon()
  const found = new Set<number>()
  const settled = new Set<Language>()
  const take = (meanings: ReadonlyArray<Meaning> | undefined): void => {
    if (meanings === undefined) return
    const now = meanings.filter(({ language }) => !settled.has(language) && isIn(language))
    for (const { concept, language } of now) {
      if (found.size < MEANINGS_MAX) found.add(concept)
      settled.add(language)
    }
  }
  take(known.words.get(word))
  for (let length = Math.min(word.length, known.longest); length >= PREFIX_CHARS_MIN; length--)
    take(known.prefixes.get(word.slice(0, length)))
  return [...found]
}

/** Numbers of signs beside the concepts: a question mark, an exclamation mark, and what stands for an address or a number. */
const SIGNS: ReadonlyMap<string, number> = new Map(
  ["0ask", "0cry", "0mail", "0date", "0time", "0phone", "0num", "0url"].map((sign, at) => [
    sign,
    CONCEPT_NAMES.length + at
  ])
)
const SIZE = CONCEPT_NAMES.length + SIGNS.size + 2
const BEGINNING = SIZE - 2
const END = SIZE - 1
const ENDS_CLAUSE: ReadonlySet<string> = new Set(["0end", "0ask", "0cry", "0dots"])

/** The contraction is a word of its own: "don't" is "do not". */
const apart = (text: string): string => text.replace(/(\p{L})n['’]t\b/gu, "$1 not")

/** The words and signs of a text, each with what it does. */
export const sayingsOf = (
  text: string
): ReadonlyArray<{ readonly word: string; readonly meanings: ReadonlyArray<number> }> => {
  const languages = languagesOf(plainText(text.slice(0, CHARS_MAX)), text)
  return wordsOf(apart(text)).map((word) => {
    const sign = SIGNS.get(word)
    return { word, meanings: sign === undefined ? meaningsOf(word, languages.has) : [sign] }
  })
}

/** What the words of each clause do, in their order; words that do nothing known are left out. */
export const clausesOf = (text: string): ReadonlyArray<ReadonlyArray<ReadonlyArray<number>>> => {
  const clauses: Array<Array<ReadonlyArray<number>>> = [[]]
  for (const { meanings, word } of sayingsOf(text)) {
    if (meanings.length > 0 && word !== "0end") clauses.at(-1)?.push(meanings)
    if (ENDS_CLAUSE.has(word) && clauses.at(-1)?.length !== 0) clauses.push([])
  }
  return clauses.filter((clause) => clause.length > 0)
}

/** A well mixed hash of a few small numbers. */
const mixed = (kind: number, one: number, two: number, three: number): number => {
  let hash = ((kind * SIZE + one) * SIZE + two) * SIZE + three + 1
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad)
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97)
  return (hash ^ (hash >>> 15)) & (REQUEST_BUCKETS - 1)
}

const [ALONE, PAIR, APART, TRIPLE, TOGETHER] = [1, 2, 3, 4, 5]

const addClause = (clause: ReadonlyArray<ReadonlyArray<number>>, into: Set<number>): void => {
  clause.forEach((meanings, at) => {
    const before = clause[at - 1] ?? [BEGINNING]
    const earlier = clause[at - 2] ?? []
    for (const one of meanings) {
      into.add(mixed(ALONE, one, 0, 0))
      for (const two of before) {
        into.add(mixed(PAIR, two, one, 0))
        for (const three of earlier) into.add(mixed(TRIPLE, three, two, one))
      }
      for (const three of earlier) into.add(mixed(APART, three, one, 0))
      if (at === clause.length - 1) into.add(mixed(PAIR, one, END, 0))
    }
  })
  const all = [...new Set(clause.flat())].sort((one, two) => one - two)
  all.forEach((one, at) => {
    for (const two of all.slice(at + 1)) into.add(mixed(TOGETHER, one, two, 0))
  })
}

const bucketOf = (feature: string): number => hashOf(feature) & (REQUEST_BUCKETS - 1)

/** The buckets of a text's features, each once, in ascending order. */
export const requestBucketsOf = (text: string): Uint32Array => {
  const found = new Set<number>()
  for (const feature of featuresOf(text)) found.add(bucketOf(feature))
  for (const clause of clausesOf(text)) addClause(clause, found)
  return Uint32Array.from(found).sort()
}
