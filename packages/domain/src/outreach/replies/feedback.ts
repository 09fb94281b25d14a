/** Reports that our mail is unwanted: complaints (RFC 5965), and mail programs that unsubscribe for their users. */
import { addressIn, fieldsOf, type MailContent, valueOf, valuesOf } from "../mail/mail.js"
import { ANSWER_SUBJECT } from "./answerSubject.js"
import { classifyByRules } from "../meaning/classify.js"
import { ownText } from "../meaning/ownText.js"
import { fold } from "../meaning/phrases.js"

/**
 * What a report about a message of ours says.
 *
 * - `abuse`: its recipient calls it unwanted.
 * - `opt_out`: its recipient wants no more.
 * - `failed_check`: a server found it badly authenticated (RFC 6591). No person objects.
 */
export type Feedback = "abuse" | "opt_out" | "failed_check"

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

/** Whether a part is the message that a report returns, or its headers. */
export const isReturned = ({ type }: { readonly type: string }): boolean =>
  type === "message/rfc822" || type === "text/rfc822-headers"

const returnedRecipient = (mail: MailContent): string | null => {
  const part = mail.parts.find(isReturned)
  if (part === undefined) return null
  const fields = fieldsOf(part.text.replace(/^\s+/, "").split(/\r?\n\r?\n/, 1)[0] ?? "")
  return firstAddress(DELIVERED_TO.flatMap((name) => valuesOf(fields, name)))
}

/** Subjects of providers that forward what their users report without RFC 5965. */
const COMPLAINT =
  /^\s*(?:complaint about message from|(?:\[?\w{1,20}\]? )?(?:abuse|spam|junk) ?(?:mail )?(?:report|complaint)\b|e-?mail feedback report for|(?:e-?mail )?abuse (?:notification|notice)|feedback loop|scomp report)/i

/** Whether the subject is that of a complaint in a provider's own form: nothing else in the header tells what it is. */
export const hasComplaintSubject = ({ subject }: Pick<MailContent, "subject">): boolean =>
  COMPLAINT.test(subject.slice(0, SUBJECT_CHARS_MAX))

type Report =
  | { readonly kind: "complaint"; readonly feedback: Feedback; readonly recipient: string | null }
  | { readonly kind: "automatic"; readonly answers: false }

/** Whether the part of a report is the mail's own: its type says so, or it stands beside the message that it reports. */
const isOwnPart = (mail: MailContent): boolean =>
  valueOf(mail.headers, "content-type").toLowerCase().startsWith("multipart/report") ||
  (mail.parts.some(isReturned) && classifyByRules(ownText(mail.text))?.classification !== "interested")

/** A complaint or another report about a message of ours; null: it is none. */
export const feedbackOf = (mail: MailContent): Report | null => {
  const part = mail.parts.find(({ type }) => type === "message/feedback-report")
  if (part !== undefined && isOwnPart(mail)) {
    const fields = fieldsOf(part.text)
    const feedback = TYPES.get(valueOf(fields, "feedback-type").toLowerCase())
    if (feedback === undefined) return { kind: "automatic", answers: false }
    const named = ["original-rcpt-to", "removal-recipient"].flatMap((name) => valuesOf(fields, name))
    return { kind: "complaint", feedback, recipient: firstAddress(named) }
  }
  if (hasComplaintSubject(mail) && mail.parts.some(isReturned)) {
    return { kind: "complaint", feedback: "abuse", recipient: returnedRecipient(mail) }
  }
  return null
}

const SUBJECT_CHARS_MAX = 300

/** Longest text of a mail program that unsubscribes for its user. */
const FIXED_CHARS_MAX = 400

/** The subjects that senders ask mail programs to use, and that people use by hand. A token may follow. */
const UNSUBSCRIBE =
  /^(?:(?:please )?(?:list[- ])?(?:unsubscribe|unsub|remove|opt[- ]?out|abmelde(?:n|ung)|abbestellen|desinscription|desabonnement|se desabonner|(?:darse de )?baja|cancelar suscripcion|disiscri\w+|cancellami|uitschrijven|afmelden|cancelar inscricao|descadastrar|avregistrera|afmeld|avmeld|wypisz|odhlasit|leiratkozas|отписаться|отписка|取消订阅|退订|配信停止|수신거부)(?: me)?(?: (?:please|request))?)(?:[ :_/|=-]+\S{1,200})?[.! ]*$/u

/** What programs write into the text: who wrote it, and that it unsubscribes. */
const FIXED =
  /(?:sent|generated|created)(?: \S+){0,6} (?:by|from) (?:gmail|yahoo|outlook|apple|hotmail|aol|the|your|mail)|(?:mail|outlook|gmail|yahoo)(?: \S+){0,4} sent this (?:e-?mail|message)|(?:this is an )?automat\w+(?: \S+){0,4} (?:generated|message|e-?mail|request)|(?:to|please) unsubscribe|unsubscribe (?:me|request|from)/

/** Whether a subject asks for nothing but an end, in words of programs or of people. An answer's subject is ours. */
const asksInSubject = (subject: string): boolean =>
  UNSUBSCRIBE.test(fold(subject)) ||
  (!ANSWER_SUBJECT.test(subject) && classifyByRules(subject)?.classification === "unsubscribe")

const AUTOMATIC = /automat|自[动動]|자동|автомат/u

/**
 * Whether a mail program asks for its user, from their own address, that we send no more (RFC 2369), or a person does so
 * in the same form: the subject says so, and the text nothing else.
 */
export const isOptOut = (mail: MailContent): boolean => {
  if (/^true\b/i.test(valueOf(mail.headers, "x-apple-unsubscribe"))) return true
  if (!asksInSubject(mail.subject.slice(0, SUBJECT_CHARS_MAX))) return false
  // Below a delimiter stands a signature, also where nothing stands above it.
  const own = /^\s*(?:--|__)\s*\n/.test(mail.text) ? "" : ownText(mail.text)
  const text = fold(own.slice(0, FIXED_CHARS_MAX + 1))
  if (text === "" || UNSUBSCRIBE.test(text)) return true
  if (text.length > FIXED_CHARS_MAX || /[?？]/.test(text)) return false
  return FIXED.test(text) || AUTOMATIC.test(text) || classifyByRules(own)?.classification === "unsubscribe"
}
