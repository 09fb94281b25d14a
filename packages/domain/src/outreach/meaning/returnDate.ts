import { DAY_MILLIS } from "../../kernel/durations.js"
import { monthOf } from "./months.js"
import { fold } from "./phrases.js"

/** A date is read as a return only within so many days of the message. */
const WITHIN_DAYS_MAX = 400

/** How far back a day may be that names no year. */
const PAST_DAYS_MAX = 7

/** How much before a day may say what it is. */
const BEFORE_CHARS = 60

/** Most dates that we look at. */
const DATES_MAX = 50

/** Words before the day on which somebody is back, or the last on which they are away. */
const UNTIL =
  /(?<!\p{L})(?:until|till?|through|thru|to|back|return(?:ing|s)?|bis|zuruck|wieder|jusqu'?(?:au|a|en)?|au|retour|hasta|al?|regres\p{L}*|vuelv\p{L}*|fino|rientr\p{L}*|ritorn\p{L}*|torn\p{L}*|ate|volt\p{L}*|retorn\p{L}*|tot|t\/m|terug|do|wrac\p{L}*|powr\p{L}*|tillbaka|ater|tilbage|tilbake|igen|kunnes|palaan|zpet|vrat\p{L}*|spat|vissza\p{L}*|pana|revin|до|по|верн\p{L}*|възвр\p{L}*|повер\p{L}*|εως|μεχρι|επιστρ\p{L}*|עד|حتى|الى|تا|ถง|den|hingga|sampai|kembali|vrac\p{L}*|vrn\p{L}*|iki|griz\p{L}*|lidz|atgriez\p{L}*|kuni|tagasi|fins)(?!\p{L})|[-–—~]\s*$|至|到/u

/** Words before the first day of something, which is the return if nothing else is. */
const FROM = /(?<!\p{L})(?:from|ab|vanaf|a partir|od|starting|des|desde|dal|fra|fran|alkaen|с|від|от)(?!\p{L})/u

interface Day {
  readonly year: number | null
  readonly month: number | null
  readonly day: number
}

interface Found extends Day {
  readonly at: number
  readonly end: number
}

const MONTH_SIGN = `(?:月|${fold("월")})`
const DAY_SIGN = `(?:日|号|號|${fold("일")})?`

/** The forms of a date, in the order in which they count where several begin. */
const FORMS: ReadonlyArray<readonly [RegExp, (groups: ReadonlyArray<string | undefined>) => Day | null]> = [
  [
    /(?<!\d)(20\d\d)[-/.](\d\d?)[-/.](\d\d?)(?!\d)/g,
    ([y, m, d]) => ({ year: Number(y), month: Number(m), day: Number(d) })
  ],
  [
    new RegExp(
      `(?:(20\\d\\d) ?(?:年|${fold("년")}) ?)?(?<!\\d)(\\d{1,2}) ?${MONTH_SIGN} ?(\\d{1,2}) ?${DAY_SIGN}`,
      "gu"
    ),
    ([y, m, d]) => ({ year: year(y), month: Number(m), day: Number(d) })
  ],
  [
    /(?<!\d)(\d{1,2}) thang (\d{1,2})(?:[, ]+(?:nam )?(20\d\d))?(?!\d)/g,
    ([d, m, y]) => ({ year: year(y), month: Number(m), day: Number(d) })
  ],
  [
    /(?<![\d.])(\d{1,2})\. ?(\d{1,2})\.(?: ?(20\d\d|\d\d)(?!\d))?(?!\d)/g,
    ([d, m, y]) => ({ year: year(y), month: Number(m), day: Number(d) })
  ],
  [
    /(?<![\d/])(\d{1,2})[/-](\d{1,2})[/-](20\d\d)(?!\d)/g,
    ([a, b, y]) => {
      const [first, second] = [Number(a), Number(b)]
      // Which of the two is the month can be told only if one can't be.
      if (first <= 12 && second <= 12 && first !== second) return null
      return { year: year(y), month: first > 12 ? second : first, day: first > 12 ? first : second }
    }
  ],
  [
    /(?<!\d)(\d{1,2})(st|nd|rd|th|er|\.|o|a|-?(?:го|е))? ?(?:of |de |d'|di )?(\p{L}{3,20})\.?,?(?: (?:de |del )?(20\d\d))?/gu,
    ([d, ordinal, name, y]) => ({ year: year(y), month: monthOf(name ?? "", ordinal === "."), day: Number(d) })
  ],
  [
    /(?<!\p{L})(\p{L}{3,20})\.? (\d{1,2})(?!\d)(?:st|nd|rd|th)?(?:,? (20\d\d))?/gu,
    ([name, d, y]) => ({ year: year(y), month: monthOf(name ?? "", false), day: Number(d) })
  ]
]

const year = (digits: string | undefined): number | null =>
  digits === undefined ? null : digits.length === 2 ? 2000 + Number(digits) : Number(digits)

/** The dates of a text, in order. Where forms overlap, the first that is a date counts. */
const datesIn = (text: string): ReadonlyArray<Found> => {
  const found: Array<Found> = []
  for (const [form, read] of FORMS) {
    for (const match of [...text.matchAll(form)].slice(0, DATES_MAX)) {
      const day = read(match.slice(1))
      const [at, end] = [match.index, match.index + match[0].length]
      if (day?.month == null || found.some((other) => at < other.end && other.at < end)) continue
      found.push({ ...day, at, end })
    }
  }
  return found.toSorted((one, other) => one.at - other.at)
}

const millisOf = ({ day, month, year: given }: Day, receivedAtMillis: number): number | null => {
  if (month === null || month < 1 || month > 12) return null
  const thisYear = new Date(receivedAtMillis).getUTCFullYear()
  const at = (inYear: number): number | null => {
    const millis = Date.UTC(inYear, month - 1, day)
    return new Date(millis).getUTCDate() === day ? millis : null
  }
  if (given !== null) return at(given)
  const soon = at(thisYear)
  return soon !== null && soon < receivedAtMillis - PAST_DAYS_MAX * DAY_MILLIS ? at(thisYear + 1) : soon
}

/**
 * The day of return that a folded text names, as `YYYY-MM-DD`; null: none, or not clearly. `isAway`: the text says that
 * its writer is away, so that the last day that it names is the return where no word tells.
 */
export const dateIn = (text: string, receivedAtMillis: number, isAway = false): string | null => {
  const dates = datesIn(text)
  const days = dates.flatMap((date, index) => {
    const millis = millisOf(date, receivedAtMillis)
    if (millis === null || Math.abs(millis - receivedAtMillis) > WITHIN_DAYS_MAX * DAY_MILLIS) return []
    const from = Math.max(dates[index - 1]?.end ?? 0, date.at - BEFORE_CHARS)
    const before = text.slice(from, date.at)
    return [{ millis, isUntil: UNTIL.test(before), isFrom: FROM.test(before) }]
  })
  const ahead = days.filter(({ millis }) => millis > receivedAtMillis - DAY_MILLIS)
  const told = days.find(({ isUntil }) => isUntil) ?? days.find(({ isFrom }) => isFrom)
  const millis = told?.millis ?? (isAway && ahead.length > 0 ? Math.max(...ahead.map((one) => one.millis)) : null)
  return millis === null ? null : new Date(millis).toISOString().slice(0, 10)
}
