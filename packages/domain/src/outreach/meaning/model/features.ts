import { hashOf } from "./hash.js"
import { plainText } from "../plainText.js"

/**
 * What the model sees of a text: which words, pairs of words and parts of words it has, and which signs that need no
 * language. Each is hashed into one of `BUCKETS`.
 */
export const BUCKETS = 1 << 16

/** People say what they mean in the beginning of a text. */
export const CHARS_MAX = 2_000
const WORDS_MAX = 250

const MONTH =
  "(?:jan|feb|mar|mrt|marc|marz|maer|apr|avr|abr|kwie|mai|may|mag|maj|mei|giu|jun|juin|jui|czer|jul|lip|lug|aug|ago|aou|sier|sep|set|wrz|okt|oct|ott|out|paz|nov|lis|dez|dec|dic|gru|sty|lut|gen|ene|fev|fevr|juni|juli|kwiet|maja)[a-z]{0,9}"

/** Signs that mean the same in every language. */
const SIGNS: ReadonlyArray<readonly [RegExp, string]> = [
  [/[^\s<>()[\],;:"']{1,64}@[^\s<>()[\],;:"']{1,255}/g, " 0mail "],
  [
    /(?:https?:\/\/|www\.)?\S{0,40}(?:calendly|cal\.com|savvycal|chilipiper|bookings?|meetings?\.|zcal|tidycal)\S{0,80}/g,
    " 0cal "
  ],
  [/(?:https?:\/\/|www\.)\S{1,200}/g, " 0url "],
  [/\b20\d\d-\d\d-\d\d\b|\b\d{1,2}[./]\d{1,2}(?:[./](?:20)?\d\d|\.)(?!\d)/g, " 0date "],
  [
    new RegExp(
      `\\b\\d{1,2}(?:st|nd|rd|th|er|\\.|o|a)? (?:of |de |d')?${MONTH}\\b|\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b`,
      "g"
    ),
    " 0date "
  ],
  [/\b[012]?\d(?:[:.h]\d\d|h| ?uhr\b| ?[ap]\.?m\b\.?)(?!\d)/g, " 0time "],
  [/\b(?:q[1-4]|[1-4]\. ?quartal|t[1-4])\b/g, " 0quarter "],
  [/(?:\+|\b0)\d[\d ()/.-]{6,18}\d/g, " 0phone "],
  [/\b20[23]\d\b/g, " 0year "],
  [/\d+(?:[.,]\d+)*/g, " 0num "],
  [/[?？]+/g, " 0ask "],
  [/[!！]+/g, " 0cry "],
  [/\.{3,}|…/g, " 0dots "],
  [/[.;\n]+/g, " 0end "]
]

/** The text as a row of words and signs. */
export const wordsOf = (text: string): ReadonlyArray<string> => {
  let plain = plainText(text.slice(0, CHARS_MAX).replace(/\n+/g, " ; "))
  for (const [pattern, sign] of SIGNS) plain = plain.replace(pattern, sign)
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX)
}

const bucketOf = (feature: string): number => hashOf(feature) & (BUCKETS - 1)

const PARTS = [3, 4, 5] as const
const WORD_CHARS_MAX = 24

const isSign = (word: string): boolean => word.startsWith("0") && word.length > 1

/** The names of a text's features, each once. */
export const featuresOf = (text: string): ReadonlySet<string> => {
  const words = wordsOf(text)
  const found = new Set<string>()
  const said = words.filter((word) => !isSign(word))
  words.forEach((word, at) => {
    found.add(word)
    found.add(`${words[at - 1] ?? "^"} ${word}`)
    const third = words[at - 2]
    if (third !== undefined) found.add(`${third} _ ${word}`)
    if (isSign(word)) return
    const padded = `<${word.slice(0, WORD_CHARS_MAX)}>`
    for (const length of PARTS) {
      for (let from = 0; from + length <= padded.length; from++) found.add(`~${padded.slice(from, from + length)}`)
    }
  })
  found.add(`${words.at(-1) ?? "^"} $`)
  found.add(`=${Math.min(7, Math.floor(Math.log2(said.length + 1)))}`)
  return found
}

/** The buckets of a text's features, each once, in ascending order. */
export const bucketsOf = (text: string): Uint32Array =>
  Uint32Array.from(new Set(Array.from(featuresOf(text), bucketOf))).sort()
