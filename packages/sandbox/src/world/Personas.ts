import type { OutgoingMessage } from "@outbound/domain/sources/ports/SendingProvider.js"
import { hashText, pick } from "./Hash.js"

/** How somebody reacts to the first message of a campaign. */
export const PERSONAS = ["interested", "not_interested", "other", "out_of_office", "unsubscribe", "bounce"] as const

export type Persona = (typeof PERSONAS)[number]

/** What a mail client would have written. */
interface Writing {
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

const BODIES: Readonly<Record<Exclude<Persona, "bounce">, ReadonlyArray<string>>> = {
  interested: [
    "Hi {sender},\n\nThis is actually good timing, we have been looking at exactly this. Could you do Thursday afternoon for a short call?",
    "Hello {sender},\n\nsounds interesting. Can you send me some pricing and one or two references from companies our size?",
    "Sure, happy to hear more. Please send a few slots for next week, mornings work best for me.",
    "Hi {sender}, yes, let's talk. I've copied nobody yet, but our operations lead should join the call. What do you need from us beforehand?",
    "Thanks for reaching out. We are evaluating options this quarter, so a demo would help. Do you have 30 minutes next week?"
  ],
  not_interested: [
    "Hi {sender},\n\nthanks, but this isn't a priority for us at the moment.",
    "Hello,\n\nwe have just signed with somebody else for this. Not interested, sorry.",
    "No thank you. We do this in-house and have no plans to change that.",
    "Thanks {sender}, not for us. All the best with it."
  ],
  other: [
    "Hi {sender},\n\nI'm not the right person for this any more, I have moved to another team. You might try the general inbox.",
    "Where did you get my address from?",
    "Hello {sender}, could you tell me in one sentence what it is that you do? I did not quite get it.",
    "We spoke about something similar with a colleague of yours last year, I think. Are you the same company?"
  ],
  out_of_office: [
    "Hello,\n\nthank you for your message. I am out of the office and will be back on Monday. My mail is not being forwarded; for anything urgent please contact our front desk.",
    "Hi,\n\nI'm on leave this week with limited access to email. I will answer when I am back.",
    "Thank you for your email. I am travelling and will read it with some delay."
  ],
  unsubscribe: [
    "Please remove me from your list.",
    "Unsubscribe.",
    "Hello,\n\nI did not ask for this. Please take me off your mailing list and do not write to me again."
  ]
}

const SUBJECTS_AWAY = ["Automatic reply: {subject}", "Out of office: {subject}", "Away until Monday Re: {subject}"]

const QUOTED_LINES_MAX = 40

const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "")

const quotedLines = (text: string): ReadonlyArray<string> => {
  const lines = text.replace(/\r\n?/g, "\n").trimEnd().split("\n")
  return lines.length <= QUOTED_LINES_MAX ? lines : [...lines.slice(0, QUOTED_LINES_MAX), "[...]"]
}

/** What the common clients put beneath an answer. */
const quote = (message: OutgoingMessage, style: number): string => {
  const lines = quotedLines(message.text)
  const { address, name } = message.from
  switch (style) {
    case 0:
      return `${name} <${address}> wrote:\n\n${lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n")}`
    case 1:
      return `-----Original Message-----\nFrom: ${name} <${address}>\nTo: ${message.to.address}\nSubject: ${message.subject}\n\n${lines.join("\n")}`
    default:
      return `________________________________\nFrom: ${name}\nSubject: ${message.subject}\n\n${lines.join("\n")}`
  }
}

const escaped = (text: string): string =>
  text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;")

const toHtml = (answer: string, message: OutgoingMessage): string => {
  const paragraph = (text: string) => `<div>${escaped(text).replace(/\n/g, "<br>")}</div>`
  const original = paragraph(quotedLines(message.text).join("\n"))
  return `${paragraph(answer)}<br><div>${escaped(`${message.from.name} <${message.from.address}>`)} wrote:</div><blockquote>${original}</blockquote>`
}

const reSubject = (subject: string): string => (/^re:/i.test(subject) ? subject : `Re: ${subject}`)

/** The words of a persona. Which of the variants it uses depends on the message alone. */
export const writeReaction = (
  seed: number,
  persona: Persona,
  message: OutgoingMessage,
  recipientName: string | null
): Writing => {
  const key = hashText(seed, message.messageId)
  if (persona === "bounce") {
    return {
      subject: "Undelivered Mail Returned to Sender",
      text: `I'm sorry to have to inform you that your message could not be delivered.\n\n<${message.to.address}>: host mx.${message.to.address.slice(message.to.address.lastIndexOf("@") + 1)} said: 550 5.1.1\n    <${message.to.address}>: Recipient address rejected: User unknown (in reply to RCPT TO command)\n\nSubject: ${message.subject}\nMessage-ID: <${message.messageId}>`,
      html: null
    }
  }
  const sender = message.from.name.split(" ")[0] ?? ""
  const said = fill(pick(key, BODIES[persona]), { sender })
  const answer =
    recipientName === null
      ? said
      : `${said}\n\n${pick(key >>> 4, ["Best regards,\n", "Best,\n", "Thanks\n", ""])}${recipientName}`
  if (persona === "out_of_office") {
    return { subject: fill(pick(key >>> 8, SUBJECTS_AWAY), { subject: message.subject }), text: answer, html: null }
  }
  return {
    subject: reSubject(message.subject),
    text: `${answer}\n\n${quote(message, (key >>> 12) % 3)}`,
    html: (key >>> 16) % 2 === 0 ? toHtml(answer, message) : null
  }
}

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
      `${message.mark.header}: ${message.mark.value}\r\nSubject: ${inHeader(message.subject)}\r\n`
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
