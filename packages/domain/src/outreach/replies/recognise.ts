import { markedIds, OLD_ID, proofsIn } from "../mail/mailMark.js"
import {
  type Bounce,
  gaveUp,
  isNotification,
  noticeOf,
  notified,
  plainReport,
  quotesMessage,
  REPORT_SUBJECT,
  reportedBounce
} from "./notifications.js"
import {
  addressIn,
  fieldsOf,
  type MailContent,
  type MailHead,
  type MailHeader,
  type MailPart,
  valueOf,
  valuesOf
} from "../mail/mail.js"
import { ANSWER_SUBJECT } from "./answerSubject.js"
import { type Feedback, feedbackOf, hasComplaintSubject, isOptOut, isReturned } from "./feedback.js"
import { idsIn, ourIdsOf } from "./messageIds.js"
import { type Automatic, programOf } from "./programs.js"
import { isChallenge, isOfSomebody } from "./receipts.js"
import { rejectionOf } from "./rejections.js"

/**
 * What a message is.
 *
 * - `bounce`: a message of ours was not delivered (RFC 3464, or a mail server's own text). `isDelay`: not yet; the
 *   server is still trying, so nothing has failed.
 * - `complaint`: a message of ours was reported (RFC 5965). `feedback` says whether its recipient objects.
 * - `opt_out`: a recipient's mail program asks for them, from their address, that we send no more.
 * - `automatic`: a program wrote it. `answers`: on behalf of a recipient.
 * - `reply`: a person wrote it, as far as we can tell.
 */
export type Recognised =
  | { readonly kind: "bounce"; readonly bounce: Bounce; readonly recipient: string | null; readonly isDelay: boolean }
  | { readonly kind: "complaint"; readonly feedback: Feedback; readonly recipient: string | null }
  | { readonly kind: "opt_out" }
  | Automatic
  | { readonly kind: "reply" }

/** Most ids that we read from a message: `References` has no limit. */
const IDS_MAX = 50

/** Longest field that we search for ids. */
const ID_FIELD_CHARS_MAX = 20_000

/** A report's media type and `report-type`. */
const reportTypeOf = (headers: ReadonlyArray<MailHeader>): string | null => {
  const type = valueOf(headers, "content-type").slice(0, 1000).toLowerCase()
  if (!type.startsWith("multipart/report")) return null
  return /report-type\s*=\s*"?([a-z-]+)/.exec(type)?.[1] ?? ""
}

/** Mail from mail systems: it has no sender to answer, or comes from their administrators. */
const isFromSystem = (head: MailHead): boolean => hasNoReturnPath(head) || isFromDaemon(head)

/** Local parts that only mail systems use. Some write their address into it. */
const DAEMON =
  /^(?:mailer-?daemon|mail-?daemon|mdaemon|post_?master|double-bounce|mail\.delivery\.(?:sub)?system|mail-delivery-(?:sub)?system)(?:\\?@|$)/i

/** Those behind which there is never a person. At others an administrator may write. */
const MAILER =
  /^(?:mailer-?daemon|mail-?daemon|double-bounce|mail\.delivery\.(?:sub)?system|mail-delivery-(?:sub)?system)(?:\\?@|$)/i

const hasNoReturnPath = ({ headers }: MailHead): boolean => /^<\s*>$/.test(valueOf(headers, "return-path"))

/** Whether a mail system wrote it, in whatever words, that no report is known by. */
const isOfSystem = (mail: MailContent): boolean =>
  MAILER.test(mail.fromEmail ?? "") || (hasNoReturnPath(mail) && isFromDaemon(mail) && !isOfSomebody(mail))

const isFromDaemon = ({ fromEmail, headers }: MailHead): boolean => {
  const from = valueOf(headers, "from").slice(0, FROM_CHARS_MAX)
  return (
    DAEMON.test(fromEmail ?? "") ||
    DAEMON.test(from.trim()) ||
    /^(?:"?mailer[- ]daemon\b|"?post_?master"?\s*<|[^@<]{0,60}\bmail delivery (?:sub)?system\b)/i.test(from) ||
    /<\s*(?:mailer-daemon)?\s*>\s*$/i.test(from)
  )
}

/** How much of a From field we look at. */
const FROM_CHARS_MAX = 1_000

/** Whether its subject is that of a report. A person's "Re:", or an answer in a thread, is not. */
const hasReportSubject = ({ headers, subject }: MailHead): boolean =>
  valueOf(headers, "in-reply-to") === "" &&
  (REPORT_SUBJECT.test(subject.slice(0, 300)) || FAILED_AT_END.test(subject.slice(-100)))

/** Some servers put what became of a message behind its subject. */
const FAILED_AT_END = /\((?:delivery fail(?:ed|ure)|undeliverable|not delivered|returned)\)\s*$/i

/** The headers of the reported message, and those that a plain report quotes. */
const reportedHeaders = (mail: MailContent): ReadonlyArray<MailHeader> => {
  const blocks = mail.parts.filter(isReturned).map(({ text }) => text.split(/\r?\n\r?\n/, 1)[0] ?? "")
  // Some notices indent what they quote. Lines that continue a field then look like fields of their own, so both are read.
  const quoted = isFromSystem(mail) ? [mail.text, mail.text.replace(/^[ \t>|]+/gm, "")] : []
  return [...blocks, ...quoted].flatMap(fieldsOf)
}

/** The ids of the thread that a message continues, best first: what it answers, then the newest before. */
export const threadOf = (headers: ReadonlyArray<MailHeader>): ReadonlyArray<string> => [
  ...valuesOf(headers, "in-reply-to").flatMap(idsIn),
  ...valuesOf(headers, "references").flatMap(idsIn).toReversed()
]

/** The message ids in marks, under the name that the workspace's mail has for them, and under that of former times. */
const idsMarked = (headers: ReadonlyArray<MailHeader>, header: string): ReadonlyArray<string> => [
  ...markedIds(headers, header),
  ...ourIdsOf(valuesOf(headers, OLD_ID).flatMap(idsIn))
]

/**
 * Ids of messages that a message refers to, best first: what it answers, its thread from the newest on, then what a
 * report quotes. The store knows which are ours. `header`: the name of the workspace's marks (`markHeader`).
 */
export const namedMessages = (mail: MailContent, header: string): ReadonlyArray<string> => {
  const reported = reportedHeaders(mail)
  const named = [
    ...ourIdsOf(threadOf(mail.headers)),
    ...idsMarked(mail.headers, header),
    ...ourIdsOf(valuesOf(reported, "message-id").flatMap(idsIn)),
    ...idsMarked(reported, header),
    ...ourIdsOf(valuesOf(reported, "references").flatMap(idsIn).toReversed())
  ]
  return [...new Set(named)].slice(0, IDS_MAX)
}

/** What a report quotes as proof that it is about a message of ours (`proofOf`). */
export const quotedProofs = (mail: MailContent, header: string): ReadonlyArray<string> =>
  proofsIn(reportedHeaders(mail), header)

/**
 * Whether the receiving server says that the sender is not who the message claims (RFC 8601). Only its newest field
 * counts. Who forges a sender gains nothing from a field that denies it, so it needs no trust.
 */
export const isDenied = ({ headers }: MailHead): boolean => {
  const says = valueOf(headers, "authentication-results").slice(0, ID_FIELD_CHARS_MAX).toLowerCase()
  if (/\bdmarc\s*=\s*fail\b/.test(says)) return true
  return /\bspf\s*=\s*(?:fail|softfail)\b/.test(says) && !/\b(?:dkim|dmarc)\s*=\s*pass\b/.test(says)
}

/** Beginnings of the subjects of what is passed on, as mail programs write them. */
const FORWARDED = /^\s*(?:\[[^\]]{1,40}\]\s*)?(?:fwd?|wg|tr|rv|i|enc|doorst|vb|vs|vl|pd|転送|转发|轉寄|전달)\s*[:：]/iu

/** Whether it passes on what somebody else wrote. */
export const isPassedOn = ({ subject }: MailHead): boolean => FORWARDED.test(subject.slice(0, 300))

/** Whether it continues some thread, ours or another's: some clients keep the subject alone, also of what was passed on. */
export const continuesThread = (head: MailHead): boolean =>
  threadOf(head.headers).length > 0 || ANSWER_SUBJECT.test(head.subject.slice(0, 300)) || isPassedOn(head)

/** Fields that name who wrote a mail that a list or a helpdesk sends on under its own address. */
const WRITERS = ["reply-to", "x-original-from", "x-original-sender", "sender"] as const

/** The addresses of who may have written it, the likeliest first. */
export const writersOf = ({ fromEmail, headers }: MailHead): ReadonlyArray<string> => {
  const others = WRITERS.flatMap((name) => addressIn(valueOf(headers, name)) ?? [])
  return [...new Set([...(fromEmail === null ? [] : [fromEmail]), ...others])]
}

/** The id of our message that a copy in the folder of sent mail is of, whatever id the server gave it; null: none. */
export const sentMessageOf = ({ headers }: MailHead, header: string): string | null =>
  idsMarked(headers, header)[0] ?? null

/** Whether it answers a message of ours by its thread. */
export const answersUs = (headers: ReadonlyArray<MailHeader>): boolean => ourIdsOf(threadOf(headers)).length > 0

const isStatus = ({ type }: MailPart): boolean =>
  type === "message/delivery-status" || type === "message/global-delivery-status"

const deliveryReport = (mail: MailContent): Recognised | null => {
  const parts = mail.parts.filter(isStatus)
  const notice = noticeOf(mail.text)
  // Only a report's own part counts: anyone may attach one.
  const isOwn = mayBeReport(mail) || gaveUp(mail.subject) || (gaveUp(notice) && returnsOurs(mail))
  if (parts.length === 0 || !isOwn) return null
  // Some servers write their notice into a part of this type, and the fields into a second one.
  const found = reportedBounce(parts.map(({ text }) => text).join("\n\n"), notice)
  return found === null ? { kind: "automatic", answers: false } : { kind: "bounce", ...found }
}

/** Whether a message returns one of ours, as a report does. */
const returnsOurs = ({ parts }: MailContent): boolean => parts.some(isReturned)

/** A report that a person forwards. It may be anybody's words, so it never proves that an address doesn't exist. */
const forwarded = (mail: MailContent): Recognised | null => {
  const subject = /^\s*(?:fwd?|wg|tr|rv|i|enc|doorst|vb|vs)\s*:\s*(.*)$/i.exec(mail.subject.slice(0, 300))?.[1]
  if (subject === undefined || !REPORT_SUBJECT.test(subject)) return null
  const found = plainReport({ ...mail, subject, text: mail.text.replace(/^(?:> ?)+/gm, "") }, true)
  return found === null ? null : { kind: "bounce", ...found, bounce: { ...found.bounce, type: "soft" } }
}

/** Whether it says nothing that we act on: a delay, or a server's report that no person made. */
export const isForTheRecord = (recognised: Recognised): boolean =>
  (recognised.kind === "bounce" && recognised.isDelay) ||
  (recognised.kind === "complaint" && recognised.feedback === "failed_check")

/** Whether parts other than the text may matter. Such a message is read completely. */
export const mayBeReport = (head: MailHead): boolean =>
  reportTypeOf(head.headers) !== null ||
  isFromSystem(head) ||
  hasReportSubject(head) ||
  hasComplaintSubject(head) ||
  isNotification(head) ||
  valueOf(head.headers, "x-failed-recipients") !== ""

/** Senders that no person is. */
const ROBOT =
  /^(?:robot|mailer|mail-?(?:robot|admin|system|gateway)|mta|smtp|bounces?|returned?-?mail|no-?reply|do-?not-?reply)\b/i

const isFromRobot = ({ fromEmail }: MailHead): boolean => ROBOT.test(fromEmail ?? "")

const plain = (mail: MailContent, program: Automatic | null): Recognised | null => {
  const isNamed = valueOf(mail.headers, "x-failed-recipients") !== ""
  const isTold = returnsOurs(mail) || gaveUp(noticeOf(mail.text))
  // An automatic reply for a person, and some people's own mail, also have no sender to answer.
  const isNotice =
    program?.answers !== true && isFromSystem(mail) && (hasReportSubject(mail) || quotesMessage(mail.text))
  const isProven = isFromDaemon(mail) || isNamed || isNotice
  const isReport = isProven || (isTold && (hasReportSubject(mail) || isFromRobot(mail)))
  if (!isReport) return forwarded(mail)
  const isReturned = MAILER.test(mail.fromEmail ?? "") && (returnsOurs(mail) || quotesMessage(mail.text))
  const found = plainReport(mail, isProven, isReturned)
  if (found === null) return null
  // A person may write of parcels that were not delivered. A server says to whom it could not, or returns what.
  const isAboutMail = found.recipient !== null || returnsOurs(mail) || quotesMessage(mail.text)
  return isProven || isFromRobot(mail) || isAboutMail ? { kind: "bounce", ...found } : null
}

/**
 * Whether somebody invites us to a meeting, or answers an invitation (RFC 5546). Their calendar writes it, and says so; they have
 * pressed its button.
 */
export const isInvitation = ({ parts }: MailContent): boolean =>
  parts.some(({ text, type }) => type === "text/calendar" && /^METHOD:\s*(?:REQUEST|REPLY|COUNTER)\s*$/im.test(text))

export const recognise = (mail: MailContent): Recognised => {
  const found = feedbackOf(mail) ?? notified(mail) ?? rejectionOf(mail) ?? deliveryReport(mail)
  // A challenge comes as a report that its message waits. Nothing has failed.
  const isOpen = found?.kind === "bounce" && found.bounce.type === "soft"
  if (isOpen && isChallenge(mail)) return { kind: "automatic", answers: false }
  if (found !== null) return found
  if (isOptOut(mail)) return { kind: "opt_out" }
  if (isInvitation(mail)) return { kind: "reply" }
  const program = programOf(mail)
  const isProgram = program === null && isOfSystem(mail)
  return plain(mail, program) ?? program ?? (isProgram ? { kind: "automatic", answers: false } : { kind: "reply" })
}
