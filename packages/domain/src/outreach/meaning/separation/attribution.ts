import { fold } from "../phrases.js"

/**
 * The line above a quotation that says who wrote it and when ("On Tuesday Jo wrote:"). It is known by its shape: it begins
 * with a date or a name, has an address or a verb of writing, and ends as such a line ends. So a language that nobody
 * listed is read too.
 */

/** Longest line that a mail program writes. */
const LINE_CHARS_MAX = 400

/** Most lines that such a mark wraps over, and its longest length. */
const LINES_MAX = 4
const MARK_CHARS_MAX = 300

/** Most sentences of the writer before it on the same line. */
const BEFORE_MAX = 6

/** "wrote" in folded text. */
const VERBS =
  "(?:wrote|writes|schrieb|hat geschrieben|a ecrit|ecrit|ha escrito|escribio|escribe|ha scritto|scrisse|schreef|schrijft|heeft geschreven|escreveu|skrev|skriver|kirjoitti|napisal(?:\\(a\\)|a|o)?|pisze|napsala?(?:\\(a\\))?|napisao|napisala|je napisao|je napisala|написала?(?:\\(а\\))?|пишет|писала?|написав|пише|yazd[iı]|εγραψε|irta|a scris|kirjutas|rakstija|rase|[dđ]a viet|menulis|เขยนวา|כתב|كتب|写道|寫道|書きました|のメッセーシ|のメール|님이 작성|작성)"

const folded = (text: string): string => fold(text).normalize("NFC")
const VERB = new RegExp(
  `(?<![\\p{L}\\p{N}])${VERBS}(?![\\p{L}])|(?:写道|寫道|書きました|のメッセーシ|のメール|작성)`,
  "u"
)
const VERB_AT_END = new RegExp(`(?:(?<![\\p{L}\\p{N}])${VERBS}|写道|寫道|書きました|のメッセーシ|のメール|작성)$`, "u")
const BY_PRONOUN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:you|i|we|he|she|they|it|who|what|ich|wir|er|sie|du|man|je|tu|il|elle|on|nous|yo|io|lei|lui|noi|ik|wij|hij|zij|ze|ele|ela|eu|jag|han|hon|vi|jeg|я|он|она|мы|вы)(?: \\p{L}{1,8})? ${VERBS}(?![\\p{L}])`,
  "u"
)

/** Words with which programs begin before a date, folded. */
const ON =
  "(?:on|in|am|le|el|il(?: giorno)?|op|em|no dia|den|d\\.|pa|w dniu|dnia|dne|v|kl\\.?|на|в|у|vao|στις|la|pada|dana|ngay|tarihinde|a(?:t)?|em|ha|reply on|date)"
const ON_OR_WEEKDAY = "(?:\\p{L}{1,10}[.,]{0,2} ){0,3}"
const DATE = /\b(?:19|20)\d\d\b|(?<!\d)\d{1,2}[:.h]\d{2}(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{4}\s?[年년]/u
const FULL_DATE = /(?:19|20)\d\d|\d[./-]\d{1,2}[./-]\d/u
const ADDRESS = /[^\s<>"'()[\]]{1,64}@[^\s<>"'()[\]]{1,255}/u

const ENCLOSED_ADDRESS = /[<([]\s?[^\s<>"'()[\]]{1,64}@[^\s<>"'()[\]]{1,255}\s?[>)\]]/u

const BEGINS_ON = new RegExp(`^${ON} ${ON_OR_WEEKDAY}[(]?\\d`, "u")
const BEGINS_ON_WORD = new RegExp(
  `^${ON} (?:\\p{L}{2,12}\\.?|(?:\\p{L}{2,12}\\.?,? ){1,2}?\\p{L}{2,12}\\.?,|\\p{L}{2,12}\\.?,)$`,
  "u"
)
const BEGINS_DATE = /^(?:\p{L}{2,12}[.,]{1,2} ?|\p{L}{2,4} )?(?:\d{1,4}[./ -]|\d{4}\s?[年년])/u

/** A sentence ends and another begins: a name or a date has no such place. */
const SENTENCE_END = /[\p{L}\p{N})"'”»]{3,}[.!?。！？]["'”»)]?\s+(?=\p{Lu})/u
const SENTENCE_ENDS = /[.!?。！？…]["'”»)]?\s+/gu

const FRAME = /[\p{Pd}_=*─━【】]/u

/** The marks around a framed line, such as `---- Jo wrote ----`. */
export const unframed = (line: string): string | null => {
  const framed = line.trim()
  let from = 0
  let to = framed.length
  while (from < to && FRAME.test(framed.charAt(from))) from += 1
  while (to > from && FRAME.test(framed.charAt(to - 1))) to -= 1
  return (from >= 2 || framed.startsWith("【")) && to < framed.length ? framed.slice(from, to).trim() : null
}

/** "Quoting Jo <jo@acme.test>:", in the languages of Horde. */
const QUOTING =
  /^(?:quot\p{L}*|zitat(?: von)?|zitiere|cit(?:ando|ation|at|ation de|erar|eren|uji|o)(?: a| de| di| från| fran)?|cyt\p{L}*|lainaus|цит\p{L}*|idez\p{L}*) /u

/** Words before a day, and a day with its time behind. */
const STAMP = /^(?:\p{L}{2,12}[.,]{0,2} ){0,3}\d{1,4}\b/u
const TIME = /(?<!\d)\d{1,2}[:.]\d{2}(?!\d)/u

/** A name with a date and a time behind it: "Jo Doe (24 Nov 2026, 09:00):". */
const STAMPED_NAME = /^\p{Lu}[^()]{0,80}\([^()]{0,60}\d[^()]{0,60}\) ?[:：]$/u

const endsWithColon = (text: string): boolean => /[:：]$/.test(text)

/** Whether the whole of it is such a mark. `isQuotedBelow`: quoted lines follow. */
const isMark = (text: string, isQuotedBelow: boolean): boolean => {
  if (text.length > MARK_CHARS_MAX) return false
  const plain = text.replace(/^[*_\s]+|[*_\s]+$/gu, "")
  const said = folded(plain)
  const bare = said.replace(/ ?[:：]$/u, "")
  const hasAddress = ADDRESS.test(plain)
  const hasDate = DATE.test(plain)
  const verbEnds = VERB_AT_END.test(bare)
  const hasVerb = verbEnds || VERB.test(said)
  const beginsAsDate = BEGINS_ON.test(said) || BEGINS_DATE.test(said)
  const ends = endsWithColon(plain)
  const isStamped = STAMP.test(said) && FULL_DATE.test(said) && TIME.test(said) && ends && (verbEnds || isQuotedBelow)
  const isYours = isStamped || (beginsAsDate && ends && FULL_DATE.test(said) && (verbEnds || isQuotedBelow))
  if (BY_PRONOUN.test(said) && !isYours) return false
  if (isStamped || (ends && QUOTING.test(said) && (hasAddress || isQuotedBelow))) return true
  if (beginsAsDate && (hasDate || hasAddress)) {
    if (hasVerb && (ends || verbEnds)) return true
    if (hasAddress && (ends || (isQuotedBelow && /[>)\]]$/.test(plain)))) return true
    return ends && hasDate && isQuotedBelow
  }
  if (SENTENCE_END.test(plain)) return false
  if (isQuotedBelow && STAMPED_NAME.test(plain) && FULL_DATE.test(plain) && TIME.test(plain)) return true
  if (ends && hasDate && ENCLOSED_ADDRESS.test(plain) && !/^\p{Ll}/u.test(plain)) return true
  // A name comes first: "Jo Doe <jo@acme.test> wrote:", "Jo Doe schrieb am 3. März 2026 um 9:12:".
  if (hasVerb && (ends || verbEnds) && hasAddress) return isBalanced(plain)
  if (hasVerb && ends && hasDate) return plain.length <= 160 && /\p{Lu}\p{L}*/u.test(plain)
  if (hasVerb && ends && isQuotedBelow) return /^(?:\p{Lu}[\p{L}\p{M}.'’-]{0,30} ){1,4}/u.test(plain)
  return false
}

const isBalanced = (text: string): boolean => {
  const open = text.indexOf("<")
  const close = text.indexOf(">")
  return close === -1 ? open === -1 : open !== -1 && open < close
}

/** Where in a line the mark begins: words of the writer may stand before it on the same line. */
const beginningIn = (joined: string, isQuotedBelow: boolean): number | null => {
  let found: number | null = null
  let byDate: number | null = null
  for (const match of [...joined.matchAll(SENTENCE_ENDS)].slice(-BEFORE_MAX)) {
    const at = match.index + match[0].length
    const rest = joined.slice(at)
    if (!isMark(rest, isQuotedBelow)) continue
    const said = folded(rest.slice(0, 80))
    if (BEGINS_ON.test(said) && /^\p{Lu}/u.test(rest)) found = at
    else if (byDate === null && (BEGINS_ON.test(said) || BEGINS_DATE.test(said))) byDate = at
  }
  if (found !== null) return found
  return isMark(joined, isQuotedBelow) ? 0 : byDate
}

export interface Attribution {
  /** How many lines it has. */
  readonly lines: number
  /** The writer's own words before it, on its first line. */
  readonly before: string
}

/** Whether a line may be the first of a mark whose name or address is on the next one. */
const opens = (line: string): boolean => {
  const said = folded(line)
  return (
    line.length <= LINE_CHARS_MAX &&
    !/[.!?:]$/.test(line.replace(/\.$/, "x")) &&
    (((BEGINS_ON.test(said) || BEGINS_DATE.test(said)) && FULL_DATE.test(said) && !SENTENCE_END.test(line)) ||
      BEGINS_ON_WORD.test(said) ||
      (ENCLOSED_ADDRESS.test(line) && VERB.test(said)))
  )
}

const mayEnd = (line: string): boolean => {
  const bare = line.replace(/[-–—=*_\s]+$/u, "")
  return /[:：>)\]]$/.test(bare) || VERB_AT_END.test(folded(bare.slice(-40)))
}

/**
 * The mark that begins in the line at `at`; null: none does. `isQuotedBelow` says whether the first text after a line is
 * quoted.
 */
export const attributionAt = (
  lines: ReadonlyArray<string>,
  at: number,
  isQuotedBelow: (line: number) => boolean
): Attribution | null => {
  const first = lines[at]?.trim() ?? ""
  if (first === "" || first.length > LINE_CHARS_MAX) return null
  let joined = ""
  for (let count = 1; count <= LINES_MAX; count++) {
    const line = lines[at + count - 1]?.trim() ?? ""
    if (line === "" || line.length > LINE_CHARS_MAX) return null
    // A line that is a mark by itself is the next one's, unless this one opens it.
    joined = count === 1 ? line : `${joined} ${line}`
    if (!mayEnd(line)) continue
    const quoted = isQuotedBelow(at + count)
    const inner = unframed(joined)
    if (inner !== null && inner.length <= MARK_CHARS_MAX && VERB_AT_END.test(folded(inner.replace(/ ?[:：]$/u, "")))) {
      return { lines: count, before: "" }
    }
    const whole = inner ?? joined
    const begins = beginningIn(whole, quoted)
    if (begins === null) continue
    if (count > 1) {
      // Fewer lines are enough: the mark begins further down.
      const later = lines
        .slice(at + 1, at + count)
        .map((one) => one.trim())
        .join(" ")
      const isLater = beginningIn(unframed(later) ?? later, quoted) !== null
      if (isLater && BEGINS_ON.test(folded(later)) && FULL_DATE.test(later)) return null
      if (isLater && !opens(begins > 0 ? joined.slice(begins, first.length) : first)) return null
      if (begins >= first.length) return null
    }
    return { lines: count, before: whole.slice(0, begins).trim() }
  }
  return null
}
