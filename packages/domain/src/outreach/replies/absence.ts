import type { MailHead } from "../mail/mail.js"
import {
  ANSWERS_TOO,
  AUTOMATIC,
  AWAY_ADDS,
  AWAY_SAID,
  AWAY_SUBJECT,
  folded,
  REPLY,
  SOMEBODY_AWAY
} from "./absencePhrases.js"
import { isBeside, saysNothingElse } from "./absenceClauses.js"
import { ANSWER_SUBJECT } from "./answerSubject.js"
import { classifyByRules } from "../meaning/classify.js"
import { separate } from "../meaning/ownText.js"
import { fold, type Phrases } from "../meaning/phrases.js"
import { plainText } from "../meaning/plainText.js"

const SUBJECT_CHARS_MAX = 300

const all = (phrases: Phrases): ReadonlyArray<string> => Object.values(phrases).flat()

const WORD_BEGINS = "(?<![\\p{L}\\p{N}])"
const WORD_ENDS = "(?![\\p{L}\\p{N}])"

/** A mark of a list or a gateway before the subject. */
const TAG = "^(?:[\\[(*][^\\])*]{1,40}[\\])*]+ ?)?"

/**
 * "Automatic reply", in one order or the other, at the beginning. Programs write it as one word, with a hyphen or as
 * two; some put the person's name before or after it.
 */
const MARKED = new RegExp(
  `${TAG}(?:auto ?:|(?:\\S{1,20} ){0,2}?(?:(?:${folded(AUTOMATIC)})[- ]?(?:${folded(REPLY)})|(?:${folded(REPLY)})[- ]?(?:${folded(AUTOMATIC)}))(?! to\\b)(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]))`,
  "u"
)
const AWAY_BEGINS = new RegExp(
  `${TAG}(?:${folded(all(AWAY_SUBJECT))})(?: ?(?:[:：;(\\[!.–-]|re:|$)|[ :]+(?:until|till|bis|jusqu|hasta|fino|tot|do|til|from|re)\\b)`,
  "u"
)
const AWAY_WITHIN = new RegExp(`${WORD_BEGINS}(?:${folded(SOMEBODY_AWAY)})${WORD_ENDS}`, "u")

/** What a subject says besides: that it is automatic, or that somebody is away. */
const isMarkedSubject = (subject: string): boolean => MARKED.test(fold(subject.slice(0, SUBJECT_CHARS_MAX)))

/** Something forwarded: as with an answer, its subject says nothing of the mail itself. */
const FORWARDED = /^(?:rv|tr|fw|fwd|wg)\s*[:：]/u

/** Whether a subject says that a program answers for somebody who is away. */
export const isAwaySubject = (subject: string): boolean => {
  const text = fold(subject.slice(0, SUBJECT_CHARS_MAX))
  if (ANSWER_SUBJECT.test(text) || FORWARDED.test(text)) return false
  return MARKED.test(text) || AWAY_BEGINS.test(text) || AWAY_WITHIN.test(text)
}

/** A long text says more than that somebody is away. */
const AWAY_CHARS_MAX = 1_200

/** People who are away say so first. */
const AWAY_WITHIN_CHARS = 260

const away = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}])(?:${folded(all(AWAY_SAID))})`,
  "u"
)
const adds = new RegExp(folded(all(AWAY_ADDS)), "u")
const answersToo = new RegExp(`${WORD_BEGINS}(?:${folded(ANSWERS_TOO)})`, "u")

/** Whether a text asks anything. */
export const asks = (text: string): boolean => /[?？؟\u037E]/u.test(text.replace(/https?:\S+/g, ""))

/** Whether a text says what only somebody does who answers. */
export const alsoAnswers = (own: string): boolean =>
  asks(own.slice(0, AWAY_CHARS_MAX)) || answersToo.test(plainText(own.slice(0, AWAY_CHARS_MAX)))

/**
 * Whether a subject alone says that somebody is away, and the text below says something else: "Holidays" may be what a person
 * writes about.
 */
export const isOnlyCalledAway = ({ subject }: MailHead, own: string): boolean => {
  // A colon and our subject behind it are a program's.
  if (own === "" || isMarkedSubject(subject) || /[:：]\s*\S/u.test(subject)) return false
  const text = plainText(own.slice(0, AWAY_CHARS_MAX))
  return !away.test(text) && !adds.test(text)
}

/** Whether a person's own words say that they are away, whatever else they say. */
export const mentionsAbsence = (own: string): boolean => away.test(plainText(own.slice(0, AWAY_CHARS_MAX)))

/**
 * Whether a text, without any header that says so, is what a mail program sends for somebody who is away: it begins so,
 * says until when or who answers meanwhile, quotes nothing, asks nothing, and says nothing else.
 */
export const isAbsence = (mail: MailHead & { readonly text: string }): boolean => {
  const { own, quoted } = separate(mail.text)
  if (quoted !== "" || own.length > AWAY_CHARS_MAX) return false
  // Some programs put their mark, and our subject, into the text.
  const isMarked = MARKED.test(fold(own.slice(0, SUBJECT_CHARS_MAX)))
  const said = isMarked ? own.slice(own.indexOf("\n") + 1) : own
  const text = plainText(said)
  const isAway = isMarked || (away.test(text.slice(0, AWAY_WITHIN_CHARS)) && (adds.test(text) || isBeside(text)))
  if (!isAway || alsoAnswers(said) || !saysNothingElse(mail, said, (clause) => away.test(clause))) return false
  const found = classifyByRules(own)?.classification
  // Who names somebody to contact uses words of interest.
  return found !== "unsubscribe" && found !== "not_interested"
}
