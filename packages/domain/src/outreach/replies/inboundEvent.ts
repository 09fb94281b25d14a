import { OWN_MAILBOX } from "../sending/OwnMailboxes.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import { type InboundEvent, BODY_CHARS_MAX } from "../mail/Inbound.js"
import type { ArrivedMail } from "../mail/MailReader.js"
import { rfcMessageId } from "../sending/compose.js"
import type { Mailbox } from "../sending/SendingStore.js"
import { asksToBeLeftAlone, classify } from "../meaning/classify.js"
import { type MailContent, valueOf } from "../mail/mail.js"
import { ownText } from "../meaning/ownText.js"
import { mayBeWritten } from "./programs.js"
import { isDenied, isInvitation, type Recognised } from "./recognise.js"

const SUBJECT_CHARS_MAX = 1_000

/**
 * A message's identity, wherever in the mailbox it is and whatever its UID: its own headers. A message without an id and
 * a date is known by when the server took it and its size too: UIDs may change.
 */
export const eventIdOf = (
  crypto: Pick<Crypto["Service"], "sha256Hex">,
  mailboxId: string,
  { arrivedAtMillis, fromEmail, headers, size, subject }: ArrivedMail
): string => {
  const own = [valueOf(headers, "message-id"), valueOf(headers, "date")]
  const named = [...own, fromEmail ?? "", subject, valueOf(headers, "in-reply-to")]
  if (own.every((value) => value === "")) named.push(String(arrivedAtMillis), String(size))
  return `${mailboxId}:${crypto.sha256Hex(JSON.stringify(named))}`
}

/** Longest `Date` that is kept. */
const DATE_CHARS_MAX = 100

const writtenOf = ({ headers }: MailContent): Pick<InboundEvent, "writtenAt"> => {
  const writtenAt = valueOf(headers, "date").slice(0, DATE_CHARS_MAX)
  return writtenAt === "" ? {} : { writtenAt }
}

/**
 * What copies of one answer have in common, by which the workspace knows it in its other mailboxes: who answers, when they
 * wrote it, and its words or its id. A server may replace the id of a copy or add to its text. Some programs give all
 * their mail one id, so without a date it takes both.
 */
export const copyKeysOf = (
  { sha256Hex }: Pick<Crypto["Service"], "sha256Hex">,
  addressHash: string,
  { bodyText, messageId, writtenAt }: InboundEvent
): ReadonlyArray<string> => {
  const key = (...of: ReadonlyArray<string | number>) => `copy:${sha256Hex(JSON.stringify([addressHash, ...of]))}`
  const own = ownText(bodyText).replace(/\s+/g, " ").trim()
  if (writtenAt === undefined) return own === "" || messageId === null ? [] : [key("once", messageId, own)]
  const millis = Date.parse(writtenAt)
  const at = Number.isNaN(millis) ? writtenAt : millis
  return [...(own === "" ? [] : [key("words", at, own)]), ...(messageId === null ? [] : [key("id", at, messageId)])]
}

/** A message's `Message-ID` without angle brackets. */
const messageIdOf = (content: MailContent): string | null =>
  /^<([^<>\s]{1,900})>/.exec(valueOf(content.headers, "message-id"))?.[1] ?? null

/** Automatic mail that asks to leave its person alone. A newsletter does not, whatever it says. */
export const refuses = (recognised: Recognised, content: MailContent): boolean =>
  recognised.kind === "automatic" &&
  (recognised.answers || mayBeWritten(content)) &&
  asksToBeLeftAlone(ownText(content.text))

/**
 * Classifies an answer. An automatic one is an out-of-office, or an opt-out if it asks for that, never a reply. A
 * person's is classified by their own text, or left open.
 */
const answerOf = (
  recognised: Recognised,
  content: MailContent
): Pick<InboundEvent, "kind" | "classification" | "bounce"> => {
  switch (recognised.kind) {
    case "bounce":
      return { kind: "bounce", classification: "bounce", bounce: recognised.bounce }
    case "complaint":
      return { kind: recognised.feedback === "abuse" ? "complaint" : "unsubscribe", classification: null, bounce: null }
    case "opt_out":
      return { kind: "unsubscribe", classification: null, bounce: null }
    case "automatic":
      if (refuses(recognised, content)) return { kind: "unsubscribe", classification: null, bounce: null }
      return { kind: "reply", classification: "out_of_office", bounce: null }
    case "reply": {
      // A calendar's words are nobody's.
      const verdict = isInvitation(content) ? null : classify(ownText(content.text))
      return { kind: "reply", classification: verdict?.classification ?? null, bounce: null }
    }
  }
}

export interface ReadMessage {
  readonly mailbox: Mailbox
  /** The message of ours that it answers. */
  readonly messageId: string
  /** The id under which that may have left; null: it names it by our own, or doesn't tell. */
  readonly named: InboundEvent["named"] | null
  /** A report that doesn't quote the mark of its message, or mail whose sender the receiving server denies. */
  readonly isUnproven: boolean
  readonly providerEventId: string
  readonly recognised: Recognised
  readonly content: MailContent
  readonly receivedAtMillis: number
}

export const eventOf = ({ content, mailbox, recognised, ...known }: ReadMessage): InboundEvent => ({
  workspaceId: mailbox.workspaceId,
  provider: OWN_MAILBOX,
  providerEventId: known.providerEventId,
  source: "provider_poll",
  inReplyTo: rfcMessageId(known.messageId, mailbox.domain),
  messageId: messageIdOf(content),
  fromEmail: usableEmail(content.fromEmail ?? "") ?? (content.fromEmail ?? "").slice(0, 320),
  toEmail: mailbox.address,
  subject: content.subject.slice(0, SUBJECT_CHARS_MAX),
  // One character more than is stored, so that truncation is noticed.
  bodyText: content.text.slice(0, BODY_CHARS_MAX + 1),
  bodyHtml: content.html === null ? null : content.html.slice(0, BODY_CHARS_MAX + 1),
  receivedAtMillis: known.receivedAtMillis,
  ...writtenOf(content),
  ...(known.isUnproven ? { byAddressAlone: true as const } : {}),
  ...(isDenied(content) ? { writerDenied: true as const } : {}),
  ...(known.named ? { named: known.named } : {}),
  ...answerOf(recognised, content)
})
