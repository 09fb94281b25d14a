import { MARK_HEADER } from "@outbound/domain/outreach/mail/mailMark.js"
import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { hashText } from "./Hash.js"
import type { Persona, Writing } from "./Personas.js"

const LINE_CHARS_MAX = 76

/** In base64, by lines: every octet of it is ASCII, whatever was said. */
const encoded = (text: string): string =>
  (
    Buffer.from(text.replace(/\r?\n/g, "\r\n"), "utf8")
      .toString("base64")
      .match(new RegExp(`.{1,${LINE_CHARS_MAX}}`, "g")) ?? []
  ).join("\r\n")

/** RFC 2047, in words short enough. */
const inHeader = (text: string): string => {
  const plain = text.replace(/\p{Cc}+/gu, " ").trim()
  if (/^[\x20-\x7e]*$/.test(plain)) return plain
  const words: Array<string> = []
  let word = ""
  for (const character of plain) {
    if (Buffer.byteLength(word + character, "utf8") > 39) {
      words.push(word)
      word = ""
    }
    word += character
  }
  return [...words, word].map((one) => `=?utf-8?B?${Buffer.from(one, "utf8").toString("base64")}?=`).join("\r\n ")
}

const quoted = (name: string): string =>
  /^[\x20-\x7e]*$/.test(name) ? `"${name.replace(/["\\]/g, "")}"` : inHeader(name)

const textPart = (type: "plain" | "html", text: string): string =>
  `Content-Type: text/${type}; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded(text)}\r\n`

const multipart = (subtype: string, boundary: string, parts: ReadonlyArray<string>): string =>
  `Content-Type: multipart/${subtype}; boundary="${boundary}"\r\n\r\n` +
  `${parts.map((part) => `--${boundary}\r\n${part}`).join("\r\n")}\r\n--${boundary}--\r\n`

/** The report of a mail system that knows nobody of this name (RFC 3464). */
const report = (message: OutgoingMessage, text: string, boundary: string): string => {
  const { address } = message.to
  const domain = address.slice(address.lastIndexOf("@") + 1)
  return multipart("report; report-type=delivery-status", boundary, [
    textPart("plain", text),
    "Content-Type: message/delivery-status\r\n\r\n" +
      `Reporting-MTA: dns; mx.${domain}\r\n\r\n` +
      `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: 5.1.1\r\n` +
      "Diagnostic-Code: smtp; 550 5.1.1 Recipient address rejected: User unknown\r\n",
    `Content-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${message.messageId}>\r\n` +
      `${MARK_HEADER}: ${message.mark}\r\nSubject: ${inHeader(message.subject)}\r\n`
  ])
}

/** What a persona says, as their mail program sends it (RFC 5322), ASCII alone. It is decided by the message alone. */
export const personaLetter = (options: {
  readonly seed: number
  readonly persona: Persona
  readonly message: OutgoingMessage
  readonly recipientName: string | null
  readonly writing: Writing
  readonly atMillis: number
}): string => {
  const { message, persona, recipientName, seed, writing } = options
  const { address } = message.to
  const domain = address.slice(address.lastIndexOf("@") + 1)
  const id = hashText(seed, `${message.messageId} answered`).toString(36)
  const boundary = `=_${id}`
  const isBounce = persona === "bounce"
  const name = isBounce ? "Mail Delivery System" : recipientName
  const from = isBounce ? `mailer-daemon@${domain}` : address
  const head = [
    ...(isBounce ? ["Return-Path: <>"] : []),
    `From: ${name === null ? from : `${quoted(name)} <${from}>`}`,
    `To: ${quoted(message.from.name)} <${message.from.address}>`,
    `Subject: ${inHeader(writing.subject)}`,
    `Date: ${new Date(options.atMillis).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: <${persona}.${id}.${message.messageId.replace(/@.*$/, "")}@${domain}>`,
    ...(isBounce ? [] : [`In-Reply-To: <${message.messageId}>`, `References: <${message.messageId}>`]),
    ...(persona === "out_of_office" ? ["Auto-Submitted: auto-replied"] : []),
    "MIME-Version: 1.0"
  ].join("\r\n")
  const body = isBounce
    ? report(message, writing.text, boundary)
    : writing.html === null
      ? textPart("plain", writing.text)
      : multipart("alternative", boundary, [textPart("plain", writing.text), textPart("html", writing.html)])
  return `${head}\r\n${body}`
}
