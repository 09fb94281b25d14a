import { INDUSTRY_ENTRIES } from "./IndustryNames.js"

/** How we read an industry phrase; `interpreted_industries` on the wire. */
export interface InterpretedIndustry {
  readonly phrase: string
  /** `exact`: a canonical name. `alias`: another word for one or several. `none`: not recognised. */
  readonly how: "exact" | "alias" | "none"
  /** Canonical names, at most 25. Empty if not recognised. */
  readonly industries: ReadonlyArray<string>
  /** For a phrase that was not recognised: similar canonical names, at most 5. */
  readonly candidates?: ReadonlyArray<string>
  /** The phrase names part of an industry, and the whole industry was taken. */
  readonly coarse?: "niche not applied"
}

const CANDIDATES_MAX = 5

/** The most interpretations in an answer. */
export const INTERPRETED_INDUSTRIES_MAX = 25

export const INDUSTRIES: ReadonlyArray<string> = INDUSTRY_ENTRIES.map((entry) => entry.name)

/** Words that mean several industries. */
const GROUPS: Readonly<Record<string, ReadonlyArray<string>>> = {
  technology: [
    "Software Development",
    "IT Services and IT Consulting",
    "Technology, Information and Internet",
    "Computer and Network Security",
    "Data Infrastructure and Analytics",
    "Computer Hardware Manufacturing"
  ],
  manufacturing: INDUSTRIES.filter((name) => name.endsWith("Manufacturing")).slice(0, 25),
  education: ["Higher Education", "Primary and Secondary Education", "E-Learning Providers"],
  media: [
    "Book and Periodical Publishing",
    "Online Audio and Video Media",
    "Broadcast Media Production and Distribution",
    "Movies, Videos and Sound"
  ],
  energy: ["Utilities", "Renewable Energy Power Generation", "Oil and Gas"],
  "marketing agency": ["Advertising Services", "Public Relations and Communications", "Design Services"],
  "consumer goods": [
    "Personal Care Product Manufacturing",
    "Furniture and Home Furnishings Manufacturing",
    "Apparel Manufacturing",
    "Sporting Goods Manufacturing",
    "Food and Beverage Manufacturing"
  ]
}

const GROUP_ALIASES: Readonly<Record<string, string>> = {
  tech: "technology",
  "information technology": "technology",
  it: "technology",
  "high tech": "technology",
  industrial: "manufacturing",
  manufacturers: "manufacturing",
  marketing: "marketing agency",
  fmcg: "consumer goods",
  cpg: "consumer goods"
}

/** Words that mean only "an industry". */
const NOISE: ReadonlySet<string> = new Set(
  "industry sector company business firm startup provider vertical the in space".split(" ")
)

const singular = (word: string): string =>
  word.length > 4 && word.endsWith("ies")
    ? `${word.slice(0, -3)}y`
    : word.length > 4 && /(ss|sh|ch|x)es$/.test(word)
      ? word.slice(0, -2)
      : word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us") && !word.endsWith("is")
        ? word.slice(0, -1)
        : word

const wordsOf = (phrase: string): ReadonlyArray<string> =>
  phrase
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/&/g, " and ")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(singular)

const keyOf = (phrase: string): string => wordsOf(phrase).join(" ")

/** The key without noise words; the whole key if only noise is left. */
const bareKeyOf = (phrase: string): string => {
  const words = wordsOf(phrase)
  const telling = words.filter((word) => !NOISE.has(word))
  return (telling.length === 0 ? words : telling).join(" ")
}

type Meaning = Omit<InterpretedIndustry, "phrase">

interface Lexicon {
  readonly meanings: ReadonlyMap<string, Meaning>
  readonly words: ReadonlyArray<{ readonly name: string; readonly words: ReadonlySet<string> }>
}

/** The first entry of a key stays: canonical names win over aliases, aliases over niches. */
const buildLexicon = (): Lexicon => {
  const meanings = new Map<string, Meaning>()
  const addKey = (key: string, meaning: Meaning) => {
    if (!meanings.has(key)) meanings.set(key, meaning)
  }
  const add = (phrase: string, meaning: Meaning) => {
    addKey(keyOf(phrase), meaning)
    addKey(bareKeyOf(phrase), meaning)
  }
  for (const { name } of INDUSTRY_ENTRIES) addKey(keyOf(name), { how: "exact", industries: [name] })
  for (const { name } of INDUSTRY_ENTRIES) addKey(bareKeyOf(name), { how: "alias", industries: [name] })
  for (const [phrase, industries] of Object.entries(GROUPS)) add(phrase, { how: "alias", industries })
  for (const [alias, group] of Object.entries(GROUP_ALIASES)) {
    add(alias, { how: "alias", industries: GROUPS[group] ?? [] })
  }
  for (const { aliases, name } of INDUSTRY_ENTRIES) {
    for (const alias of aliases) add(alias, { how: "alias", industries: [name] })
  }
  for (const { name, niches } of INDUSTRY_ENTRIES) {
    for (const niche of niches) add(niche, { how: "alias", industries: [name], coarse: "niche not applied" })
  }
  return {
    meanings,
    words: INDUSTRY_ENTRIES.map((entry) => ({
      name: entry.name,
      words: new Set([entry.name, ...entry.aliases, ...entry.niches].flatMap(wordsOf))
    }))
  }
}

let lexicon: Lexicon | undefined

/** Filler that would make all industries look alike. */
const COMMON: ReadonlySet<string> = new Set(["and", "of", "for", "service", "manufacturing", "a", "to", "with"])

const candidatesFor = (phrase: string, { words }: Lexicon): ReadonlyArray<string> => {
  const phraseWords = new Set(wordsOf(phrase).filter((word) => !NOISE.has(word) && !COMMON.has(word)))
  return words
    .map((entry) => ({ name: entry.name, shared: [...phraseWords].filter((word) => entry.words.has(word)).length }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared || (a.name < b.name ? -1 : 1))
    .slice(0, CANDIDATES_MAX)
    .map(({ name }) => name)
}

/**
 * Reads a phrase as industries of the taxonomy. Case, accents, punctuation, plurals and words such as "industry" or
 * "companies" don't matter. We never guess: an unknown phrase yields no industry, and the caller decides.
 */
export const interpretIndustry = (phrase: string): InterpretedIndustry => {
  lexicon ??= buildLexicon()
  const meaning = lexicon.meanings.get(keyOf(phrase)) ?? lexicon.meanings.get(bareKeyOf(phrase))
  if (meaning !== undefined) return { phrase, ...meaning }
  const candidates = candidatesFor(phrase, lexicon)
  return { phrase, how: "none", industries: [], ...(candidates.length === 0 ? {} : { candidates }) }
}

/** The industry names to search for. An unknown phrase is searched as written, so that it doesn't widen the search. */
export const namesToSearch = (interpreted: ReadonlyArray<InterpretedIndustry>): ReadonlyArray<string> => [
  ...new Set(interpreted.flatMap((one) => (one.industries.length > 0 ? one.industries : [one.phrase])))
]
