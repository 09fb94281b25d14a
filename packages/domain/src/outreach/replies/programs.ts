/**
 * Whether a person wrote a mail, or a program. Every answer of a person stops their mail, so only evidence that nothing
 * else explains makes it a program's: people write through lists, helpdesks and servers that add all sorts of headers.
 */
import { type MailContent, type MailHead, valueOf, valuesOf } from "../mail/mail.js"
import { alsoAnswers, isAbsence, isAwaySubject, isOnlyCalledAway, mentionsAbsence } from "./absence.js"
import { ownText } from "../meaning/ownText.js"
import { ANSWER_SUBJECT } from "./answerSubject.js"
import { isDeskNotice, isUnreadAddress } from "./deskNotices.js"
import { answerIn, isReceipt } from "./receipts.js"

/** A program wrote it. `answers`: for a recipient who is away. */
export interface Automatic {
  readonly kind: "automatic"
  readonly answers: boolean
}

const AWAY: Automatic = { kind: "automatic", answers: true }
const OTHER: Automatic = { kind: "automatic", answers: false }

const saysSo = ({ headers }: MailHead, name: string, pattern: RegExp): boolean =>
  valuesOf(headers, name).some((value) => pattern.test(value))

/** Fields of autoresponders, older than RFC 3834. */
const AUTORESPONDERS = [
  "x-autoreply",
  "x-autorespond",
  "x-autoresponder",
  "x-autoreply-from",
  "x-vacation",
  "x-mail-autoreply"
]

/** Proof that a program answers for a person: nothing else writes it (RFC 3834 §5, and older conventions). */
const isAutoReply = (head: MailHead): boolean =>
  saysSo(head, "auto-submitted", /^auto-replied\b(?!\s*\(reject)/i) ||
  saysSo(head, "precedence", /^auto[_-]reply\b/i) ||
  AUTORESPONDERS.some((name) => saysSo(head, name, /^(?!no$)/i) && valueOf(head.headers, name) !== "")

const answersForSomeone = (head: MailHead): boolean => isAutoReply(head) || isAwaySubject(head.subject)

const isGenerated = (head: MailHead): boolean => saysSo(head, "auto-submitted", /^(?!no\b)/i)

const isFromList = (head: MailHead): boolean =>
  ["list-id", "list-unsubscribe", "list-post"].some((name) => valueOf(head.headers, name) !== "")

/** Mail for many: a list's or a newsletter's. */
const isForMany = (head: MailHead): boolean => saysSo(head, "precedence", /^(?:bulk|junk|list)\b/i) || isFromList(head)

/** Whether it belongs to a conversation: it names what it answers, or its subject says that it answers, and not a list. */
const isInConversation = (head: MailHead): boolean =>
  valueOf(head.headers, "in-reply-to") !== "" ||
  valueOf(head.headers, "references") !== "" ||
  (!isFromList(head) && ANSWER_SUBJECT.test(head.subject.slice(0, 300)))

/** "Word: our subject": a mark that Exchange puts before the subject in the language of its user. */
const MARK = /^\s*\p{L}[\p{L}\p{M}’' -]{2,40}[:：]\s*\S/u

/** Exchange answers in any language: it marks the subject, and asks that nobody's program answers. */
const isExchange = (head: MailHead): boolean =>
  isGenerated(head) &&
  /\b(?:all|oof)\b/i.test(valueOf(head.headers, "x-auto-response-suppress")) &&
  MARK.test(head.subject.slice(0, 300)) &&
  !ANSWER_SUBJECT.test(head.subject.slice(0, 300))

/** Whether its header alone proves that a program wrote it, and for whom; null: a person may have. */
export const automatic = (head: MailHead): Automatic | null => {
  if (answersForSomeone(head)) return AWAY
  if (isInConversation(head)) return isExchange(head) ? AWAY : null
  return isGenerated(head) || isForMany(head) ? OTHER : null
}

/** Whether it may hold a person's words whatever its header says: a newsletter does not. */
export const mayBeWritten = (head: MailHead): boolean => isInConversation(head) || !isForMany(head)

/** Whether a program wrote it, by its header and its words; null: a person did. */
export const programOf = (mail: MailContent): Automatic | null => {
  const byHead = automatic(mail)
  const own = ownText(mail.text)
  if (isReceipt(mail) || isDeskNotice(mail)) return OTHER
  if (isUnreadAddress(mail)) return AWAY
  if (byHead?.answers === true && !isAutoReply(mail) && !isGenerated(mail) && isOnlyCalledAway(mail, own)) return null
  const answer = answerIn(own)
  const isAway = mentionsAbsence(own)
  if (byHead?.answers === true) {
    // A helpdesk marks what its people write as its own answer too.
    const isMarkedAlone = saysSo(mail, "auto-submitted", /^auto-replied\s*$/i) && !isAwaySubject(mail.subject)
    const isAnswer = answer === "not_interested" || answer === "interested"
    return isMarkedAlone && isAnswer && !isAway ? null : byHead
  }
  if (isAbsence(mail) || (isGenerated(mail) && isAway && answer === null && !alsoAnswers(own))) return AWAY
  if (answer === null || !mayBeWritten(mail)) return byHead
  // A program that asks for people to be left alone is heard (`refuses`). What else answers is a person's.
  return answer === "unsubscribe" && isGenerated(mail) ? OTHER : null
}
