import { OFFICES, TITLE_WORD } from "./titles.js"
import { fold } from "./verdicts.js"

/** The version of role matching on the wire. Another version may match other postings. */
export const ROLES_VERSION = "roles-1"

export interface Role {
  /** `literal`: its words in sequence. `meaning`: their synonyms, in any order. */
  readonly method: "literal" | "meaning"
  /** The search text; in double quotes if literal. */
  readonly searched: string
  readonly words: ReadonlyArray<string>
}

/** Abbreviations and other names of the same work. The first of each list is canonical. */
const SYNONYMS: ReadonlyArray<ReadonlyArray<string>> = [
  ...OFFICES,
  ["account executive", "ae"],
  ["sales development representative", "sdr", "business development representative", "bdr"],
  ["sales", "seller", "selling", "salesperson"],
  ["representative", "rep"],
  ["customer success manager", "csm"],
  ["human resources", "hr", "people operations"],
  ["recruiting", "talent acquisition"],
  ["software engineer", "swe", "software developer", "programmer", "coder"],
  ["engineer", "developer", "dev"],
  ["devops", "site reliability", "sre"],
  ["information technology", "it"],
  ["quality assurance", "qa"],
  ["user experience", "ux"],
  ["research and development", "r&d"],
  ["artificial intelligence", "ai"],
  ["machine learning", "ml"],
  ["operations", "ops"],
  ["revenue operations", "revops"],
  ["marketing", "marketer"],
  // Listed because word stems would match "account executive".
  ["accountancy", "accounting", "accountant", "bookkeeping", "bookkeeper"],
  ["manager", "mgr"],
  ["director", "dir"],
  ["senior", "sr"],
  ["junior", "jr"]
]

/** Words without meaning for the work. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(["a", "an", "and", "at", "for", "in", "of", "or", "the", "to", "with"])

/** English word endings for one kind of work: engineers do engineering, managers management. */
const ENDINGS = ["ement", "ments", "ment", "ings", "ing", "ers", "er", "ors", "or", "s"]
const STEM_CHARS_MIN = 4

const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(TITLE_WORD) ?? []

const PHRASES: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  SYNONYMS.flatMap(([name = "", ...others]) => [name, ...others].map((phrase) => [phrase, name.split(" ")] as const))
)

const PHRASE_WORDS_MAX = 4

/** Replaces synonyms with their canonical words, the longest phrase first. */
const withoutSynonyms = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const replaced: Array<string> = []
  let at = 0
  while (at < words.length) {
    let taken = 1
    let meant: ReadonlyArray<string> = words.slice(at, at + 1)
    for (let length = Math.min(PHRASE_WORDS_MAX, words.length - at); length > 0; length--) {
      const phrase = PHRASES.get(words.slice(at, at + length).join(" "))
      if (phrase === undefined) continue
      taken = length
      meant = phrase
      break
    }
    replaced.push(...meant)
    at += taken
  }
  return replaced
}

const stem = (word: string): string => {
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= STEM_CHARS_MIN)
  return ending === undefined ? word : stem(word.slice(0, -ending.length))
}

const meaningOf = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  withoutSynonyms(withoutSynonyms(words)).filter((word) => !EMPTY_WORDS.has(word))

const QUOTED = /^"(.+)"$/s

/** Double quotes around a role force literal matching. */
export const roleOf = (text: string): Role => {
  const quoted = QUOTED.exec(text.trim())?.[1]
  if (quoted !== undefined) {
    const words = wordsOf(quoted)
    return { method: "literal", searched: `"${words.join(" ")}"`, words }
  }
  const words = wordsOf(text)
  const meant = meaningOf(words)
  // A role made only of empty words is matched by them.
  const all = meant.length === 0 ? words : meant
  return { method: "meaning", searched: all.join(" "), words: all }
}

const isWithin = (sought: ReadonlyArray<string>, words: ReadonlyArray<string>): boolean =>
  words.some((_, at) => sought.every((word, offset) => words[at + offset] === word))

/** Whether a job title fits the role. A role without words fits none. */
export const roleFits = (role: Role, title: string): boolean => {
  if (role.words.length === 0) return false
  const words = wordsOf(title)
  if (role.method === "literal") return isWithin(role.words, words)
  const stems = new Set([...words, ...meaningOf(words)].map(stem))
  return role.words.every((word) => stems.has(stem(word)))
}
