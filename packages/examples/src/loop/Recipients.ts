/** Reads a list of recipients. Every row is a recipient, a repetition, or reported as invalid. */
import { readRecipient } from "@outbound/domain/outreach/campaigns/recipients/readRecipient.js"
import { RecipientField, RECIPIENTS_MAX } from "@outbound/domain/verbs/campaignFields.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { type CsvError, parse } from "csv-parse/sync"
import { Either, ParseResult, Schema } from "effect"
import { readFileSync } from "node:fs"
import { Foreseen } from "./Foreseen.js"

export interface BadRow {
  readonly line: number
  readonly reason: string
}

export interface RecipientList {
  readonly recipients: ReadonlyArray<RecipientField>
  readonly bad: ReadonlyArray<BadRow>
  /** Rows whose address is in an earlier row. */
  readonly repeated: ReadonlyArray<{ readonly line: number; readonly email: string }>
  readonly rows: number
}

/** The file as a whole can't be used. */
export class UnusableFile extends Foreseen {}

const STANDARD = new Set(["email", "first_name", "last_name", "company_name"])
const DELIMITERS = [",", ";", "\t", "|"]

const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new UnusableFile("the file is not UTF-8. Save it as CSV UTF-8.")
  }
}

/** Spreadsheets write what their language separates with: the header line tells. */
export const delimiterOf = (text: string): string => {
  const header = text.split(/\r?\n/, 1)[0] ?? ""
  const counts = DELIMITERS.map((delimiter) => header.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ","
}

const columnOf = (header: string): string => {
  const name = header.trim()
  const standard = name.toLowerCase().replaceAll(/[\s-]+/g, "_")
  return STANDARD.has(standard) ? standard : name
}

const columnsOf = (headers: ReadonlyArray<string>): Array<string> => {
  const columns = headers.map(columnOf)
  if (!columns.includes("email")) {
    throw new UnusableFile(`the file has no column "email". Its columns: ${columns.join(", ")}.`)
  }
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined) throw new UnusableFile(`the file has two columns "${twice}".`)
  if (columns.includes("")) throw new UnusableFile("a column has no name.")
  return columns
}

const decodeRecipient = Schema.decodeUnknownEither(RecipientField, { errors: "all" })

/** A recipient with an address. */
type Row = RecipientField & { readonly email: string }

const recipientOf = (row: Readonly<Record<string, string>>): Either.Either<Row, string> => {
  const email = row["email"] ?? ""
  if (email.trim() === "") return Either.left("no email")
  if (usableEmail(email) === null) return Either.left(`"${email}" is not an email address`)
  const filled = Object.entries(row).filter(([, value]) => value !== "")
  const custom = Object.fromEntries(filled.filter(([column]) => !STANDARD.has(column)))
  const recipient = {
    ...Object.fromEntries(filled.filter(([column]) => STANDARD.has(column))),
    ...(Object.keys(custom).length === 0 ? {} : { custom })
  }
  if (JSON.stringify(recipient).includes("\\u0000")) return Either.left("it contains a NUL character")
  const decoded = Either.mapLeft(decodeRecipient(recipient), (error) =>
    ParseResult.ArrayFormatter.formatErrorSync(error)
      .map(({ message, path }) => `${path.join(".")}: ${message}`)
      .join("; ")
  )
  return Either.flatMap(decoded, (read) => {
    const { faults } = readRecipient(read)
    return faults.length === 0
      ? Either.right({ ...read, email })
      : Either.left(faults.map(({ field, message }) => `${field}: ${message}`).join("; "))
  })
}

interface ParsedRow {
  /** `lines`: the one at which the row ends. */
  readonly info: { readonly lines: number }
  readonly record: Readonly<Record<string, string>>
}

/** Reads a list. Fails with `UnusableFile` when nothing of it can be used. */
export const parseRecipients = (bytes: Uint8Array): RecipientList => {
  const text = textOf(bytes)
  const bad: Array<BadRow> = []
  const rows = parse(text, {
    bom: true,
    columns: columnsOf,
    delimiter: delimiterOf(text),
    info: true,
    relax_column_count_less: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    trim: true,
    on_skip: (error: CsvError | undefined) => {
      // A header that can't be used is no row that can be left out.
      if (error === undefined) return
      bad.push({ line: Number(error["lines"] ?? 0), reason: error.message })
    }
  }) as unknown as ReadonlyArray<ParsedRow>

  const recipients: Array<Row> = []
  const repeated: Array<{ line: number; email: string }> = []
  const seen = new Set<string>()
  for (const { info, record } of rows) {
    const recipient = recipientOf(record)
    if (Either.isLeft(recipient)) {
      bad.push({ line: info.lines, reason: recipient.left })
      continue
    }
    const address = usableEmail(recipient.right.email) ?? recipient.right.email
    if (seen.has(address)) repeated.push({ line: info.lines, email: recipient.right.email })
    else recipients.push(recipient.right)
    seen.add(address)
  }
  if (recipients.length > RECIPIENTS_MAX) {
    throw new UnusableFile(
      `the file has ${recipients.length} recipients, but a campaign can have at most ${RECIPIENTS_MAX}. Split it.`
    )
  }
  if (recipients.length === 0 && bad.length === 0) throw new UnusableFile("the file has no rows.")
  bad.sort((a, b) => a.line - b.line)
  return { recipients, bad, repeated, rows: recipients.length + repeated.length + bad.length }
}

export const readRecipients = (path: string): RecipientList => {
  try {
    return parseRecipients(readFileSync(path))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnusableFile(`${path} can't be used: ${reason}`)
  }
}
