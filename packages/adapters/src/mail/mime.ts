import type { OutgoingMail } from "@outbound/domain/outreach/mail/MailTransport.js"
import { MARKER_HEADER } from "@outbound/domain/outreach/replies/recognise.js"
import MailComposer from "nodemailer/lib/mail-composer"

/** A message as it goes over the wire, and whom its envelope names. */
export interface ComposedMail {
  readonly raw: Buffer
  readonly from: string
  readonly to: string
  /** An address beyond ASCII before its `@`: only a server with SMTPUTF8 can take it (RFC 6531). */
  readonly needsSmtpUtf8: boolean
}

const CONTROLS = /\p{Cc}+/gu
const FORBIDDEN_IN_ADDRESS = /[\p{Cc}<>\s]/u
const BEYOND_ASCII = /[^\p{ASCII}]/u

/** One line: nothing in a header can begin another one. */
export const oneLine = (text: string): string => text.replace(CONTROLS, " ").trim()

export const safeAddress = (address: string): string => {
  if (!address.includes("@") || FORBIDDEN_IN_ADDRESS.test(address)) throw new Error("is no address")
  return address
}

/** RFC 5322 `msg-id`, of what is ours: atoms on both sides of one `@`. */
const angled = (messageId: string): string => {
  if (!/^[^\p{Cc}<>\s@]+@[^\p{Cc}<>\s@]+$/u.test(messageId)) throw new Error("is no Message-ID")
  return `<${messageId}>`
}

const listHeaders = (unsubscribeUrl: string | null) =>
  unsubscribeUrl === null
    ? {}
    : {
        // A URL is never folded: some readers take the break for its end. Its parser leaves nothing that ends a header.
        "List-Unsubscribe": { prepared: true, value: `<${new URL(unsubscribeUrl).href}>` },
        "List-Unsubscribe-Post": { prepared: true, value: "List-Unsubscribe=One-Click" }
      }

/**
 * Writes a message (RFC 5322, 2045, 2047): plain text always, `multipart/alternative` where there is HTML. It fails
 * for addresses and ids that could be more than one header, whatever their source checked.
 */
export const composeMail = async (mail: OutgoingMail, nowMillis: number): Promise<ComposedMail> => {
  const from = safeAddress(mail.from.address)
  const to = safeAddress(mail.to.address)
  const references = mail.references.map(angled)
  const composer = new MailComposer({
    from: { name: oneLine(mail.from.name), address: from },
    to: { name: oneLine(mail.to.name ?? ""), address: to },
    subject: oneLine(mail.subject),
    messageId: angled(mail.messageId),
    date: new Date(nowMillis),
    text: mail.text,
    newline: "windows",
    headers: { ...listHeaders(mail.unsubscribeUrl), [MARKER_HEADER]: angled(mail.messageId) },
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(references.length === 0 ? {} : { inReplyTo: references.at(-1), references }),
    ...(mail.html === null ? {} : { html: mail.html })
  })
  const message = composer.compile()
  const envelope = message.getEnvelope()
  const recipient = envelope.to[0]
  if (typeof envelope.from !== "string" || recipient === undefined || envelope.to.length !== 1) {
    throw new Error("has other people on it than one sender and one recipient")
  }
  return {
    raw: await message.build(),
    from: envelope.from,
    to: recipient,
    needsSmtpUtf8: BEYOND_ASCII.test(`${envelope.from}${recipient}`)
  }
}
