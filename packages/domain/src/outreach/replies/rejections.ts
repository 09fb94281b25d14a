/** Notifications of what became of a mail (RFC 8098), and rejections by the recipient's own filter (RFC 5429). */
import { addressIn, fieldsOf, type MailContent, type MailHead, valueOf, valuesOf } from "../mail/mail.js"
import { evidenceOf } from "../sending/refusals.js"
import { asksToBeLeftAlone } from "../meaning/classify.js"
import type { Bounce } from "./notifications.js"
import { ownText } from "../meaning/ownText.js"
import { isReceipt } from "./receipts.js"

const CHARS_MAX = 4_000

/** What filters write above the words that their user chose. */
const REJECTED =
  /(?:was|were|has been|is) (?:automatically )?(?:rejected|refused)\b|automatically (?:rejected|refused)|(?:reject|refus)\w* by (?:sieve|the recipient|a (?:mail )?filter)/i

const isReject = ({ headers, subject }: MailHead): boolean =>
  /^\s*(?:automatically rejected|rejected|refused)\b/i.test(subject.slice(0, 300)) ||
  valuesOf(headers, "auto-submitted").some((value) => /\(\s*reject/i.test(value))

/** The words that the recipient's filter adds for its user. */
const wordsIn = (text: string): string => {
  const told = ownText(text.slice(0, CHARS_MAX))
  const at = REJECTED.exec(told)
  const after = at === null ? told : told.slice(at.index + at[0].length)
  return after.replace(/^[^\n:]*[:\n]/, "").trim()
}

type Rejection =
  | { readonly kind: "complaint"; readonly feedback: "opt_out"; readonly recipient: string | null }
  | { readonly kind: "bounce"; readonly bounce: Bounce; readonly recipient: string | null; readonly isDelay: false }
  | { readonly kind: "automatic"; readonly answers: false }

/**
 * What a notification says: that mail was read or deleted answers nothing. A filter's rejection stops the mail to its
 * user, and is a request to stop if their words are one. Null: it is none.
 */
export const rejectionOf = (mail: MailContent): Rejection | null => {
  const type = valueOf(mail.headers, "content-type").slice(0, 1_000)
  const part = mail.parts.find((one) => one.type === "message/disposition-notification")
  const text = mail.text.slice(0, CHARS_MAX)
  // Anyone may attach one: outside a report it counts beside words of a program.
  const isNotification =
    /report-type\s*=\s*"?disposition-notification/i.test(type) ||
    (part !== undefined && (isReceipt(mail) || REJECTED.test(text)))
  const isRejection = REJECTED.test(text) && (isNotification || isReject(mail))
  if (!isNotification && !isRejection) return null
  const fields = fieldsOf(part?.text ?? "")
  const disposition = valueOf(fields, "disposition")
  if (!isRejection || /;\s*(?:displayed|dispatched|processed)/i.test(disposition))
    return { kind: "automatic", answers: false }
  const named = [...valuesOf(fields, "original-recipient"), ...valuesOf(fields, "final-recipient")]
  const recipient = [...named, text].map(addressIn).find((found) => found !== null) ?? null
  const words = wordsIn(text)
  if (asksToBeLeftAlone(words)) return { kind: "complaint", feedback: "opt_out", recipient }
  const bounce: Bounce = {
    type: "soft",
    status: "5.7.2",
    reason: "restricted",
    says: evidenceOf(words === "" ? text : words)
  }
  return { kind: "bounce", bounce, recipient, isDelay: false }
}
