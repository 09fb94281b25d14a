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
  "(?:wrote|writes|schrieb|hat geschrieben|a ecrit|ecrit|ha escrito|escribio|escribe|ha scritto|scrisse|schreef|schrijft|heeft geschreven|escreveu|skrev|skriver|kirjoitti|napisal(?:\\(a\\)|a|o)?|pisze|napsala?(?:\\(a\\))?|napisao|napisala|je napisao|je napisala|написала?(?:\\(а\\))?|пишет|писала?|написав|пише|pise|yazd[iı]|yazm[iı]s|εγραψε|irta|a scris|kirjutas|rakstija|rase|[dđ]a viet|menulis|เขยนวา|כתב|كتب|نوشت(?:ه است)?)"

/** The same in scripts that don't set words apart. */
const JOINED_VERBS = "(?:写道|寫道|書きました|のメッセーシ|のメール|작성|쓴 글|쓴 내용)"

/** Digits of other scripts, as ours. */
const DIGITS: ReadonlyArray<readonly [digits: RegExp, zero: number]> = [
  [/[٠-٩]/g, 0x660],
  [/[۰-۹]/g, 0x6f0],
  [/[०-९]/g, 0x966]
]

const inOurDigits = (text: string): string =>
  DIGITS.reduce((said, [digits, zero]) => said.replace(digits, (digit) => String(digit.charCodeAt(0) - zero)), text)

const folded = (text: string): string => fold(inOurDigits(text)).normalize("NFC")
const VERB = new RegExp(`(?<![\\p{L}\\p{N}])${VERBS}(?![\\p{L}])|${JOINED_VERBS}`, "u")
const AT_VERB = new RegExp(`(?<![\\p{L}\\p{N}])${VERBS}(?![\\p{L}])`, "iu")
const VERB_AT_END = new RegExp(`(?:(?<![\\p{L}\\p{N}])${VERBS}|${JOINED_VERBS})$`, "u")
const BY_PRONOUN = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:you|i|we|he|she|they|it|who|what|ich|wir|er|sie|du|man|je|tu|il|elle|on|nous|yo|io|lei|lui|noi|ik|wij|hij|zij|ze|ele|ela|eu|jag|han|hon|vi|jeg|я|он|она|мы|вы)(?: \\p{L}{1,8})? ${VERBS}(?![\\p{L}])`,
  "u"
)

const VERB_BEGINS = new RegExp(`^(?:${VERBS}(?![\\p{L}])|${JOINED_VERBS})`, "u")

/** Words with which programs begin before a date, folded. */
const ON =
  "(?:on|in|am|le|el|il(?: giorno)?|op|em|no dia|den|d\\.|pa|w dniu|dnia|dne|v|kl\\.?|на|в|у|vao|στις|la|pada|dana|ngay|tarihinde|a(?:t)?|em|ha|reply on|date)"
const ON_OR_WEEKDAY = "(?:[\\p{L}-]{1,14}[.,]{0,2} ){0,3}"
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
const STAMP = /^(?:\p{L}{2,12}[.,:]{0,2} ){0,3}\d{1,4}\b/u
const TIME = /(?<!\d)\d{1,2}[:.]\d{2}(?!\d)/u

/** No person writes the seconds of a time. */
const SECONDS = /(?<!\d)\d{1,2}[:.]\d{2}[:.]\d{2}(?!\d)/u

/** A name at the end of a line, at its beginning, and two words of one. */
const NAME_ENDS = /\p{Lu}[\p{L}\p{M}.'’-]*$/u
const NAME_BEGINS = /^"?\p{Lu}[\p{L}\p{M}.'’-]+ \p{Lu}[\p{L}\p{M}.'’-]/u
const NAME = /\p{Lu}[\p{L}\p{M}.'’-]+ \p{Lu}/u

/** A name and its address at the beginning of a line that goes on: "Jo Doe <jo@acme.test>, 12 Mar". */
const NAME_WITH_ADDRESS = /^(?:\p{Lu}[\p{L}\p{M}.'’-]*,? ){1,5}[<(][^\s<>()]{1,64}@[^\s<>()]{1,255}[>)],? \S/u

/** A mark that begins with a whole name, or a whole date. */
const WHOLE_BEGINS = /^(?:"?\p{Lu}[\p{L}\p{M}.'’-]* (?:\p{Lu}|[<(])|\d{1,4}[./-]\d{1,2}[./-]\d)/u

/** What programs begin with before a name, folded. */
const BY = /^(?:wiadomosc napisana przez|missatge de) /u

/** A mark without its colon: a date, a time, a verb, and who. */
const WITHOUT_COLON = new RegExp(
  `^${ON} .{0,40}\\d.{0,12} ${VERBS} (?:"?(?:\\p{L}[\\p{L}.'-]{0,30} ?){1,4}"?|\\S{1,64}@\\S{1,200})$`,
  "u"
)

/** Another person who wrote to the writer, as the writer reports. */
const TO_ME =
  /(?<!\p{L})(?:(?:wrote|writes) (?:to )?(?:me|us)|schrieb (?:mir|uns)|(?:m'|nous )(?:a )?ecrit|(?:me|nos) escrib\p{L}+|(?:mi|ci) (?:ha )?scri\p{L}+|schreef (?:mij|me|ons)|(?:me|nos) escreveu|skrev till? (?:mig|meg|oss|os)|napisal\p{L}? (?:do )?(?:mnie|mi|nam)|(?:mi|nam) napsal\p{L}?)(?!\p{L})/u

/** A name with a date and a time behind it: "Jo Doe (24 Nov 2026, 09:00):". */
const STAMPED_NAME = /^\p{Lu}[^()]{0,80}\([^()]{0,60}\d[^()]{0,60}\) ?[:：]$/u

const endsWithColon = (text: string): boolean => /[:：]$/.test(text)

/** Whether the whole of it is such a mark. `isQuotedBelow`: quoted lines follow. */
const isMark = (text: string, isQuotedBelow: boolean): boolean => {
  if (text.length > MARK_CHARS_MAX) return false
  const plain = inOurDigits(text.replace(/^[*_\s]+|[*_\s]+$/gu, ""))
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
  if ((BY_PRONOUN.test(said) || TO_ME.test(said)) && !isYours) return false
  if (isStamped || (ends && QUOTING.test(said) && (hasAddress || isQuotedBelow))) return true
  if (beginsAsDate && (hasDate || hasAddress)) {
    if (hasVerb && (ends || verbEnds)) return true
    if (WITHOUT_COLON.test(said) && FULL_DATE.test(said) && TIME.test(said) && (hasAddress || NAME_ENDS.test(plain)))
      return true
    if (hasAddress && (ends || (isQuotedBelow && /[>)\]]$/.test(plain)))) return true
    return ends && hasDate && isQuotedBelow
  }
  if (SENTENCE_END.test(plain)) return false
  // In a language whose verb no list has.
  if (isQuotedBelow && ends && NAME_BEGINS.test(plain) && FULL_DATE.test(said) && TIME.test(said)) {
    if (isNamed(plain.slice(0, FULL_DATE.exec(plain)?.index ?? 0).replace(/\d[\d. ]*$/u, ""))) return true
  }
  if (isQuotedBelow && STAMPED_NAME.test(plain) && FULL_DATE.test(plain) && TIME.test(plain)) return true
  const named = isNamed(plain.slice(0, (ADDRESS.exec(plain) ?? AT_VERB.exec(plain))?.index ?? 0))
  if (!named) return false
  if (ends && hasDate && ENCLOSED_ADDRESS.test(plain) && !/^\p{Ll}/u.test(plain)) return true
  // A name comes first: "Jo Doe <jo@acme.test> wrote:", "Jo Doe schrieb am 3. März 2026 um 9:12:".
  if (hasVerb && (ends || verbEnds) && hasAddress) return isBalanced(plain)
  if (hasVerb && ends && hasDate && (FULL_DATE.test(said) || isQuotedBelow))
    return plain.length <= 160 && /\p{Lu}\p{L}*/u.test(plain)
  if (hasVerb && ends && isQuotedBelow) return /^(?:\p{Lu}[\p{L}\p{M}.'’-]{0,30} ){1,4}/u.test(plain)
  return false
}

/** Words between the parts of names, and what a program may say of one. */
const OF_NAMES = new Set(
  "von vom van de la las los der den del della dei di da do das dos du le af av zu zur und and via at for from by bei für the of y e et i og och ja w v o u om op on am em kl klo".split(
    " "
  )
)

/** Whether what stands before an address or a verb may be a name: one that nobody wrote a sentence before. */
const isNamed = (before: string): boolean =>
  FULL_DATE.test(before) ||
  BY.test(folded(before)) ||
  before.split(/\s+/u).filter((word) => /^\p{Ll}/u.test(word) && !OF_NAMES.has(word)).length <= 1

const isBalanced = (text: string): boolean => {
  const open = text.indexOf("<")
  const close = text.indexOf(">")
  return close === -1 ? open === -1 : open !== -1 && open < close
}

/** Whether words on the line before a mark are a sentence of the writer's: a date's abbreviations and an address are none. */
const isSaid = (words: string, rest: string): boolean => {
  if (words.includes("@")) return false
  const count = words.match(/\p{L}[\p{L}\p{M}'’-]+/gu)?.length ?? 0
  if (/\d/.test(words)) {
    // A date's own abbreviation ends there, if what follows has no whole date.
    const numbers = rest.replace(ADDRESS, "").replace(TIME, "").match(/\d+/gu)?.length ?? 0
    const begins = folded(words)
    return (
      count >= 4 && numbers >= 2 && !/\d[.]\s*$/u.test(words) && !BEGINS_ON.test(begins) && !BEGINS_DATE.test(begins)
    )
  }
  if (count >= 3 || /[!?。！？]["'”»)]?\s*$/u.test(words)) return true
  const said = folded(rest.slice(0, 80))
  return /^\p{Lu}/u.test(words) && /^\p{L}/u.test(said) && (BEGINS_ON.test(said) || BEGINS_DATE.test(said))
}

/** A word that may be the first of a mark with a date. */
const MAY_BEGIN = /(?<=\S\s)(?=\p{Lu}\S{0,12}\s(?:[\p{L}-]{1,14}[.,]{0,2} ){0,3}[(]?\p{Nd})/gu

/** Most places on a line that are looked at. */
const INLINE_MAX = 8

/** Where a mark begins behind words that nothing ends: "Sounds good On Tue, Nov 24, 2026 Jo Doe <jo@acme.test> wrote:". */
const inlineBeginning = (joined: string, isQuotedBelow: boolean): number => {
  for (const { index } of [...joined.matchAll(MAY_BEGIN)].slice(-INLINE_MAX).reverse()) {
    const rest = joined.slice(index)
    const said = folded(rest.slice(0, 80))
    if (/^\p{L}\s$/u.test(joined.slice(0, index))) continue
    if (BEGINS_ON.test(said) && FULL_DATE.test(said) && TIME.test(said) && isMark(rest, isQuotedBelow)) return index
  }
  return 0
}

/** Where in a line the mark begins: words of the writer may stand before it on the same line. */
const beginningIn = (joined: string, isQuotedBelow: boolean): number | null => {
  let found: number | null = null
  let said: number | null = null
  let byDate: number | null = null
  const ends = [...joined.matchAll(SENTENCE_ENDS)].map((match) => match.index + match[0].length)
  for (const [nth, at] of ends.entries()) {
    const from = ends[nth - 1] ?? 0
    const words = joined.slice(from, at)
    if (nth < ends.length - BEFORE_MAX) continue
    const rest = joined.slice(at)
    if (!isMark(rest, isQuotedBelow)) continue
    const begins = folded(rest.slice(0, 80))
    if (BEGINS_ON.test(begins) && /^\p{Lu}/u.test(rest)) found = at
    // A date's abbreviation may end there, of a mark that begins within these words.
    else if (isSaid(words, rest)) said = from + (inlineBeginning(joined.slice(from), isQuotedBelow) || words.length)
    else if (byDate === null && (BEGINS_ON.test(begins) || BEGINS_DATE.test(begins))) byDate = at
  }
  const place = found ?? said ?? 0
  const behind = place + inlineBeginning(joined.slice(place), isQuotedBelow)
  if (behind > 0) return behind
  return isMark(joined, isQuotedBelow) ? 0 : byDate
}

export interface Attribution {
  /** How many lines it has. */
  readonly lines: number
  /** The writer's own words before it, on its first line. */
  readonly before: string
}

/** Shorter lines are not wrapped, with the next word. */
const WRAPPED_CHARS_MIN = 50

/** Whether a line may be the first of a mark that goes on with `rest`, which would be one by itself. */
const opens = (line: string, rest: string): boolean => {
  const said = folded(line)
  if (line.length > LINE_CHARS_MAX || /[.!?:]$/.test(line.replace(/\.$/, "x"))) return false
  // A date's abbreviation ends with a full stop too; then what follows has no whole date, and no name first.
  if (line.endsWith(".") && WHOLE_BEGINS.test(rest)) return false
  if (
    ((BEGINS_ON.test(said) || BEGINS_DATE.test(said)) && FULL_DATE.test(said) && !SENTENCE_END.test(line)) ||
    BEGINS_ON_WORD.test(said) ||
    BY.test(said) ||
    (ENCLOSED_ADDRESS.test(line) && (VERB.test(said) || VERB_BEGINS.test(folded(rest))))
  )
    return true
  const isDated = STAMP.test(said) && FULL_DATE.test(said) && TIME.test(said)
  if (isDated && SECONDS.test(said)) return true
  if (line.length + 1 + (rest.split(" ", 1)[0] ?? "").length < WRAPPED_CHARS_MIN) return false
  if (isDated && NAME_ENDS.test(line) && /^[<(]/.test(rest)) return true
  return NAME_WITH_ADDRESS.test(line) && !NAME.test(rest) && !ADDRESS.test(rest)
}

const trimmed = (lines: ReadonlyArray<string>, from: number, to: number): string =>
  lines
    .slice(from, to)
    .map((line) => line.trim())
    .join(" ")

const mayEnd = (line: string): boolean => {
  const bare = line.replace(/[-–—=*_\s]+$/u, "")
  return /[:：>)\]]$/.test(bare) || VERB_AT_END.test(folded(bare.slice(-40))) || WITHOUT_COLON.test(folded(bare))
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
    // A sentence that wraps goes on in the next line.
    if (WITHOUT_COLON.test(folded(line)) && !quoted && (lines[at + count]?.trim() ?? "") !== "") continue
    const inner = unframed(joined)
    if (inner !== null && inner.length <= MARK_CHARS_MAX && VERB_AT_END.test(folded(inner.replace(/ ?[:：]$/u, "")))) {
      return { lines: count, before: "" }
    }
    const whole = inner ?? joined
    const begins = beginningIn(whole, quoted)
    if (begins === null) continue
    if (count > 1) {
      // Fewer lines are enough: the mark begins further down.
      for (let skipped = 1; skipped < count; skipped++) {
        const [above, below] = [trimmed(lines, at, at + skipped), trimmed(lines, at + skipped, at + count)]
        if (beginningIn(unframed(below) ?? below, quoted) === null) continue
        if (BEGINS_ON.test(folded(below)) && FULL_DATE.test(below)) return null
        if (!opens(above.slice(begins), below)) return null
      }
      if (begins >= first.length) return null
    }
    return { lines: count, before: whole.slice(0, begins).trim() }
  }
  return null
}
