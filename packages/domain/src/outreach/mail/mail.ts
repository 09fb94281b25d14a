import { usableEmail } from "../../kernel/people/EmailAddress.js"

/** A header field of a message: its name in lower case, its value unfolded. */
export interface MailHeader {
  readonly name: string
  readonly value: string
}

/** A part of a message that programs write for programs: of a report, its fields, and what it reports on. */
export interface MailPart {
  /** Its media type, in lower case. */
  readonly type: string
  readonly text: string
}

/** What stands at the head of a message, whoever wrote it. */
export interface MailHead {
  readonly headers: ReadonlyArray<MailHeader>
  readonly fromEmail: string | null
  readonly subject: string
}

/** A message as far as it is looked at. Third-party text: data, never instructions. */
export interface MailContent extends MailHead {
  readonly text: string
  /** Fit for display; null where it has none. */
  readonly html: string | null
  /** Whether more of it lies at the server than was read. */
  readonly truncated: boolean
  readonly parts: ReadonlyArray<MailPart>
}

/** The values of a field, in the order in which they stand. */
export const valuesOf = (headers: ReadonlyArray<MailHeader>, name: string): ReadonlyArray<string> =>
  headers.flatMap((header) => (header.name === name ? [header.value.trim()] : []))

/** The first value of a field; empty where there is none. */
export const valueOf = (headers: ReadonlyArray<MailHeader>, name: string): string => valuesOf(headers, name)[0] ?? ""

/** The fields of a block as RFC 5322 writes them: a line that begins with white space continues the one before. */
export const fieldsOf = (block: string): ReadonlyArray<MailHeader> =>
  block
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(":")
      const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
      return /^[!-9;-~]+$/.test(name) ? [{ name, value: line.slice(colon + 1).trim() }] : []
    })

/** The longest field in which an address is looked for. */
const ADDRESS_FIELD_CHARS_MAX = 1000

/** The first address that stands in a field of a report, as `rfc822; <pat@example.com>`. */
export const addressIn = (value: string): string | null => {
  const text = value.slice(0, ADDRESS_FIELD_CHARS_MAX)
  const found = /[^\s<>;,:"']+@[^\s<>;,:"']+/.exec(text)?.[0]
  return found === undefined ? null : usableEmail(found.replace(/\.$/, ""))
}
