import { monthOf } from "../meaning/months.js"
import { wordsOf } from "./words.js"

/** Numbers and dates, so that 12M, "12 million" and 12.000.000 are one, and so are 2026-03-05 and "5 March 2026". */

/** What a number can mean: 12.500 is twelve and a half to some, and twelve thousand five hundred to others. */
export type Meanings = ReadonlyArray<number>

/** A day, a month or a year. */
export interface DateSaid {
  readonly year: number | null
  readonly month: number | null
  readonly day: number | null
  /** Also read as this, where 3/4 is March to some and April to others. */
  readonly or?: { readonly month: number; readonly day: number }
}

/** A part of a text. `at` counts the parts. */
export type Term =
  | { readonly kind: "word"; readonly text: string; readonly isNamed: boolean }
  | { readonly kind: "number"; readonly text: string; readonly means: Meanings }
  | { readonly kind: "date"; readonly text: string; readonly date: DateSaid }

const THOUSAND = 1e3
const MILLION = 1e6
const MILLIARD = 1e9
const BILLION = [1e9, 1e12]

/** What a word after a number multiplies it by. A German or French "Billion" is a thousand of ours. */
const TIMES: ReadonlyMap<string, ReadonlyArray<number>> = new Map(
  (
    [
      ["k thousand tausend tsd mille mil duizend tusen", [THOUSAND]],
      [
        "m mm mn mio mln million millions millionen millones millon milioni milione milhoes milhao miljoen miljoner",
        [MILLION]
      ],
      ["millioner", [MILLION]],
      ["mrd md milliarde milliarden milliard milliards miliardi miljard miljarder milliarder", [MILLIARD]],
      ["b bn billion billions billionen billones", BILLION]
    ] as const
  ).flatMap(([words, by]) => words.split(" ").map((word) => [word, by] as const))
)

const SMALL: ReadonlyMap<string, number> = new Map(
  [
    "zero null",
    "",
    "two zwei deux dos due twee",
    "three drei trois tres tre drie",
    "four vier quatre cuatro quattro",
    "five funf cinq cinco cinque vijf",
    "six sechs seis sei zes",
    "seven sieben sept siete sette zeven",
    "eight acht huit ocho otto",
    "nine neun neuf nueve nove negen",
    "ten zehn dix diez dieci tien",
    "eleven elf onze once undici",
    "twelve zwolf douze doce dodici twaalf dozen dutzend"
  ].flatMap((line, number) => line.split(" ").flatMap((word) => (word === "" ? [] : [[word, number] as const])))
)
const TENS: ReadonlyMap<string, number> = new Map(
  "thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 hundred=100 zwanzig=20 dreissig=30 vierzig=40 funfzig=50 sechzig=60 hundert=100 vingt=20 trente=30 cinquante=50 veinte=20 treinta=30 cincuenta=50 cien=100"
    .split(" ")
    .map((pair) => pair.split("="))
    .map(([word = "", number]) => [word, Number(number)] as const)
)

/** A number as it is written, without its sign. */
const FIGURES = /^\d{1,3}(?:[., '’\u00A0\u202F]\d{3})+(?:[.,]\d+)?|^\d+(?:[.,]\d+)?/u

/** Everything that written figures can mean. */
export const figuresMean = (figures: string): Meanings => {
  const plain = figures.replace(/[ '’\u00A0\u202F]/gu, "")
  const separators = plain.match(/[.,]/g) ?? []
  const last = separators.at(-1)
  if (last === undefined) return [Number(plain)]
  const asDecimal = Number(plain.replaceAll(last === "." ? "," : ".", "").replace(last, "."))
  const asThousands = Number(plain.replace(/[.,]/g, ""))
  const isGrouped = /^\d{1,3}(?:[.,]\d{3})+$/.test(plain)
  if (separators.length > 1 && separators.every((one) => one === last)) return [asThousands]
  return isGrouped && separators.length === 1 ? [asThousands, asDecimal] : [asDecimal]
}

const ISO = /^(\d{4})-(\d{1,2})(?:-(\d{1,2})(?:t[\d:.]+(?:z|[+-]\d{2}:?\d{2})?)?)?(?![\d-])/u
const DOTTED = /^(\d{1,2})\.\s?(\d{1,2})\.(\d{4}|\d{2})(?!\d)/u
const SLASHED = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?!\d)/u
const QUARTER = /^(?:q([1-4])|([1-4])q)\b/u
const YEAR = /^(?:19|20)\d{2}(?!\d)/u
const DAY = /^(\d{1,2})(?:st|nd|rd|th|er|\.|º|°)?(?!\d)/u
const WORD = /^[\p{L}\p{M}]+/u

const isMonth = (month: number): boolean => month >= 1 && month <= 12
const isDay = (day: number): boolean => day >= 1 && day <= 31
const fullYear = (year: string): number => (year.length === 2 ? 2000 + Number(year) : Number(year))

/** A date at the beginning of a normalised text, and its length. */
const dateAt = (text: string): { readonly date: DateSaid; readonly length: number } | null => {
  const iso = ISO.exec(text)
  if (iso !== null && isMonth(Number(iso[2])) && (iso[3] === undefined || isDay(Number(iso[3])))) {
    const day = iso[3] === undefined ? null : Number(iso[3])
    return { date: { year: Number(iso[1]), month: Number(iso[2]), day }, length: iso[0].length }
  }
  const dotted = DOTTED.exec(text)
  if (dotted !== null && isDay(Number(dotted[1])) && isMonth(Number(dotted[2]))) {
    const date = { year: fullYear(dotted[3] ?? ""), month: Number(dotted[2]), day: Number(dotted[1]) }
    return { date, length: dotted[0].length }
  }
  const slashed = SLASHED.exec(text)
  if (slashed !== null) {
    const [one, other] = [Number(slashed[1]), Number(slashed[2])]
    const year = fullYear(slashed[3] ?? "")
    const length = slashed[0].length
    if (isMonth(one) && isDay(other)) {
      return {
        date: { year, month: one, day: other, ...(isMonth(other) ? { or: { month: other, day: one } } : {}) },
        length
      }
    }
    if (isMonth(other) && isDay(one)) return { date: { year, month: other, day: one }, length }
  }
  return null
}

/** "March 2026", "5. März 2026", "March 5th, 2026", "5 March", at the beginning of a normalised text. */
const monthAt = (text: string): { readonly date: DateSaid; readonly length: number } | null => {
  const day = DAY.exec(text)
  let at = day !== null && isDay(Number(day[1])) ? day[0].length : 0
  let said = at > 0 ? Number(day?.[1]) : null
  if (at > 0) at += /^\s*(?:(?:of|de|di|den)\s+)?/u.exec(text.slice(at))?.[0].length ?? 0
  const word = WORD.exec(text.slice(at))
  if (word === null || word[0].length < 3) return null
  const month = monthOf(word[0], false)
  // "May" and "march" without a day or a year are words.
  if (month === null) return null
  at += word[0].length
  if (said === null) {
    const after = /^\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?!\d|[.:]\d)(?!\s*(?:k|m|bn|million|%))/u.exec(text.slice(at))
    if (after !== null && isDay(Number(after[1]))) {
      said = Number(after[1])
      at += after[0].length
    }
  }
  const year = /^[.,]?\s*(?:(?:of|de|del|do)\s+)?((?:19|20)\d{2})(?!\d)/u.exec(text.slice(at))
  if (year !== null) at += year[0].length
  if (said === null && year === null) return null
  return { date: { year: year === null ? null : Number(year[1]), month, day: said }, length: at }
}

/** Where a capital may only mean that a sentence begins. */
const BEGINS = /(?:^|[.!?:\n]\s*|[“"„«(]\s*)$/u
/** So much before a word tells. */
const BEFORE_CHARS = 40

/** Words with a capital: names, as far as writing tells. One that begins a sentence is one if the next has a capital too. */
const namedIn = (text: string): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const match of text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{M}\p{N}]*/gu)) {
    const isNext = /^[\s-]+\p{Lu}/u.test(text.slice(match.index + match[0].length))
    if (!isNext && BEGINS.test(text.slice(Math.max(0, match.index - BEFORE_CHARS), match.index))) continue
    for (const { text: word } of wordsOf(match[0]).words) names.add(word)
  }
  return names
}

/** A text as its words, numbers and dates, in order. */
export const termsOf = (given: string): ReadonlyArray<Term> => {
  const { text, words } = wordsOf(given)
  const named = namedIn(given)
  const terms: Array<Term> = []
  let until = 0
  for (const word of words) {
    if (word.at < until) continue
    const rest = text.slice(word.at)
    const quarter = QUARTER.exec(rest)
    const date = dateAt(rest) ?? monthAt(rest)
    if (date !== null) {
      terms.push({ kind: "date", text: rest.slice(0, date.length), date: date.date })
      until = word.at + date.length
      continue
    }
    if (quarter !== null) {
      terms.push({ kind: "word", text: `q${quarter[1] ?? quarter[2]}`, isNamed: true })
      until = word.at + quarter[0].length
      continue
    }
    const year = YEAR.exec(rest)
    if (
      year !== null &&
      !/^[.,]\d/u.test(rest.slice(4)) &&
      !/^\s?(?:k|m|mio|million|employees|people)\b/u.test(rest.slice(4))
    ) {
      terms.push({ kind: "date", text: year[0], date: { year: Number(year[0]), month: null, day: null } })
      until = word.at + year[0].length
      continue
    }
    const figures = FIGURES.exec(rest)
    const small = SMALL.get(word.text) ?? TENS.get(word.text)
    if (figures === null && small === undefined) {
      terms.push({ kind: "word", text: word.text, isNamed: named.has(word.text) })
      continue
    }
    let length = figures === null ? word.text.length : figures[0].length
    let means = figures === null ? [small ?? 0] : figuresMean(figures[0])
    const unit = /^[\s\u00A0-]?([\p{L}]+)(?![\p{L}\p{N}])/u.exec(rest.slice(length))
    const times = TIMES.get(unit?.[1] ?? "")
    // "12 m" and "12 b" may be metres and the like: those stand at the figure, as in 12m, or beside a currency.
    const isMoney =
      /[$€£]\s?$/u.test(text.slice(0, word.at)) || /^\s?[$€£]/u.test(rest.slice(length + (unit?.[0].length ?? 0)))
    const isAttached = unit !== null && (unit[1]?.length ?? 0) === 1 ? unit[0].length === 1 || isMoney : true
    if (times !== undefined && unit !== null && isAttached) {
      means = means.flatMap((one) => times.map((by) => one * by))
      length += unit[0].length
    } else if (figures !== null) {
      length += /^(?:st|nd|rd|th)\b/u.exec(rest.slice(length))?.[0].length ?? 0
      // "4th" ended above; "3d" and "b2b" are words of letters and figures.
      if (/^[\p{L}\p{N}]/u.test(rest.slice(length))) {
        terms.push({ kind: "word", text: word.text, isNamed: true })
        continue
      }
    }
    terms.push({ kind: "number", text: rest.slice(0, length), means })
    until = word.at + length
  }
  return terms
}

/** Whether two numbers can be the same. */
export const isSameNumber = (one: Meanings, other: Meanings): boolean =>
  one.some((a) => other.some((b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b), 1)))

const monthsOf = (date: DateSaid): ReadonlyArray<Pick<DateSaid, "month" | "day">> =>
  date.or === undefined ? [date] : [date, date.or]

/** Whether a date says no more than another, and nothing else. */
export const isWithin = (said: DateSaid, source: DateSaid): boolean =>
  (said.year === null || said.year === source.year) &&
  monthsOf(said).some((one) =>
    monthsOf(source).some(
      (other) => (one.month === null || one.month === other.month) && (one.day === null || one.day === other.day)
    )
  )
