import { addressIn, fieldsOf, type MailContent, valueOf, valuesOf } from "../mail/mail.js"

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
export const feedbackOf = (
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
