import { companyOf } from "../../kernel/people/companyOf.js"
import type { Recipient } from "../../kernel/sequences/Sequence.js"
import { monthOf } from "../meaning/months.js"
import { isDenial, isDoubt } from "./doubts.js"
import { type DateSaid, isSameNumber, isWithin, type Meanings, type Term, termsOf } from "./quantities.js"
import { isTurnedRound } from "./whoDidWhat.js"
import { sentencesOf } from "./words.js"
import { ABOUT, AT_LEAST, isLegalForm, isNeutral, isPolite, saysSame, type Writing } from "./vocabulary.js"
import { tongueOf } from "./tongues.js"

/**
 * Whether an excerpt says what a value says. `altered`: the value says something that the excerpt doesn't. `unclear`: they
 * are in different languages, and only names, numbers and dates can be compared.
 */
export type Support = "supported" | "altered" | "unclear"

const NAMES = new Set(["first_name", "last_name", "company_name"])

/** "about 130" is right for 127, and "over 100" for up to twice as many. */
const ABOUT_SHARE = 0.1
const AT_LEAST_TIMES = 2

const numbersIn = (terms: ReadonlyArray<Term>): ReadonlyArray<Meanings> =>
  terms.flatMap((term) =>
    term.kind === "number"
      ? [term.means]
      : term.kind === "date" && isYearAlone(term.date)
        ? [[term.date.year ?? 0]]
        : []
  )

const isYearAlone = ({ day, month, year }: DateSaid): boolean => year !== null && month === null && day === null

const textAt = (terms: ReadonlyArray<Term>, at: number): string => terms[at]?.text ?? ""

/** Whether the excerpt has the number, or one that the words before it allow. */
const hasNumber = (value: ReadonlyArray<Term>, at: number, means: Meanings, excerpt: ReadonlyArray<Term>): boolean => {
  const there = numbersIn(excerpt)
  if (there.some((one) => isSameNumber(means, one))) return true
  const near = [textAt(value, at - 1), textAt(value, at - 2)]
  const allows = (test: (said: number, real: number) => boolean) =>
    means.some((said) => there.some((one) => one.some((real) => test(said, real))))
  const isFloor = near.some((word) => AT_LEAST.has(word)) || textAt(value, at).endsWith("+")
  return (
    (isFloor && allows((said, real) => real >= said && real <= said * AT_LEAST_TIMES)) ||
    (near.some((word) => ABOUT.has(word)) && allows((said, real) => Math.abs(real - said) <= real * ABOUT_SHARE))
  )
}

const wordsOfTerms = (terms: ReadonlyArray<Term>): ReadonlyArray<string> =>
  terms.flatMap((term) => (term.kind === "word" ? [term.text] : []))

/** What a message to this person may call them and their company by, whatever an excerpt says. */
const ownWords = ({ companyName, email, firstName, lastName }: Recipient, variable: string): ReadonlyArray<string> =>
  NAMES.has(variable)
    ? []
    : [firstName, lastName, companyName, companyOf(email)?.split(".")[0] ?? null].flatMap((text) =>
        text === null ? [] : wordsOfTerms(termsOf(text))
      )

const isNamedAt = (terms: ReadonlyArray<Term>, at: number): boolean => {
  const term = terms[at]
  return term?.kind === "word" && term.isNamed && !isPolite(term.text)
}

const NEAR = 4

/**
 * The numbers that count a word in a sentence, at each of its places. A number counts what follows it, up to the next
 * number; or what stands just before it: "revenue grew by 38%".
 */
const numbersOf = (sentence: ReadonlyArray<Term>, word: string): ReadonlyArray<Meanings> => {
  const numbers = sentence.flatMap((term, at) => (term.kind === "number" ? [{ at, means: term.means }] : []))
  if (numbers.length < 2) return []
  return sentence.flatMap((term, place) => {
    if (term.kind !== "word" || !saysSame(word, term.text)) return []
    const before = numbers.findLast(({ at }) => at < place)
    const counting = before ?? numbers.find(({ at }) => at > place && at - place <= NEAR)
    return counting === undefined ? [] : [counting.means]
  })
}

/** Words that belong to a number, and say nothing of what it counts: of "from 19 days to 6", both are days. */
const UNITS =
  /^(?:[$€£%]|usd|dollars?|eur|euros?|gbp|pounds?|percent|per|cent|prozent|kronor|more|than|up|down|(?:minute|hour|day|week|month|year)s?|minuten|stunden?|tagen?|wochen?|monaten?|jahren?|heures?|jours?|semaines?|mois|ans?|dias|semanas|meses|anos)$/

const SHARE = /^(?:%|percent|per cent|prozent) (?:of|der|des|von|de|del|di|van|av)\b/

/** Whether the value gives a number to another thing than the excerpt does: 12 sales people and 5 engineers, turned round. */
const isMisplaced = (value: ReadonlyArray<Term>, sentences: ReadonlyArray<ReadonlyArray<Term>>): boolean =>
  value.some((term, at) => {
    // ISO 14001 counts nothing.
    if (term.kind !== "number" || isNamedAt(value, at - 1)) return false
    // "40% of your bicycles" counts no bicycles.
    if (SHARE.test(`${textAt(value, at + 1)} ${textAt(value, at + 2)} ${textAt(value, at + 3)}`)) return false
    const next = value
      .slice(at + 1, at + 4)
      .find((one) => one.kind === "word" && !isNeutral(one.text) && !UNITS.test(one.text))
    if (next === undefined) return false
    const where = sentences.filter((sentence) =>
      sentence.some((one) => one.kind === "number" && isSameNumber(one.means, term.means))
    )
    const counted = where.flatMap((sentence) => numbersOf(sentence, next.text))
    return counted.length > 0 && counted.every((one) => !isSameNumber(one, term.means))
  })

/** Whether the excerpt denies what the value takes from it: a doubt stands before the value's own words, and not in the value. */
const isDenied = (value: ReadonlyArray<Term>, excerpt: string): boolean => {
  const own = wordsOfTerms(value)
  if (own.some(isDoubt)) return false
  const telling = own.filter((word) => !isNeutral(word))
  return excerpt.split(/[.!?;\n]+(?=\s|$)|,\s/u).some((clause) => {
    const words = wordsOfTerms(termsOf(clause))
    const doubt = words.findIndex(isDoubt)
    if (doubt < 0) return false
    const after = words.some(isDenial) ? words : words.slice(doubt + 1, doubt + 12)
    const taken = telling.filter((word) => after.some((one) => saysSame(word, one)))
    return telling.length > 0 && taken.length >= Math.ceil(telling.length / 2)
  })
}

/** A word that the excerpt writes as two: "takeover" for "takes over", and German verbs: "einsammelt" for "sammelt … ein". */
const isJoined = (word: string, there: ReadonlyArray<string>): boolean => {
  for (let at = 2; at <= word.length - 2 && word.length >= 6; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    if (Math.max(head.length, tail.length) < 4) continue
    if (there.some((one) => saysSame(head, one)) && there.some((one) => saysSame(tail, one))) return true
  }
  return false
}

type WordTerm = Extract<Term, { readonly kind: "word" }>

/** A short word or a courtesy, and no name that is spelt like one: the Dutch "dan" is not Dan Whitcombe. */
const isLayout = ({ isNamed, text }: WordTerm, at: number): boolean =>
  isNeutral(text) && (!isNamed || at === 0 || isPolite(text))

/** How strictly a word of the value is compared: a name beside another is exactly itself, as in Jonas Reich. */
const writtenAs = (value: ReadonlyArray<Term>, at: number, other: WordTerm): Writing =>
  !isNamedAt(value, at) || !other.isNamed
    ? "word"
    : isNamedAt(value, at - 1) || isNamedAt(value, at + 1)
      ? "full_name"
      : "name"

/**
 * Compares a value with its excerpt. Each name, number, date and telling word of the value must be said by the excerpt, in
 * whatever form: a value may say less than its excerpt, and never more or other.
 */
export const supports = (variable: string, value: string, excerpt: string, recipient: Recipient): Support => {
  const said = termsOf(value)
  const source = termsOf(excerpt)
  const there = wordsOfTerms(source)
  const own = ownWords(recipient, variable)
  const isName = NAMES.has(variable)
  const dates = source.flatMap((term) => (term.kind === "date" ? [term.date] : []))
  const missing = said.filter((term, at) => {
    if (term.kind === "number") return !hasNumber(said, at, term.means, source)
    if (term.kind === "date") {
      const { date } = term
      return !(
        dates.some((one) => isWithin(date, one)) ||
        (isYearAlone(date) && hasNumber(said, at, [date.year ?? 0], source))
      )
    }
    if (isName ? variable === "company_name" && isLegalForm(term.text) : isLayout(term, at)) return false
    const isBeforeNumber = said.slice(at + 1, at + 3).some((one) => one.kind === "number")
    if (!term.isNamed && isBeforeNumber && (AT_LEAST.has(term.text) || ABOUT.has(term.text))) return false
    if (isName) return !there.includes(term.text)
    const month = monthOf(term.text, false)
    if (month !== null && dates.some((one) => one.month === month)) return false
    return (
      !source.some((one) => one.kind === "word" && saysSame(term.text, one.text, writtenAs(said, at, one))) &&
      !(isNamedAt(said, at) ? false : isJoined(term.text, there)) &&
      !own.includes(term.text)
    )
  })
  if (missing.length > 0) {
    const [one, other] = [tongueOf(value), tongueOf(excerpt)]
    // In German every noun has a capital, so that a capital tells no name.
    const isTelling = missing.some(
      (term) => term.kind !== "word" || (term.isNamed && one !== "de") || /\d/.test(term.text)
    )
    return !isTelling && one !== null && other !== null && one !== other ? "unclear" : "altered"
  }
  const telling = said.filter((term) => term.kind !== "word" || isName || !isNeutral(term.text))
  // A value of courtesies alone says nothing that could be proven.
  if (telling.length === 0) return "unclear"
  if (isMisplaced(said, sentencesOf(excerpt).map(termsOf)) || isDenied(said, excerpt) || isTurnedRound(value, excerpt))
    return "altered"
  return "supported"
}
