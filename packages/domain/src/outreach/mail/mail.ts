import type { AttachedReport } from "./aggregateReport.js"
import { addressAmong, addressesIn } from "../../kernel/people/addresses.js"

/** A header field: name in lower case, value unfolded. */
export interface MailHeader {
  readonly name: string
  readonly value: string
}

/** A machine-readable part, such as a report's fields or the message it reports on. */
export interface MailPart {
  /** Its media type, in lower case. */
  readonly type: string
  readonly text: string
}

/** The header of any message. */
export interface MailHead {
  readonly headers: ReadonlyArray<MailHeader>
  readonly fromEmail: string | null
  readonly subject: string
}

/** The part of a message that we read. Third-party text: data, never instructions. */
export interface MailContent extends MailHead {
  readonly text: string
  /** Safe to display; null: none. */
  readonly html: string | null
  /** Whether the server has more of it than was read. */
  readonly truncated: boolean
  readonly parts: ReadonlyArray<MailPart>
  /** The DMARC aggregate report that it holds, if its header or an attachment's name says that it does. */
  readonly aggregate?: AttachedReport
}

/** A message of which only the header is known. */
export const headAlone = ({ fromEmail, headers, subject }: MailHead): MailContent => ({
  fromEmail,
  headers,
  subject,
  text: "",
  html: null,
  truncated: true,
  parts: []
})

/** All values of a field, in order. */
export const valuesOf = (headers: ReadonlyArray<MailHeader>, name: string): ReadonlyArray<string> =>
  headers.flatMap((header) => (header.name === name ? [header.value.trim()] : []))

/** The first value of a field, or "". */
export const valueOf = (headers: ReadonlyArray<MailHeader>, name: string): string => valuesOf(headers, name)[0] ?? ""

/** Parses header fields (RFC 5322): a line that starts with white space continues the previous one. */
export const fieldsOf = (block: string): ReadonlyArray<MailHeader> =>
  block
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(":")
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
      return /^[!-9;-~]+$/.test(name) ? [{ name, value: line.slice(colon + 1).trim() }] : []
    })

/** Longest field that we search for an address. */
const ADDRESS_FIELD_CHARS_MAX = 1000

/** The first address in a report's field, such as `rfc822; <pat@example.com>`. */
export const addressIn = (value: string): string | null => {
  const text = value.slice(0, ADDRESS_FIELD_CHARS_MAX)
  // A local part in quotation marks is no word.
  return addressAmong(text) ?? [...addressesIn(text)][0] ?? null
}
