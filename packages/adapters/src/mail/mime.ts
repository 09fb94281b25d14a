import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import type { OutgoingMail } from "@outbound/domain/outreach/mail/MailTransport.js"
import { unsubscribeMailto } from "@outbound/domain/outreach/suppression/links.js"
import MailComposer from "nodemailer/lib/mail-composer"

/** A message in wire format, and its envelope. */
export interface ComposedMail {
  readonly raw: Buffer
  readonly from: string
  readonly to: string
  /** An address is not ASCII before its `@`: the server needs SMTPUTF8 (RFC 6531). */
  readonly needsSmtpUtf8: boolean
}

const CONTROLS = /\p{Cc}+/gu
const BEYOND_ASCII = /[^\p{ASCII}]/u

/** Removes line breaks, so that a header can't start another one. */
export const oneLine = (text: string): string => text.replace(CONTROLS, " ").trim()

/** The rule by which people join a campaign: whom a call accepted can be written to. */
export const safeAddress = (address: string): string => {
  const usable = usableEmail(address)
  if (usable === null || usable !== address.toLowerCase()) throw new Error("is no address")
  return address
}

/** RFC 5322 `msg-id`, limited to what we generate: atoms on both sides of one `@`. */
const angled = (messageId: string): string => {
  if (!/^[^\p{Cc}<>\s@]+@[^\p{Cc}<>\s@]+$/u.test(messageId)) throw new Error("is no Message-ID")
  return `<${messageId}>`
}

const listHeaders = (from: string, unsubscribeUrl: string | null) =>
  unsubscribeUrl === null
    ? {}
    : {
        // Never fold a URL: some readers take the break for its end. The URL parser removes anything that could end a
        // header.
        "List-Unsubscribe": {
          prepared: true,
          value: `<${new URL(unsubscribeUrl).href}>, <${unsubscribeMailto(from, unsubscribeUrl)}>`
        },
        "List-Unsubscribe-Post": { prepared: true, value: "List-Unsubscribe=One-Click" }
      }

/**
 * Writes a message (RFC 5322, 2045, 2047): always plain text, `multipart/alternative` if there is HTML. Fails for
 * addresses and ids that could inject headers, even if the caller has checked them.
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
    headers: {
      ...listHeaders(from, mail.unsubscribeUrl),
      ...(mail.mark === null ? {} : { [mail.mark.header]: oneLine(mail.mark.value) })
    },
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
