/** Reads a list of recipients. Every row is a recipient, a repetition, or reported as invalid. */
import { issuesOf } from "@outbound/domain/calls/issues.js"
import { readRecipient } from "@outbound/domain/outreach/campaigns/recipients/readRecipient.js"
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

const recipientOf = (row: Readonly<Record<string, string>>): Result.Result<Row, string> => {
  const email = row["email"] ?? ""
  if (email.trim() === "") return Result.fail("no email")
  if (usableEmail(email) === null) return Result.fail(`"${email}" is not an email address`)
  const filled = Object.entries(row).filter(([, value]) => value !== "")
  const custom = Object.fromEntries(filled.filter(([column]) => !STANDARD.has(column)))
  const recipient = {
    ...Object.fromEntries(filled.filter(([column]) => STANDARD.has(column))),
    ...(Object.keys(custom).length === 0 ? {} : { custom })
  }
  if (JSON.stringify(recipient).includes("\\u0000")) return Result.fail("it contains a NUL character")
  const decoded = Result.mapError(decodeRecipient(recipient), (error) =>
    issuesOf(error)
      .map(({ message, path }) => `${path}: ${message}`)
      .join("; ")
  )
  return Result.flatMap(decoded, (read) => {
    const { faults } = readRecipient(read)
    return faults.length === 0
      ? Result.succeed({ ...read, email })
      : Result.fail(faults.map(({ field, message }) => `${field}: ${message}`).join("; "))
  })
}

const recordOf = (columns: ReadonlyArray<string>, { cells, flaw, width }: TableRow): Result.Result<Row, string> => {
  if (flaw !== null) return Result.fail(`${flaw.what}. ${flaw.mend}`)
  if (width > columns.length) return Result.fail(`the row has ${width} cells, but the heading has ${columns.length}`)
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
  for (const row of rows.filter(({ kind }) => kind === "row" || kind === "flawed")) {
    const { line } = row
    const recipient = recordOf(columns, row)
    if (Result.isFailure(recipient)) {
      bad.push({ line, reason: recipient.failure })
      continue
    }
    const address = usableEmail(recipient.success.email) ?? recipient.success.email
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
