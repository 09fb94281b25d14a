/** Reads a list of recipients. Every row is a recipient, a repetition, or reported as invalid. */
import { issuesOf } from "@outbound/domain/calls/issues.js"
import { isRefused, readRecipient } from "@outbound/domain/outreach/campaigns/recipients/readRecipient.js"
import { RecipientField, RECIPIENTS_MAX } from "@outbound/domain/verbs/campaignFields.js"
import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import { readTable, type TableRow } from "@outbound/domain/kernel/tables/Table.js"
import { Result, Schema } from "effect"
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
const textOf = (bytes: Uint8Array): string => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new UnusableFile("the file is not UTF-8. Save it as CSV UTF-8.")
  }
}

const columnOf = (header: string): string => {
  const name = header.trim()
  const standard = name.toLowerCase().replaceAll(/[\s-]+/g, "_")
  return STANDARD.has(standard) ? standard : name
}

/** The columns by the names that recipients have, or why the list can't be used. */
const columnsOf = (headings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const columns = headings.map(columnOf)
  if (!columns.includes("email")) {
    throw new UnusableFile(`the file has no column "email". Its columns: ${columns.join(", ")}.`)
  }
  const twice = columns.find((column, index) => columns.indexOf(column) !== index)
  if (twice !== undefined) throw new UnusableFile(`the file has two columns "${twice}".`)
  return columns
}

const decodeRecipient = Schema.decodeUnknownResult(RecipientField, { errors: "all" })

/** A recipient with an address. */
type Row = RecipientField & { readonly email: string }

interface Flaw {
  readonly reason: string
  /** Whom the row says not to mail; null: it doesn't. */
  readonly refused: string | null
}

const flaw = (reason: string, refused: string | null = null): Result.Result<never, Flaw> =>
  Result.fail({ reason, refused })

const recipientOf = (row: Readonly<Record<string, string>>): Result.Result<Row, Flaw> => {
  const email = row["email"] ?? ""
  if (email.trim() === "") return flaw("no email")
  const address = usableEmail(email)
  if (address === null) return flaw(`"${email}" is not an email address`)
  const filled = Object.entries(row).filter(([, value]) => value !== "")
  const custom = Object.fromEntries(filled.filter(([column]) => !STANDARD.has(column)))
  const recipient = {
    ...Object.fromEntries(filled.filter(([column]) => STANDARD.has(column))),
    ...(Object.keys(custom).length === 0 ? {} : { custom })
  }
  if (JSON.stringify(recipient).includes("\\u0000")) return flaw("it contains a NUL character")
  const decoded = Result.mapError(decodeRecipient(recipient), (error): Flaw => ({
    reason: issuesOf(error)
      .map(({ message, path }) => `${path}: ${message}`)
      .join("; "),
    refused: null
  }))
  return Result.flatMap(decoded, (given) => {
    const read = readRecipient(given)
    return read.faults.length === 0
      ? Result.succeed({ ...given, email })
      : flaw(
          read.faults.map(({ field, message }) => `${field}: ${message}`).join("; "),
          isRefused(read) ? address : null
        )
  })
}

const recordOf = (columns: ReadonlyArray<string>, row: TableRow): Result.Result<Row, Flaw> => {
  const { cells, width } = row
  if (row.flaw !== null) return flaw(`${row.flaw.what}. ${row.flaw.mend}`)
  if (width > columns.length) return flaw(`the row has ${width} cells, but the heading has ${columns.length}`)
  return recipientOf(Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""])))
}

/** Reads a list. Fails with `UnusableFile` when nothing of it can be used. */
export const parseRecipients = (bytes: Uint8Array): RecipientList => {
  const { head, rows } = readTable(textOf(bytes), { isHeading: (cell) => STANDARD.has(columnOf(cell)) })
  const columns = columnsOf(head.headingLine === null ? [] : head.columns)
  const bad: Array<BadRow> = []
  const recipients: Array<Row> = []
  const repeated: Array<{ line: number; email: string }> = []
  const seen = new Set<string>()
  const read = rows
    .filter(({ kind }) => kind === "row" || kind === "flawed")
    .map((row) => ({ line: row.line, recipient: recordOf(columns, row) }))
  // One row that says no is enough.
  const refused = new Set(read.map(({ recipient }) => (Result.isFailure(recipient) ? recipient.failure.refused : null)))
  for (const { line, recipient } of read) {
    if (Result.isFailure(recipient)) {
      bad.push({ line, reason: recipient.failure.reason })
      continue
    }
    const address = usableEmail(recipient.success.email) ?? recipient.success.email
    if (refused.has(address)) {
      bad.push({ line, reason: "another row says that they must not be mailed" })
      continue
    }
    if (seen.has(address)) repeated.push({ line, email: recipient.success.email })
    else recipients.push(recipient.success)
    seen.add(address)
  }
  if (recipients.length > RECIPIENTS_MAX) {
    throw new UnusableFile(
      `the file has ${recipients.length} recipients, but a campaign can have at most ${RECIPIENTS_MAX}. Split it.`
    )
  }
  if (recipients.length === 0 && bad.length === 0) throw new UnusableFile("the file has no rows.")
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
