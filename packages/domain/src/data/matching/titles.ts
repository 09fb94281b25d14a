/**
 * How titles are sought. A title is matched where it is contained, whatever the case. A short form is in many longer words,
 * as "CTO" is in "Director": it is matched by whole words, and so is what it stands for.
 */
import { fold, type Verdict } from "./verdicts.js"

/** Offices and grades: what they are called in full, and in short. */
export const OFFICES: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ["vice president", "vp"],
  ["senior vice president", "svp"],
  ["executive vice president", "evp"],
  ["chief executive officer", "ceo"],
  ["chief technology officer", "cto", "chief technical officer"],
  ["chief financial officer", "cfo"],
  ["chief marketing officer", "cmo"],
  ["chief operating officer", "coo", "chief operations officer"],
  ["chief revenue officer", "cro"],
  ["chief information officer", "cio"],
  ["chief product officer", "cpo"]
]

/** More of them, and the departments that are known by two or three letters. */
const FORMS: ReadonlyArray<readonly [string, ...ReadonlyArray<string>]> = [
  ...OFFICES,
  ["assistant vice president", "avp"],
  ["chief executive", "ceo"],
  ["chief finance officer", "cfo"],
  ["chief information security officer", "ciso"],
  ["chief human resources officer", "chro"],
  ["chief customer officer", "cco"],
  ["chief data officer", "cdo"],
  ["chief legal officer", "clo"],
  ["managing director", "md"],
  ["customer success manager", "csm"],
  ["sales development representative", "sdr"],
  ["business development representative", "bdr"],
  ["human resources", "hr"],
  ["information technology", "it"],
  ["quality assurance", "qa"],
  ["user experience", "ux"],
  ["artificial intelligence", "ai"],
  ["machine learning", "ml"],
  ["public relations", "pr"],
  ["research development", "r&d"]
]

/** A short form has no space and few letters. */
const isShort = (form: string): boolean => !form.includes(" ")

/** Everything that a form is found by: the other forms of the same, and the short ones of what has it inside. */
const formsOf = (form: string): ReadonlyArray<string> => {
  const same = FORMS.filter((forms) => forms.includes(form)).flat()
  const wider = FORMS.filter(([full]) => same.some((one) => !isShort(one) && ` ${full} `.includes(` ${one} `)))
  return [...new Set([...same, ...wider.flatMap((forms) => forms.filter(isShort))])]
}

const KNOWN: ReadonlyMap<string, ReadonlyArray<string>> = new Map(
  FORMS.flat().map((form) => [form, formsOf(form)] as const)
)

const FORM_WORDS_MAX = 4

/** Words that say nothing of the work: "VP Sales" is a "VP of Sales". */
const EMPTY_WORDS: ReadonlySet<string> = new Set(["a", "an", "and", "at", "for", "in", "of", "the", "to"])

/** Letters, digits, and the signs of C++, C# and R&D. It begins where a run of them does, so that each is read once. */
export const TITLE_WORD = /(?<![\p{L}\p{N}&+#])[&+#]*[\p{L}\p{N}][\p{L}\p{N}&+#]*/gu

/** What is sought, part by part: a word, or all forms of an office. */
type Part = ReadonlyArray<string>

/** A title as it is sought. A title fits if it contains `contained`, or if `pattern` matches it. */
export interface TitleNeedle {
  /** Folded. Null: only whole words count. */
  readonly contained: string | null
  /** Over folded text, in the syntax that JavaScript and PostgreSQL share. Null: there is no other form. */
  readonly pattern: string | null
  /** What `pattern` is made of, in order: of each part one form. */
  readonly parts: ReadonlyArray<Part>
}

const START = "(?:^|[^a-z0-9])"
const END = "(?:$|[^a-z0-9])"
const BETWEEN = `[^a-z0-9]+(?:(?:${[...EMPTY_WORDS].join("|")})[^a-z0-9]+)*`

const literally = (form: string): string =>
  form
    .split(" ")
    .map((word) => word.replaceAll("+", "\\+"))
    .join(BETWEEN)

const patternOf = (parts: ReadonlyArray<Part>): string =>
  `${START}${parts.map((forms) => `(?:${forms.map(literally).join("|")})`).join(BETWEEN)}${END}`

interface Sought {
  readonly parts: ReadonlyArray<Part>
  readonly hasShort: boolean
  readonly hasForms: boolean
}

const soughtIn = (words: ReadonlyArray<string>): Sought => {
  const parts: Array<Part> = []
  let hasShort = false
  let hasForms = false
  for (let at = 0; at < words.length;) {
    let taken = 1
    let forms: Part = words.slice(at, at + 1)
    for (let length = Math.min(FORM_WORDS_MAX, words.length - at); length > 0; length--) {
      const form = words.slice(at, at + length).join(" ")
      const known = KNOWN.get(form)
      if (known === undefined) continue
      taken = length
      forms = known
      hasForms = true
      hasShort ||= isShort(form)
      break
    }
    parts.push(forms)
    at += taken
  }
  return { parts, hasShort, hasForms }
}

/** How a title is sought. */
export const titleNeedle = (title: string): TitleNeedle => {
  const contained = fold(title)
  const words = (contained.match(TITLE_WORD) ?? []).filter((word) => !EMPTY_WORDS.has(word))
  const { hasForms, hasShort, parts } = soughtIn(words)
  if (!hasForms) return { contained, pattern: null, parts: [] }
  return { contained: hasShort ? null : contained, pattern: patternOf(parts), parts }
}

/** Whether a title is one of those sought. None sought: it is. Null: there is none. */
export const titleFits = (titles: ReadonlyArray<string>): ((title: string | null) => Verdict) => {
  const needles = titles.map(titleNeedle).map(({ contained, pattern }) => ({
    contained,
    pattern: pattern === null ? null : new RegExp(pattern)
  }))
  return (title) => {
    if (needles.length === 0) return true
    if (title === null) return null
    const folded = fold(title)
    return needles.some(
      ({ contained, pattern }) => (contained !== null && folded.includes(contained)) || pattern?.test(folded) === true
    )
  }
}
