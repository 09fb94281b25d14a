import { messageIdOf } from "../sending/compose.js"
import { marksIn } from "../mail/mailMark.js"
import { type Bounce, plainReport, reportedBounce } from "./bounces.js"
import {
  addressIn,
  fieldsOf,
  type MailContent,
  type MailHead,
  type MailHeader,
  valueOf,
  valuesOf
} from "../mail/mail.js"

/**
 * What a message is, by its headers and machine-readable parts alone.
 *
 * - `bounce`: a message of ours was not delivered (RFC 3464, or a mail server's own text).
 * - `complaint`: a message of ours was reported as unwanted (RFC 5965).
 * - `automatic`: a program wrote it. `answers`: on behalf of a recipient.
 * - `reply`: a person wrote it, as far as headers tell.
 */
export type Recognised =
  | { readonly kind: "bounce"; readonly bounce: Bounce; readonly recipient: string | null }
  | { readonly kind: "complaint"; readonly recipient: string | null }
  | { readonly kind: "automatic"; readonly answers: boolean }
  | { readonly kind: "reply" }

/** Carries our message id in every message: reports return it even if a server replaced the `Message-ID`. */
export const MARKER_HEADER = "X-Outbound-Message-Id"
const MARKER = MARKER_HEADER.toLowerCase()

/** Most ids that we read from a message: `References` has no limit. */
const IDS_MAX = 50

/** Longest field that we search for ids. */
const ID_FIELD_CHARS_MAX = 20_000

const rfcIdsIn = (value: string): ReadonlyArray<string> =>
  value.slice(-ID_FIELD_CHARS_MAX).match(/<[^<>\s]{1,300}>/g) ?? []

/** A report's media type and `report-type`. */
const reportTypeOf = (headers: ReadonlyArray<MailHeader>): string | null => {
  const type = valueOf(headers, "content-type").slice(0, 1000).toLowerCase()
  if (!type.startsWith("multipart/report")) return null
  return /report-type\s*=\s*"?([a-z-]+)/.exec(type)?.[1] ?? ""
}

/** Mail from mail systems: it has no sender to answer, or comes from their administrators. */
const isFromSystem = (head: MailHead): boolean =>
  /^<\s*>$/.test(valueOf(head.headers, "return-path")) || isFromDaemon(head)

const isFromDaemon = ({ fromEmail, headers }: MailHead): boolean =>
  /^(?:mailer-daemon|postmaster|mail-daemon|double-bounce)@/i.test(fromEmail ?? "") ||
  /^mailer-daemon\b/i.test(valueOf(headers, "from"))

/** The headers of the reported message, and those that a plain report quotes. */
const reportedHeaders = (mail: MailContent): ReadonlyArray<MailHeader> => {
  const parts = mail.parts.filter(({ type }) => type === "message/rfc822" || type === "text/rfc822-headers")
  const blocks = parts.map(({ text }) => text.split(/\r?\n\r?\n/, 1)[0] ?? "")
  return [...blocks, ...(isFromSystem(mail) ? [mail.text] : [])].flatMap(fieldsOf)
}

/**
 * Ids of messages that a message refers to, best first: what it answers, its thread from the newest on, then what a
 * report quotes. The store knows which are ours.
 */
export const namedMessages = (mail: MailContent): ReadonlyArray<string> => {
  const reported = reportedHeaders(mail)
  const named = [
    ...valuesOf(mail.headers, "in-reply-to").flatMap(rfcIdsIn),
    ...valuesOf(mail.headers, "references").flatMap(rfcIdsIn).toReversed(),
    ...valuesOf(mail.headers, MARKER),
    ...valuesOf(reported, "message-id").flatMap(rfcIdsIn),
    ...valuesOf(reported, MARKER),
    ...valuesOf(reported, "references").flatMap(rfcIdsIn).toReversed()
  ]
  const ids = named.flatMap((rfcId) => messageIdOf(rfcId) ?? [])
  return [...new Set(ids)].slice(0, IDS_MAX)
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

const answersUs = (headers: ReadonlyArray<MailHeader>): boolean =>
  [...valuesOf(headers, "in-reply-to"), ...valuesOf(headers, "references")]
    .flatMap(rfcIdsIn)
    .some((rfcId) => messageIdOf(rfcId) !== null)

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

/** Feedback types that are complaints (RFC 5965 §7.3); the others are positive or about authentication. */
const COMPLAINTS: ReadonlySet<string> = new Set(["abuse", "fraud", "virus", "other", "opt-out", "opt-out-list"])

const feedback = (mail: MailContent): Recognised | null => {
  const part = mail.parts.find(({ type }) => type === "message/feedback-report")
  if (part === undefined) return null
  const fields = fieldsOf(part.text)
  if (!COMPLAINTS.has(valueOf(fields, "feedback-type").toLowerCase())) return { kind: "automatic", answers: false }
  const recipients = ["original-rcpt-to", "removal-recipient"].flatMap((name) => valuesOf(fields, name))
  return { kind: "complaint", recipient: recipients.map(addressIn).find((found) => found !== null) ?? null }
}

const deliveryReport = (mail: MailContent): Recognised | null => {
  const status = mail.parts.find(
    ({ type }) => type === "message/delivery-status" || type === "message/global-delivery-status"
  )
  // Only a report's own part counts: anyone may attach one.
  if (status === undefined || (reportTypeOf(mail.headers) === null && !isFromSystem(mail))) return null
  const found = reportedBounce(status.text)
  return found === null ? { kind: "automatic", answers: false } : { kind: "bounce", ...found }
}

/** Whether parts other than the text may matter. Such a message is read completely. */
export const mayBeReport = (head: MailHead): boolean => reportTypeOf(head.headers) !== null || isFromSystem(head)

export const recognise = (mail: MailContent): Recognised => {
  const reported = (reportTypeOf(mail.headers) === null ? null : feedback(mail)) ?? deliveryReport(mail)
  if (reported !== null) return reported
  const program = automatic(mail)
  // An automatic reply for a person may also have no sender to answer, so don't treat it as a system's.
  if (isFromDaemon(mail) || (program?.answers !== true && isFromSystem(mail))) {
    const found = plainReport(mail)
    if (found !== null) return { kind: "bounce", ...found }
  }
  return program ?? { kind: "reply" }
}
