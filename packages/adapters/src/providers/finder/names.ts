import { fold } from "@outbound/domain/data/matching/verdicts.js"
import { NICKNAMES } from "./nicknames.js"

/** One way to write a part of a name in an address, and how usual it is, 0 to 1. */
export interface Spelling {
  readonly text: string
  readonly weight: number
}

/** A person's name as addresses are made of it. */
export interface Spelled {
  readonly first: ReadonlyArray<Spelling>
  readonly last: ReadonlyArray<Spelling>
}

/** Letters that fall apart into no base letter and mark; the usual spelling first. */
const LETTERS: Readonly<Record<string, readonly [string, ...Array<string>]>> = {
  ä: ["ae", "a"],
  ö: ["oe", "o"],
  ü: ["ue", "u"],
  ß: ["ss"],
  æ: ["ae"],
  œ: ["oe"],
  ø: ["o", "oe"],
  å: ["a", "aa"],
  ð: ["d"],
  þ: ["th"],
  ł: ["l"],
  đ: ["d"],
  ħ: ["h"],
  ı: ["i"],
  ŋ: ["n"],
  // Cyrillic, as passports have it.
  а: ["a"],
  б: ["b"],
  в: ["v"],
  г: ["g"],
  ґ: ["g"],
  д: ["d"],
  е: ["e"],
  ё: ["e", "yo"],
  є: ["ie", "ye"],
  ж: ["zh"],
  з: ["z"],
  и: ["i"],
  і: ["i"],
  ї: ["i", "yi"],
  й: ["i", "y"],
  к: ["k"],
  л: ["l"],
  м: ["m"],
  н: ["n"],
  о: ["o"],
  п: ["p"],
  р: ["r"],
  с: ["s"],
  т: ["t"],
  у: ["u"],
  ф: ["f"],
  х: ["kh", "h"],
  ц: ["ts"],
  ч: ["ch"],
  ш: ["sh"],
  щ: ["shch"],
  ъ: ["", "ie"],
  ы: ["y"],
  ь: [""],
  э: ["e"],
  ю: ["iu", "yu"],
  я: ["ia", "ya"],
  // Greek (ISO 843).
  α: ["a"],
  β: ["v"],
  γ: ["g"],
  δ: ["d"],
  ε: ["e"],
  ζ: ["z"],
  η: ["i"],
  θ: ["th"],
  ι: ["i"],
  κ: ["k"],
  λ: ["l"],
  μ: ["m"],
  ν: ["n"],
  ξ: ["x"],
  ο: ["o"],
  π: ["p"],
  ρ: ["r"],
  σ: ["s"],
  ς: ["s"],
  τ: ["t"],
  υ: ["y"],
  φ: ["f"],
  χ: ["ch"],
  ψ: ["ps"],
  ω: ["o"]
}

const SECOND_WEIGHT = 0.4

/** A word in letters of addresses: the usual way, and the other one if there is. Empty: there is none for its script. */
const lettered = (word: string): ReadonlyArray<Spelling> => {
  const spelled = (choice: 0 | 1): string =>
    [...fold(word).normalize("NFC")]
      .map((letter) => {
        const known = LETTERS[letter]
        if (known !== undefined) return known[choice] ?? known[0]
        const base = letter.normalize("NFKD").replace(/\p{M}/gu, "")
        return /^[a-z0-9]+$/.test(base) ? base : (LETTERS[base]?.[0] ?? (/[\p{L}\p{N}]/u.test(letter) ? "?" : ""))
      })
      .join("")
  const [usual, other] = [spelled(0), spelled(1)]
  if (usual.includes("?")) return []
  return usual === other
    ? [{ text: usual, weight: 1 }]
    : [
        { text: usual, weight: 1 },
        { text: other, weight: SECOND_WEIGHT }
      ]
}

const PARTICLES = new Set(
  "van von der den de del della di da dos du la le el al bin ibn zu zum zur af av ten ter dal dalla das y e mc mac st".split(
    " "
  )
)
const TITLES = /^(?:dr|prof|mr|mrs|ms|miss|mx|herr|frau|ing|dipl|mag|sir|dame|rev|ra|mme|mlle|sr|sra)\.?$/i
const SUFFIXES = /^(?:jr|sr|ii|iii|iv|phd|ph\.d|md|mba|msc|bsc|cpa|esq|cfa|pmp)\.?$/i

const WORDS_MAX = 6
const NAME_CHARS_MAX = 200

/** The words of a name, without titles, degrees, and what stands in brackets. */
const wordsOf = (name: string): ReadonlyArray<string> =>
  name
    .slice(0, NAME_CHARS_MAX)
    .replace(/\([^)]*\)|"[^"]*"/g, " ")
    .split(/,(?=\s*(?:jr|sr|ph|m[db]|esq|c[fp]a))/i)[0]
    ?.trim()
    .split(/\s+/)
    .map((word) => word.replace(/^[,.]+|[,]+$/g, ""))
    .filter((word) => word !== "" && !TITLES.test(word) && !SUFFIXES.test(word)) ?? []

interface Parts {
  readonly first: ReadonlyArray<string>
  readonly last: ReadonlyArray<string>
}

/** The given and family names of a person, as words. Null: one of them is unknown. */
const partsOf = (name: {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly fullName: string | null
}): Parts | null => {
  const first = wordsOf(name.firstName ?? "")
  const last = wordsOf(name.lastName ?? "")
  if (first.length > 0 && last.length > 0) return { first: first.slice(0, WORDS_MAX), last: last.slice(0, WORDS_MAX) }
  const full = name.fullName ?? ""
  // "Doe, Jane".
  const [family, given] = full.split(",")
  if (given !== undefined && wordsOf(given).length > 0 && family !== undefined && wordsOf(family).length > 0) {
    return { first: wordsOf(given).slice(0, WORDS_MAX), last: wordsOf(family).slice(0, WORDS_MAX) }
  }
  const words = wordsOf(full).slice(0, WORDS_MAX)
  if (words.length < 2) return null
  const particle = words.findIndex((word, at) => at > 0 && at < words.length - 1 && PARTICLES.has(fold(word)))
  const from = particle > 0 ? particle : words.length - 1
  return { first: words.slice(0, from), last: words.slice(from) }
}

const distinct = (spellings: ReadonlyArray<Spelling>): ReadonlyArray<Spelling> => {
  const best = new Map<string, number>()
  for (const { text, weight } of spellings) if (text !== "") best.set(text, Math.max(best.get(text) ?? 0, weight))
  return [...best].map(([text, weight]) => ({ text, weight })).sort((a, b) => b.weight - a.weight)
}

const scaled = (spellings: ReadonlyArray<Spelling>, by: number): ReadonlyArray<Spelling> =>
  spellings.map(({ text, weight }) => ({ text, weight: weight * by }))

/** Several words as one: together, or with a hyphen between them. */
const joined = (words: ReadonlyArray<string>, by: string): ReadonlyArray<Spelling> => {
  const parts = words.map(lettered)
  if (parts.some((part) => part.length === 0)) return []
  const all = (choice: number) => parts.map((part) => (part[choice] ?? part[0])?.text ?? "").join(by)
  return distinct([
    { text: all(0), weight: 1 },
    { text: all(1), weight: SECOND_WEIGHT }
  ])
}

const hyphenated = (words: ReadonlyArray<string>): ReadonlyArray<string> =>
  words.flatMap((word) => word.split(/[-‐‑–]/)).filter((word) => word !== "")

/** How a given name is written: "Anna-Lena" as annalena, anna-lena or anna; a middle name is left out. */
const firstOf = (words: ReadonlyArray<string>): ReadonlyArray<Spelling> => {
  const [name = ""] = words
  const parts = hyphenated([name])
  const short = NICKNAMES.get(fold(name)) ?? []
  return distinct([
    ...(parts.length > 1
      ? [...joined(parts, "-"), ...scaled(joined(parts, ""), 0.7), ...scaled(lettered(parts[0] ?? ""), 0.5)]
      : lettered(name)),
    ...short.flatMap((one) => scaled(lettered(one), 0.3))
  ])
}

/** How a family name is written: with or without its particles, and a double name whole, or by one part. */
const lastOf = (words: ReadonlyArray<string>): ReadonlyArray<Spelling> => {
  const bare = words.filter((word) => !PARTICLES.has(fold(word)))
  const hasParticle = bare.length < words.length && bare.length > 0
  const parts = hyphenated(bare.length === 0 ? words : bare)
  const isHyphenated = words.some((word) => /[-‐‑–]/.test(word))
  return distinct([
    ...(hasParticle
      ? [...joined(words, ""), ...scaled(joined(bare, ""), 0.5), ...scaled(joined(words, "-"), 0.2)]
      : []),
    ...(hasParticle || parts.length === 1 ? [] : joined(parts, isHyphenated ? "-" : "")),
    ...(parts.length === 1 && !hasParticle ? joined(parts, "") : []),
    ...(parts.length > 1
      ? [
          ...scaled(joined(parts, ""), 0.7),
          ...scaled(joined(parts, "-"), 0.4),
          ...scaled(lettered(parts[0] ?? ""), isHyphenated ? 0.4 : 0.6),
          ...scaled(lettered(parts.at(-1) ?? ""), 0.45)
        ]
      : [])
  ])
}

/** How a name may be written in an address. Null: a part is unknown, or in a script that we can't spell. */
export const spelled = (name: Parameters<typeof partsOf>[0]): Spelled | null => {
  const parts = partsOf(name)
  if (parts === null) return null
  const made = { first: firstOf(parts.first), last: lastOf(parts.last) }
  return made.first.length === 0 || made.last.length === 0 ? null : made
}
