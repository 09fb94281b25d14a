import { addressIn, type MailContent, type MailHead, valueOf } from "../mail/mail.js"
import { type Bounce, evidencedBounce } from "./bounces.js"

/** Longest notification that we parse, in characters. */
const NOTIFICATION_CHARS_MAX = 50_000

/** Whether it is a notification of a sending provider about a message, as JSON in a mail (Amazon SNS). */
export const isNotification = (head: MailHead): boolean => valueOf(head.headers, "x-amz-sns-message-id") !== ""

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}

const firstOf = (value: unknown): Record<string, unknown> => membersOf(Array.isArray(value) ? value[0] : null)

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const parsed = (text: string): Record<string, unknown> => {
  try {
    return membersOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** The bounce or complaint that a provider's notification reports; null: it is none. */
export const notified = (
  mail: MailContent
):
  | { readonly kind: "bounce"; readonly bounce: Bounce; readonly recipient: string | null; readonly isDelay: boolean }
  | { readonly kind: "complaint"; readonly feedback: "abuse"; readonly recipient: string | null }
  | null => {
  if (!isNotification(mail)) return null
  const json = mail.text.slice(0, NOTIFICATION_CHARS_MAX).split(/^--\s*$/m, 1)[0] ?? ""
  const found = parsed(json.replace(/!?\r?\n ?/g, "").trim())
  const type = textOf(found["notificationType"] ?? found["eventType"])
  if (type === "Complaint") {
    const person = firstOf(membersOf(found["complaint"])["complainedRecipients"])
    return { kind: "complaint", feedback: "abuse", recipient: addressIn(textOf(person["emailAddress"])) }
  }
  if (type !== "Bounce") return null
  const person = firstOf(membersOf(found["bounce"])["bouncedRecipients"])
  const bounce = evidencedBounce([textOf(person["diagnosticCode"]), textOf(person["status"])])
  return { kind: "bounce", bounce, recipient: addressIn(textOf(person["emailAddress"])), isDelay: false }
}
