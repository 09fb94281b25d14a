/**
 * Notices of helpdesks and trackers that no field of the header marks: what became of a request, a survey about it, the sheet
 * of its fields, and an address that nobody reads. Each is known by its shape and by having no word of anybody's own.
 */
import { answerIn, isOfMyself, ownOf, withoutOurs } from "./receipts.js"
import type { MailContent, MailHead } from "../mail/mail.js"
import { plainText } from "../meaning/plainText.js"
import { asks } from "./absence.js"
import { DESK_LANGUAGES, type DeskLanguage } from "./deskWords.js"

const SUBJECT_CHARS_MAX = 300
const HTML_CHARS_MAX = 20_000
const CHARS_MAX = 3_000
const CLAUSES_MAX = 60

const LINK = /https?:\/\/[^\s"'<>)\]]+/gi
const ADDRESS = /[^\s@<>]+@[^\s@<>]+/g

/** What a desk writes for itself: rules, numbers in brackets, marks of a case. */
const MARKS = /^[\s=_*~#—–-]+$|[([]\s?[\w#.:-]*\d[\w-]*\s?[)\]]|\bref:\S+/gimu

const ENDS = /[.!?;:,…()[\]"“”«»？。]+|\s[–—|-]\s|\n+/u

const clausesOf = (own: string): ReadonlyArray<string> =>
  own
    .replace(LINK, "\n")
    .replace(ADDRESS, " ")
    .replace(MARKS, " ")
    .split(ENDS)
    .map((clause) => clause.trim())
    .filter((clause) => /\p{L}/u.test(clause))

/** Folded, without what has a digit. */
const wordsOf = (clause: string): ReadonlyArray<string> =>
  plainText(clause)
    .split(/[^\p{L}\p{N}'-]+/u)
    .map((word) => word.replace(/^[-']+|[-']+$/g, ""))
    .filter((word) => word !== "" && !/\d/.test(word))

const has = (words: ReadonlyArray<string>, pattern: RegExp): boolean => words.some((word) => pattern.test(word))
const all = (words: ReadonlyArray<string>, pattern: RegExp): boolean => words.every((word) => pattern.test(word))

/** A name as it is written: in capitals alone it may be a shout. */
const NAME = /^\p{Lu}[\p{L}\p{M}'’.-]*\p{Ll}[\p{L}'’.-]*$/u

const isNamed = (clause: string, pattern: RegExp): boolean =>
  clause.split(/\s+/).every((word) => NAME.test(word) || all(wordsOf(word), pattern))

/** Most words of a greeting and of a signature. */
const NAMED_WORDS_MAX = 6

/** Whether a clause greets, or signs: the only ones that may name somebody. */
const isAround = (clauses: ReadonlyArray<string>, at: number, of: DeskLanguage): boolean => {
  const clause = clauses[at] ?? ""
  const words = wordsOf(clause)
  if (words.length > NAMED_WORDS_MAX) return false
  if (at === 0 && of.greeting.test(words[0] ?? ""))
    return clause.split(/\s+/).every((word) => isNamed(word, of.greeting) || isNamed(word, of.plain))
  if (at < clauses.length - 2) return false
  const isSigned = has(words, of.team) || has(wordsOf(clauses[at - 1] ?? ""), of.regards)
  return isSigned && isNamed(clause, of.plain)
}

/** Without the names within it. */
const unnamed = (clause: string): string =>
  clause
    .split(/\s+/)
    .filter((word, at) => at === 0 || !NAME.test(word))
    .join(" ")

/** Whether every clause is made of these words of one language. A denial is only ever of an answer, or of an address. */
const isMadeOf = (
  clauses: ReadonlyArray<string>,
  of: DeskLanguage,
  kind: "plain" | "asked" | "told",
  mayName = false
): boolean =>
  clauses.length <= CLAUSES_MAX &&
  clauses.every((clause, at) => {
    const words = wordsOf(mayName ? unnamed(clause) : clause)
    const isDenial = kind !== "asked" && has(words, of.no) && !has(words, of.answer) && !has(words, of.unread)
    const isOffer = of.offer.test(words[0] ?? "") && all(words, of.offered)
    return isAround(clauses, at, of) || isOffer || (!isDenial && all(words, of[kind]))
  })

/** Numbers of a request: of three digits or more, and no year. */
const NUMBERS = /(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{3,}/g

/** A number as desks mark it: "[Desk 4711]", "#4711", "INC0004711"; and as trackers do: "HELP-12". */
const MARKED = /[[(][^\])]{0,40}?(\d{3,})\s?[\])]|#\s?(\d{3,})|\b[A-Z]{2,5}(\d{5,})\b|\b[A-Z][A-Z\d]{1,9}-(\d{2,})\b/g

/** The numbers that a desk puts into the subject, or that stand there and in the text, or behind a "#" or in brackets in the text. */
const numbersOf = ({ subject }: MailHead, text: string): ReadonlyArray<string> => {
  const line = subject.slice(0, SUBJECT_CHARS_MAX)
  const marked = [...line.matchAll(MARKED)].flatMap((found) => found.slice(1).flatMap((number) => number ?? []))
  const repeated = (line.match(NUMBERS) ?? []).filter((number) => text.includes(number.replace(/^0+/, "")))
  const within = [...text.matchAll(/[(#]\s?#?(\d{3,})\b/g)].flatMap(([, number]) => number?.match(NUMBERS) ?? [])
  return [...marked, ...repeated, ...within].map((number) => number.replace(/^0+/, ""))
}

/** Whether nobody asks in it, or speaks of themselves. */
const isNobodys = (own: string): boolean => !asks(own) && !isOfMyself(own)

/** A number of hours or days. */
const TIME = /(?<!\d)\d{1,2}(?!\d)/

/** What people who close a request by hand do not add: its number, when, that it goes by itself, and an offer. */
const isByProgram = (
  own: string,
  numbers: ReadonlyArray<string>,
  clauses: ReadonlyArray<string>,
  of: DeskLanguage
): boolean =>
  numbers.some((number) => own.includes(number)) ||
  TIME.test(own) ||
  clauses.some((clause) => {
    const words = wordsOf(clause)
    return has(words, of.program) || (of.offer.test(words[0] ?? "") && all(words, of.offered))
  })

const PLEASE = /^(?:please|kindly|bitte)$/

/** "For us", "by us": a desk closes nothing for itself. */
const FOR_US =
  /(?<!\p{L})(?:(?:for|by) (?:us|me)|(?:fur|von|bei) (?:uns|mich|mir)|(?:voor|door) ons|(?:pour|par) nous|(?:para|por) (?:nosotros|nos)|(?:per|da) noi|(?:for|av|fra) os{1,2}|(?:dla|przez) nas|pro nas|для нас|нами)(?!\p{L})/u

/** "Case closed" and "Close ticket 4711" are said by people: a desk writes whole sentences. */
const BECAME_WORDS_MIN = 4

/** Whether a clause says what became of a request, as a desk does: of the request, and neither asked for nor for somebody. */
const saysBecame = (clause: string, before: string, of: DeskLanguage): boolean => {
  const words = wordsOf(clause)
  const at = words.findIndex((word) => of.became.test(word))
  // "Your ticket (Hello) was closed" is two clauses.
  const whole = has(words, of.request) ? words : [...wordsOf(before), ...words]
  return (
    at > 0 &&
    whole.length >= BECAME_WORDS_MIN &&
    has(whole, of.request) &&
    !PLEASE.test(words[at - 1] ?? "") &&
    !FOR_US.test(words.join(" "))
  )
}

/** A request was closed, resolved, merged, or given to somebody; or will be, if nobody answers. */
const isNotice = (mail: MailContent, own: string, clauses: ReadonlyArray<string>): boolean => {
  const numbers = numbersOf(mail, mail.text)
  return (
    numbers.length > 0 &&
    isNobodys(own) &&
    DESK_LANGUAGES.some(
      (of) =>
        clauses.some((clause, at) => saysBecame(clause, clauses[at - 1] ?? "", of)) &&
        isByProgram(own, numbers, clauses, of) &&
        isMadeOf(clauses, of, "plain")
    ) &&
    answerIn(own) === null
  )
}

/** Where a survey is answered. */
const SURVEY_LINK = /survey|csat|satisfaction|rating|feedback/i

const linksOf = ({ html, text }: MailContent): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(LINK), ...(html ?? "").slice(0, HTML_CHARS_MAX).matchAll(LINK)].map(([link]) => link))
]

/** An answer of a survey, with its link: "Not satisfied: https://…" */
const ANSWER_LINE = /^.*https?:\S.*$/gimu

/** How many links differ in their last part alone, as the answers of a scale do. */
const scaleOf = (links: ReadonlyArray<string>): number => {
  const stems = links.map((link) => link.replace(/[/=][^/=]*$/, ""))
  return Math.max(0, ...stems.map((stem) => stems.filter((other) => other === stem).length))
}

/** So many answers are a scale that nobody types. */
const STEPS_MIN = 4

/** Whether a survey is all of it, and not below an answer: first it says what became of a request, or asks. */
const isFirst = (clauses: ReadonlyArray<string>, of: DeskLanguage): boolean => {
  const first = clauses.findIndex((clause, at) => !isAround(clauses, at, of) && !has(wordsOf(clause), of.request))
  const asked = clauses.findIndex((clause) => has(wordsOf(clause), of.question))
  return asked >= 0 && (first < 0 || asked <= first)
}

/** "How would you rate the support you received?", with a link for each answer. */
const isSurvey = (mail: MailContent, clauses: ReadonlyArray<string>): boolean => {
  const links = linksOf(mail)
  const steps = scaleOf(links)
  const isAsked = steps >= 2 || (links.some((link) => SURVEY_LINK.test(link)) && numbersOf(mail, "").length > 0)
  return (
    isAsked &&
    DESK_LANGUAGES.some((of) => isFirst(clauses, of) && isMadeOf(clauses, of, "asked", steps >= STEPS_MIN)) &&
    answerIn(ownOf(mail).replace(ANSWER_LINE, "")) === null
  )
}

/** "Label: value", short as the fields of a tracker are. */
const FIELD = /^[\s*|>-]*[^\s:：][^:：]{0,38}[:：](?:\s+\S.{0,58}|\s*)$/u
const RULE = /^[\s=_*~-]{4,}$/
const FIELDS_MIN = 3
const TITLE_CHARS_MAX = 120

/**
 * The sheet of a tracker, in any language: the fields of a request below one line that says what happened, which names the
 * request's number, or has the request's link below it between rules. What a person adds is a second line.
 */
const isSheet = (mail: MailContent, own: string): boolean => {
  const lines = own.split("\n").filter((line) => line.trim() !== "")
  const numbers = numbersOf(mail, "")
  const names = (line: string) => numbers.some((number) => line.includes(number))
  const isLink = (line: string) => /^\s*https?:\S+\s*$/i.test(line)
  const isPart = (line: string) => RULE.test(line) || isLink(line)
  const isField = (line: string) => FIELD.test(line) && !/[.!?]\s*$/.test(line)
  const [title = "", above = "", link = "", below = ""] = lines
  const isBoxed = RULE.test(above) && isLink(link) && names(link) && RULE.test(below)
  const fields = lines.slice(1).filter((line) => isField(line) && !isPart(line) && !names(line))
  return (
    fields.length >= FIELDS_MIN &&
    lines.slice(1).every((line) => isPart(line) || isField(line)) &&
    lines.slice(1).some((line) => isPart(line)) &&
    title.length <= TITLE_CHARS_MAX &&
    lines.filter(names).length >= 2 &&
    (names(title) || isBoxed) &&
    isNobodys(own) &&
    answerIn(own) === null
  )
}

/** Whether it says no more than what became of a request, or asks how it was answered. */
export const isDeskNotice = (mail: MailContent): boolean => {
  // "Reply above this line" may be its first.
  const below = ownOf(mail)
  const own = /\p{L}/u.test(below) ? below : mail.text.slice(0, CHARS_MAX)
  const clauses = clausesOf(withoutOurs(own, mail))
  return isNotice(mail, own, clauses) || isSurvey(mail, clauses) || isSheet(mail, own)
}

/** Whether a program says, and nothing else, that nobody reads the address any more, or never did. */
export const isUnreadAddress = (mail: MailContent): boolean => {
  const own = ownOf(mail)
  const clauses = clausesOf(own)
  return (
    isNobodys(own) &&
    DESK_LANGUAGES.some(
      (of) =>
        clauses.some((clause) => has(wordsOf(clause), of.program)) &&
        clauses.some((clause) => has(wordsOf(clause), of.address) && has(wordsOf(clause), of.unread)) &&
        isMadeOf(clauses, of, "told")
    ) &&
    answerIn(own) === null
  )
}
