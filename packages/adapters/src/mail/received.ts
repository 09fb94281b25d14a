import { fieldsOf, type MailContent, type MailHead } from "@outbound/domain/outreach/mail/mail.js"
import type { Address, Attachment } from "postal-mime"
import { repaired } from "@outbound/domain/kernel/text.js"
import type { AttachedReport } from "@outbound/domain/outreach/mail/aggregateReport.js"
import { isReportFile, isReportHead } from "@outbound/domain/outreach/mail/reportHead.js"
import { mayBeReportType, readAggregate } from "./aggregate.js"
import { decodeText, withPunctuation } from "./charsets.js"
import { HEADERS_OCTETS_MAX, type Parsed, parseMail } from "./parseMail.js"
import { displayHtml, textOfHtml } from "./readable.js"
import { shallowHtml } from "../platform/shallow.js"
import { setImmediate } from "node:timers/promises"

/** Machine-readable parts, and how much of each we keep. */
const MACHINE_PARTS: ReadonlySet<string> = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
  "message/feedback-report",
  "message/rfc822",
  "message/global",
  "message/disposition-notification",
  "text/rfc822-headers",
  "message/global-headers",
  "text/calendar"
])
const PARTS_MAX = 20
const PART_CHARS_MAX = 50_000

/** How much of a From field we search for an address. */
const FROM_CHARS_MAX = 1_000

const addressOf = (address: Address | undefined): string | null => {
  const found = address?.address ?? address?.group?.[0]?.address
  return found === undefined || found === "" ? null : repaired(found)
}

/** The cut may go through a pair of surrogates. */
const textOf = ({ content }: Attachment): string =>
  repaired((typeof content === "string" ? content : decodeText(new Uint8Array(content), "")).slice(0, PART_CHARS_MAX))

/** Types that differ only by character set get the same name. */
const typeOf = ({ filename, mimeType }: Attachment): string => {
  const type = mimeType.toLowerCase()
  // Some servers return a message as a file.
  if (type === "application/octet-stream" && /\.eml$/i.test(filename ?? "")) return "message/rfc822"
  if (type === "application/ics") return "text/calendar"
  if (type === "message/global") return "message/rfc822"
  return type === "message/global-headers" ? "text/rfc822-headers" : type
}

const headOf = (email: Parsed): MailHead => ({
  headers: email.headers.map(({ key, value }) => ({ name: repaired(key), value: repaired(withPunctuation(value)) })),
  fromEmail: email.writtenBy === null ? addressOf(email.from) : repaired(email.writtenBy),
  subject: repaired(withPunctuation(email.subject ?? ""))
})

/** The aggregate report that it holds, if its header or an attachment's name says that it does. */
const aggregateIn = async (email: Parsed, truncated: boolean): Promise<AttachedReport | null> => {
  const isReport = isReportHead(headOf(email))
  const files = email.attachments.filter(
    ({ filename, mimeType }) => isReportFile(filename ?? "") || (isReport && mayBeReportType(mimeType))
  )
  const [file] = files
  if (file === undefined) return isReport ? { _tag: "Unreadable", why: "it has no attachment of a known type" } : null
  const { content } = file
  const octets = typeof content === "string" ? Buffer.from(content, "utf8") : new Uint8Array(content)
  const read = await readAggregate(octets)
  // A file that was cut off is no surprise.
  return read._tag === "Unreadable" && truncated ? { ...read, why: `${read.why}; the message is too long` } : read
}

/** The header alone, for a source that doesn't parse otherwise. */
const plainHead = (source: Uint8Array): MailHead => {
  const text = Buffer.from(source.subarray(0, HEADERS_OCTETS_MAX)).toString("latin1")
  const headers = fieldsOf(text.split(/\r?\n\r?\n/, 1)[0] ?? "")
  const named = (name: string) => headers.find((header) => header.name === name)?.value ?? ""
  return {
    headers,
    fromEmail: /[^\s<>,;"]+@[^\s<>,;"]+/.exec(named("from").slice(0, FROM_CHARS_MAX))?.[0] ?? null,
    subject: named("subject")
  }
}

/** Reads the header from a message's first octets. */
export const readHead = async (source: Uint8Array): Promise<MailHead> => {
  const { email } = await parseMail(source)
  return email === null ? plainHead(source) : headOf(email)
}

const STUB_CHARS_MAX = 400

/** A text part that only says to read the other one. */
const STUB =
  /\bhtml\b|(?:does not|doesn't|cannot|can't|not able to) (?:support|display|show|read)|(?:view|read|open|see) (?:this|the|it)(?: \S+){0,6} (?:browser|online|client|program|version)|mime[- ](?:format|encoded|compatible)|im browser|navigateur|navegador/i

const isStub = (plain: string): boolean => {
  const text = plain.trim()
  return text === "" || (text.length <= STUB_CHARS_MAX && !/^>/m.test(text) && STUB.test(text))
}

/** The text of the first part that has one, where programs attach what was written, or send it as enriched text (RFC 1896). */
const attachedText = ({ attachments }: Parsed): string => {
  const part = attachments.find(({ mimeType }) => /^text\/(?:plain|html|enriched|richtext)$/i.test(mimeType))
  if (part === undefined) return ""
  const text = textOf(part)
  return /html$/i.test(part.mimeType)
    ? textOfHtml(shallowHtml(text))
    : /plain$/i.test(part.mimeType)
      ? text
      : text.replace(/<[^<>]{1,60}>/g, "")
}

/** Reads a message from its first octets; `truncated`: there were more. Never fails. */
export const readContent = async (source: Uint8Array, truncated: boolean): Promise<MailContent> => {
  const { email, isCut } = await parseMail(source)
  // Other work goes on between the steps: each is bounded, together they may take a while.
  await setImmediate()
  if (email === null) return { ...plainHead(source), text: "", html: null, truncated: true, parts: [] }
  const aggregate = await aggregateIn(email, truncated)
  const html = email.html === undefined || email.html.trim() === "" ? null : shallowHtml(email.html)
  const plain = withPunctuation(email.text ?? "")
  return {
    ...headOf(email),
    text: repaired(
      (html !== null && isStub(plain) ? textOfHtml(html) : "") ||
        (plain.trim() === "" ? attachedText(email) : "") ||
        plain
    ),
    html: html === null ? null : repaired(displayHtml(html)),
    truncated: truncated || isCut,
    parts: email.attachments
      .filter((part) => MACHINE_PARTS.has(typeOf(part)))
      .slice(0, PARTS_MAX)
      .map((part) => ({ type: typeOf(part), text: textOf(part) })),
    ...(aggregate === null ? {} : { aggregate })
  }
}
