import { marksIn } from "../mail/mailMark.js"
import {
  type Bounce,
  gaveUp,
  isNotification,
  noticeOf,
  notified,
  plainReport,
  REPORT_SUBJECT,
  reportedBounce
} from "./notifications.js"
import {
  addressIn,
  fieldsOf,
  type MailContent,
  type MailHead,
  type MailHeader,
  valueOf,
  valuesOf
} from "../mail/mail.js"
import { idsIn, ourIdsOf } from "./messageIds.js"

/**
 * What a report about a message of ours says.
 *
 * - `abuse`: its recipient calls it unwanted.
 * - `opt_out`: its recipient wants no more.
 * - `failed_check`: a server found it badly authenticated (RFC 6591). No person objects.
 */
type Feedback = "abuse" | "opt_out" | "failed_check"

/** Feedback types (RFC 5965 §7.3, RFC 6591). Others, such as `not-spam`, are no objection. */
const TYPES: ReadonlyMap<string, Feedback> = new Map([
  ["abuse", "abuse"],
  ["fraud", "abuse"],
  ["virus", "abuse"],
  ["other", "abuse"],
  ["miscategorized", "abuse"],
  ["opt-out", "opt_out"],
  ["opt-out-list", "opt_out"],
  ["auth-failure", "failed_check"],
  ["dmarc", "failed_check"]
])

const firstAddress = (values: ReadonlyArray<string>): string | null =>
  values.map(addressIn).find((found) => found !== null) ?? null

/** Fields in which providers return to whom a reported message was delivered. */
const DELIVERED_TO = ["x-hmxmroriginalrecipient", "x-original-to", "delivered-to", "x-rcpt-to", "to"]

const isReturned = (type: string): boolean => type === "message/rfc822" || type === "text/rfc822-headers"

const returnedRecipient = (mail: MailContent): string | null => {
  const part = mail.parts.find(({ type }) => isReturned(type))
  if (part === undefined) return null
  const fields = fieldsOf(part.text.replace(/^\s+/, "").split(/\r?\n\r?\n/, 1)[0] ?? "")
  return firstAddress(DELIVERED_TO.flatMap((name) => valuesOf(fields, name)))
}

/** Subjects of providers that forward what their users report without RFC 5965. */
const COMPLAINT =
  /^\s*(?:complaint about message from|(?:abuse|spam) (?:report|complaint)\b|e-?mail feedback report for)/i

/** A complaint or another report about a message of ours; null: it is none. */
const feedbackOf = (
  mail: MailContent
):
  | { readonly kind: "complaint"; readonly feedback: Feedback; readonly recipient: string | null }
  | { readonly kind: "automatic"; readonly answers: false }
  | null => {
  const part = mail.parts.find(({ type }) => type === "message/feedback-report")
  const type = valueOf(mail.headers, "content-type").toLowerCase()
  if (part !== undefined && type.startsWith("multipart/report")) {
    const fields = fieldsOf(part.text)
    const feedback = TYPES.get(valueOf(fields, "feedback-type").toLowerCase())
    if (feedback === undefined) return { kind: "automatic", answers: false }
    const named = ["original-rcpt-to", "removal-recipient"].flatMap((name) => valuesOf(fields, name))
    return { kind: "complaint", feedback, recipient: firstAddress(named) }
  }
  if (COMPLAINT.test(mail.subject) && mail.parts.some((one) => isReturned(one.type))) {
    return { kind: "complaint", feedback: "abuse", recipient: returnedRecipient(mail) }
  }
  // A mail program unsubscribes for its user, from the user's own address.
  if (/^true$/i.test(valueOf(mail.headers, "x-apple-unsubscribe"))) {
    return { kind: "complaint", feedback: "opt_out", recipient: firstAddress([mail.fromEmail ?? ""]) }
  }
  return null
}

/**
 * What a message is, by its headers and machine-readable parts alone.
 *
 * - `bounce`: a message of ours was not delivered (RFC 3464, or a mail server's own text). `isDelay`: not yet; the
 *   server is still trying, so nothing has failed.
 * - `complaint`: a message of ours was reported (RFC 5965). `feedback` says whether its recipient objects.
 * - `automatic`: a program wrote it. `answers`: on behalf of a recipient.
 * - `reply`: a person wrote it, as far as headers tell.
 */
export type Recognised =
  | { readonly kind: "bounce"; readonly bounce: Bounce; readonly recipient: string | null; readonly isDelay: boolean }
  | { readonly kind: "complaint"; readonly feedback: Feedback; readonly recipient: string | null }
  | { readonly kind: "automatic"; readonly answers: boolean }
  | { readonly kind: "reply" }

/** Carries our message id in every message: reports return it even if a server replaced the `Message-ID`. */
export const MARKER_HEADER = "X-Outbound-Message-Id"
const MARKER = MARKER_HEADER.toLowerCase()

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
const isFromSystem = (head: MailHead): boolean =>
  /^<\s*>$/.test(valueOf(head.headers, "return-path")) || isFromDaemon(head)

/** Local parts that only mail systems use. */
const DAEMON =
  /^(?:mailer-?daemon|mail-?daemon|post_?master|double-bounce|mail\.delivery\.(?:sub)?system|mail-delivery-(?:sub)?system)(?:@|$)/i

const isFromDaemon = ({ fromEmail, headers }: MailHead): boolean => {
  const from = valueOf(headers, "from").slice(0, FROM_CHARS_MAX)
  return (
    DAEMON.test(fromEmail ?? "") ||
    DAEMON.test(from.trim()) ||
    /^(?:"?mailer[- ]daemon\b|[^@<]{0,60}\bmail delivery (?:sub)?system\b)/i.test(from) ||
    /<\s*(?:mailer-daemon)?\s*>\s*$/i.test(from)
  )
}

/** How much of a From field we look at. */
const FROM_CHARS_MAX = 1_000

/** Whether its subject is that of a report. A person's "Re:", or an answer in a thread, is not. */
const hasReportSubject = ({ headers, subject }: MailHead): boolean =>
  valueOf(headers, "in-reply-to") === "" && REPORT_SUBJECT.test(subject.slice(0, 300))

/** The headers of the reported message, and those that a plain report quotes. */
const reportedHeaders = (mail: MailContent): ReadonlyArray<MailHeader> => {
  const parts = mail.parts.filter(({ type }) => type === "message/rfc822" || type === "text/rfc822-headers")
  const blocks = parts.map(({ text }) => text.split(/\r?\n\r?\n/, 1)[0] ?? "")
  return [...blocks, ...(isFromSystem(mail) ? [mail.text] : [])].flatMap(fieldsOf)
}

/** The ids of the thread that a message continues, best first: what it answers, then the newest before. */
export const threadOf = (headers: ReadonlyArray<MailHeader>): ReadonlyArray<string> => [
  ...valuesOf(headers, "in-reply-to").flatMap(idsIn),
  ...valuesOf(headers, "references").flatMap(idsIn).toReversed()
]

/**
 * Ids of messages that a message refers to, best first: what it answers, its thread from the newest on, then what a
 * report quotes. The store knows which are ours.
 */
export const namedMessages = (mail: MailContent): ReadonlyArray<string> => {
  const reported = reportedHeaders(mail)
  const named = [
    ...threadOf(mail.headers),
    ...valuesOf(mail.headers, MARKER).flatMap(idsIn),
    ...valuesOf(reported, "message-id").flatMap(idsIn),
    ...valuesOf(reported, MARKER).flatMap(idsIn),
    ...valuesOf(reported, "references").flatMap(idsIn).toReversed()
  ]
  return [...new Set(ourIdsOf(named))].slice(0, IDS_MAX)
}

/** The marks that a report quotes (`markOf`). */
export const quotedMarks = (mail: MailContent): ReadonlyArray<string> => marksIn(reportedHeaders(mail))

/**
 * Whether the receiving server says that the sender is not who the message claims (RFC 8601). Only its newest field
 * counts. Who forges a sender gains nothing from a field that denies it, so it needs no trust.
 */
export const isDenied = ({ headers }: MailHead): boolean => {
  const says = valueOf(headers, "authentication-results").slice(0, ID_FIELD_CHARS_MAX).toLowerCase()
  if (/\bdmarc\s*=\s*fail\b/.test(says)) return true
  return /\bspf\s*=\s*(?:fail|softfail)\b/.test(says) && !/\b(?:dkim|dmarc)\s*=\s*pass\b/.test(says)
}

/** Subject prefixes of automatic replies. */
const AUTOMATIC_SUBJECT = new RegExp(
  `^\\s*(?:\\[[^\\]]{1,40}\\]\\s*)?(?:${[
    "auto(?:matic)?[- ]?(?:reply|response|answer)",
    "auto:",
    "out[- ]of[- ](?:the[- ])?office",
    "ooo:",
    "automatische antwort",
    "(?:abwesenheits(?:notiz|nachricht|assistent|meldung)|abwesenheit:|abwesend:)",
    "nicht im (?:b[üu]ro|haus):",
    "r[ée]ponse automatique",
    "(?:message|notification) d['’]absence",
    "absence du bureau",
    "respuesta autom[áa]tica",
    "fuera de (?:la )?oficina",
    "risposta automatica",
    "fuori (?:sede|ufficio):",
    "automatisch(?:e)? (?:antwoord|beantwoorden)",
    "(?:afwezigheid|afwezig:)",
    "resposta autom[áa]tica",
    "(?:ausente|ausencia|aus[êe]ncia):",
    "(?:autosvar|automatiskt svar|automatisk svar)",
    "fr[åa]nvaro",
    "automatyczna odpowied[źz]",
    "odpowied[źz] automatyczna",
    "automatick[áa] odpov[ěe][ďd]",
    "automaattinen vastaus",
    "автоматический ответ",
    "автоответ",
    "自动回复",
    "自動回覆",
    "自動(?:応答|返信)",
    "자동 ?(?:회신|응답)"
  ].join("|")})`,
  "iu"
)

/** Signs of an automatic reply on behalf of a person (RFC 3834 §5 and older conventions). */
const answersForSomeone = ({ headers, subject }: MailHead): boolean =>
  valuesOf(headers, "auto-submitted").some((value) => /^auto-replied\b/i.test(value)) ||
  valuesOf(headers, "precedence").some((value) => /^auto[_-]reply$/i.test(value)) ||
  ["x-autoreply", "x-autorespond", "x-autoresponder", "x-autoreply-from", "x-vacation"].some((name) =>
    valuesOf(headers, name).some((value) => !/^no$/i.test(value))
  ) ||
  AUTOMATIC_SUBJECT.test(subject.slice(0, 300))

const isGenerated = ({ headers }: MailHead): boolean =>
  valuesOf(headers, "auto-submitted").some((value) => !/^no\b/i.test(value)) ||
  valuesOf(headers, "precedence").some((value) => /^(?:bulk|junk)$/i.test(value)) ||
  valueOf(headers, "x-auto-response-suppress") !== "" ||
  valuesOf(headers, "feedback-id").length > 0

/** Mail that a list forwards to its members. A person wrote an answer that comes through a list. */
const isFromList = ({ headers }: MailHead): boolean =>
  valuesOf(headers, "precedence").some((value) => /^list$/i.test(value)) ||
  headers.some(({ name }) => name === "list-id" || name === "list-unsubscribe" || name === "list-post")

/** Beginnings of the subjects of answers, in the languages of the usual mail programs. */
const ANSWER_SUBJECT =
  /^\s*(?:\[[^\]]{1,40}\]\s*)?(?:re|aw|antw|sv|vs|r|rif|res|odp|ynt|yan[ıi]t|ha|atb|отв(?:ет)?|απ|回复|回覆|答复|返信|回信)\s*(?:\[\d{1,3}\]|\(\d{1,3}\))?\s*[:：]/iu

/** Whether it continues some thread, ours or another's: some clients keep the subject alone. */
export const continuesThread = ({ headers, subject }: MailHead): boolean =>
  threadOf(headers).length > 0 || ANSWER_SUBJECT.test(subject.slice(0, 300))

/** The id of our message that a copy in the folder of sent mail is of, whatever id the server gave it; null: none. */
export const sentMessageOf = ({ headers }: MailHead): string | null =>
  ourIdsOf(valuesOf(headers, MARKER).flatMap(idsIn))[0] ?? null

/** Whether it answers a message of ours by its thread. */
export const answersUs = (headers: ReadonlyArray<MailHeader>): boolean => ourIdsOf(threadOf(headers)).length > 0

/** Whether a program wrote it, and for whom; null: a person did. Decided by the header alone. */
export const automatic = (head: MailHead): Extract<Recognised, { readonly kind: "automatic" }> | null => {
  if (answersForSomeone(head)) return { kind: "automatic", answers: true }
  if (isGenerated(head) || isFromSystem(head)) return { kind: "automatic", answers: false }
  return isFromList(head) && !answersUs(head.headers) ? { kind: "automatic", answers: false } : null
}

/**
 * Automatic mail that may still contain a person's words, such as a helpdesk's: no bulk mail and no report. A request
 * in it to be left alone counts.
 */
export const mayRefuse = (head: MailHead): boolean =>
  !mayBeReport(head) &&
  !isFromList(head) &&
  valuesOf(head.headers, "feedback-id").length === 0 &&
  !valuesOf(head.headers, "precedence").some((value) => /^(?:bulk|junk)$/i.test(value))

const deliveryReport = (mail: MailContent): Recognised | null => {
  const status = mail.parts.find(
    ({ type }) => type === "message/delivery-status" || type === "message/global-delivery-status"
  )
  // Only a report's own part counts: anyone may attach one.
  if (status === undefined || !(mayBeReport(mail) || gaveUp(mail.subject))) return null
  const found = reportedBounce(status.text, noticeOf(mail.text))
  return found === null ? { kind: "automatic", answers: false } : { kind: "bounce", ...found }
}

/** Whether a message returns one of ours, as a report does. */
const returnsOurs = ({ parts }: MailContent): boolean =>
  parts.some(({ type }) => type === "message/rfc822" || type === "text/rfc822-headers")

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
  isNotification(head) ||
  valueOf(head.headers, "x-failed-recipients") !== ""

const plain = (mail: MailContent, program: ReturnType<typeof automatic>): Recognised | null => {
  const isNamed = valueOf(mail.headers, "x-failed-recipients") !== ""
  // An automatic reply for a person may also have no sender to answer, so don't treat it as a system's.
  const isProven = isFromDaemon(mail) || isNamed || (program?.answers !== true && isFromSystem(mail))
  const isReport = isProven || (hasReportSubject(mail) && (returnsOurs(mail) || gaveUp(noticeOf(mail.text))))
  if (!isReport) return forwarded(mail)
  const found = plainReport(mail, isProven)
  return found === null ? null : { kind: "bounce", ...found }
}

export const recognise = (mail: MailContent): Recognised => {
  const found = feedbackOf(mail) ?? notified(mail) ?? deliveryReport(mail)
  if (found !== null) return found
  const program = automatic(mail)
  return plain(mail, program) ?? program ?? { kind: "reply" }
}
