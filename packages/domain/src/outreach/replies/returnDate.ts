const DAY_MILLIS = 86_400_000

/** A date is read as a return only within so many days of the message. */
const WITHIN_DAYS_MAX = 400

/** The beginnings of month names in folded text, in nine languages. */
const MONTHS: ReadonlyArray<RegExp> = [
  /^(?:jan|janv|ene|gen|stycz)/,
  /^(?:feb|fev|lut)/,
  /^(?:mar(?!z?ed)|marz|mrt|maart)/,
  /^(?:apr|avr|abr|kwie)/,
  /^(?:may|mai|maj|mei|mag|mayo)/,
  /^(?:jun|juin|giu|czerw)/,
  /^(?:jul|juil|lug|lip)/,
  /^(?:aug|aou|ago|sierp)/,
  /^(?:sep|set|wrzes)/,
  /^(?:oct|okt|ott|out|pazdz)/,
  /^(?:nov|listop)/,
  /^(?:dec|dez|dic|grud)/
]

/** Words before the day on which somebody is back. */
const BEFORE =
  /\b(?:until|till|back|return(?:ing)?|from|bis|ab|zuruck|wieder|jusqu'au|retour|a partir|hasta|regres\w*|vuelv\w*|fino|rientr\w*|ritorn\w*|torn\w*|ate|volto|retorn\w*|tot|terug|vanaf|do|wrac\w*|od|till|tillbaka|ater)\b(.{0,60})/g

const ISO = /\b(20\d\d)-(\d\d)-(\d\d)\b/
const DOTTED = /\b(\d{1,2})\.(\d{1,2})\.(20\d\d|\d\d)?(?!\d)/
const SLASHED = /\b(\d{1,2})\/(\d{1,2})\/(20\d\d)\b/
const DAY_MONTH = /\b(\d{1,2})(?:st|nd|rd|th|er|\.|o|a)? (?:of |de |d')?([a-z]{3,12})\.?,?(?: (?:de )?(20\d\d))?/
const MONTH_DAY = /\b([a-z]{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?\b,?(?: (20\d\d))?/

const monthOf = (name: string): number | null => {
  const at = MONTHS.findIndex((month) => month.test(name))
  return at === -1 ? null : at + 1
}

interface Day {
  readonly year: number | null
  readonly month: number | null
  readonly day: number
}

const year = (digits: string | undefined): number | null =>
  digits === undefined ? null : digits.length === 2 ? 2000 + Number(digits) : Number(digits)

const dayIn = (text: string): Day | null => {
  const iso = ISO.exec(text)
  if (iso !== null) return { year: Number(iso[1]), month: Number(iso[2]), day: Number(iso[3]) }
  const dotted = DOTTED.exec(text)
  if (dotted !== null) return { year: year(dotted[3]), month: Number(dotted[2]), day: Number(dotted[1]) }
  const slashed = SLASHED.exec(text)
  if (slashed !== null) {
    const [first, second] = [Number(slashed[1]), Number(slashed[2])]
    // Which of the two is the month can be told only if one can't be.
    if (first <= 12 && second <= 12 && first !== second) return null
    return { year: year(slashed[3]), month: first > 12 ? second : first, day: first > 12 ? first : second }
  }
  const named = DAY_MONTH.exec(text)
  const month = named === null ? null : monthOf(named[2] ?? "")
  if (named !== null && month !== null) return { year: year(named[3]), month, day: Number(named[1]) }
  const english = MONTH_DAY.exec(text)
  const first = english === null ? null : monthOf(english[1] ?? "")
  return english === null || first === null ? null : { year: year(english[3]), month: first, day: Number(english[2]) }
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
  return soon !== null && soon < receivedAtMillis - 7 * DAY_MILLIS ? at(thisYear + 1) : soon
}

/** The day of return that a folded text names, as `YYYY-MM-DD`; null: none, or not clearly. */
export const dateIn = (text: string, receivedAtMillis: number): string | null => {
  for (const [, after] of text.matchAll(BEFORE)) {
    const day = dayIn(after ?? "")
    const millis = day === null ? null : millisOf(day, receivedAtMillis)
    if (millis === null || Math.abs(millis - receivedAtMillis) > WITHIN_DAYS_MAX * DAY_MILLIS) continue
    return new Date(millis).toISOString().slice(0, 10)
  }
  return null
}
