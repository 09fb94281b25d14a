import { issuesOf } from "@outbound/domain/calls/issues.js"
import { chooseColumns } from "@outbound/domain/control/suppressionImport/chooseColumns.js"
import { columnNamed } from "@outbound/domain/data/directory/columns.js"
import { mailRefusal, REFUSAL_WORDS, REFUSED_MEND } from "@outbound/domain/kernel/people/mailRefusals.js"
import { oneAddress } from "@outbound/domain/kernel/tables/cellAddresses.js"
import type { TableRow } from "@outbound/domain/kernel/tables/Table.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { EnrichPeople, LIST_ROWS_MAX, VerifyEmails } from "@outbound/domain/verbs/Lists.js"
import { EnrichPerson } from "@outbound/domain/verbs/Enrich.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Result, Schema } from "effect"
import type { Csv } from "./readCsv.js"

/** What can be asked of a list. */
export const LIST_KINDS = ["verify_emails", "enrich_people"] as const
export type ListKind = (typeof LIST_KINDS)[number]

export const KIND_WORDS: Readonly<Record<ListKind, string>> = {
  verify_emails: "Check whether addresses exist",
  enrich_people: "Find people’s work addresses and mobile numbers"
}

export const VERBS: Readonly<Record<ListKind, AnyVerb>> = { verify_emails: VerifyEmails, enrich_people: EnrichPeople }

/** What a column may hold. */
const FIELDS = {
  email: "Email address",
  full_name: "Full name",
  first_name: "First name",
  last_name: "Last name",
  company_domain: "Company’s domain",
  company_name: "Company’s name",
  social_url: "Profile’s URL",
  title: "Job title"
} as const

export type ListField = keyof typeof FIELDS

export const fieldWordsOf = (field: ListField): string => FIELDS[field]

export const FIELDS_OF: Readonly<Record<ListKind, ReadonlyArray<ListField>>> = {
  verify_emails: ["email"],
  enrich_people: Object.keys(FIELDS) as ReadonlyArray<ListField>
}

/** Which column holds each field; absent: none does. */
export type Mapping = Readonly<Partial<Record<ListField, number>>>

/** Finds columns by their headings, and addresses by what the columns hold. */
export const guess = (kind: ListKind, { columns, head, rows }: Csv): Mapping => {
  const mapping: Partial<Record<ListField, number>> = {}
  for (const field of FIELDS_OF[kind]) {
    const found = columns.findIndex((name) => head.headingLine !== null && columnNamed("people", name) === field)
    if (found !== -1 && field !== "email") mapping[field] = found
  }
  const [email, ...more] = chooseColumns(head, rows).chosen
  if (email !== undefined && (kind === "verify_emails" || more.length === 0)) mapping.email = email
  return mapping
}

/** Why somebody should look at the columns; empty: their meaning is certain. */
export const doubtsOf = ({ head, rows }: Csv, mapping: Mapping): ReadonlyArray<string> => {
  const { chosen, columns, doubts } = chooseColumns(head, rows)
  const others = columns.filter(({ index }) => chosen.includes(index) && index !== mapping.email)
  return mapping.email === undefined || others.length === 0
    ? doubts.filter(() => mapping.email !== undefined)
    : [...doubts, ...others.map(({ name }) => `“${name}” holds addresses too, and is not asked about.`)]
}

export interface BadRow {
  readonly line: number
  readonly column: string | null
  readonly value: string
  /** After "line 3". */
  readonly reason: string
  readonly remedy: string
  readonly written: ReadonlyArray<string>
}

/** Each row of the list is asked, a repetition, empty or bad. */
export interface ListRows {
  /** What is asked of each good row. */
  readonly asked: ReadonlyArray<string | JsonObject>
  /** The rows that are asked about, as they were uploaded. */
  readonly taken: ReadonlyArray<TableRow>
  readonly repeated: number
  readonly empty: number
  /** Rows that are not asked about, repetitions among them. */
  readonly bad: ReadonlyArray<BadRow>
  /** The addresses of those among them who said no. */
  readonly refusing: ReadonlyArray<string>
}

const decodePerson = Schema.decodeUnknownResult(EnrichPerson)

interface Flaw {
  readonly field: ListField | null
  readonly value: string
  readonly reason: string
  readonly remedy: string
}

type Read = Result.Result<string | JsonObject, Flaw>

/** The one address of a cell. */
const emailOf = (cell: string): Result.Result<string, Flaw> => {
  const read = oneAddress(cell)
  const flaw = (reason: string, remedy: string) => Result.fail({ field: "email" as const, value: cell, reason, remedy })
  if (read === null) return flaw("has no address", "Enter an address, or leave the row out.")
  return "email" in read ? Result.succeed(read.email) : flaw(`is left out: ${read.what}`, read.mend)
}

const decoded = (fields: JsonObject): Read =>
  Result.mapBoth(decodePerson(fields), {
    onFailure: (error) => {
      const issues = issuesOf(error)
      const [name = ""] = (issues[0]?.path ?? "").split(".", 1)
      const field = Object.hasOwn(FIELDS, name) ? (name as ListField) : null
      return {
        field,
        value: field === null ? "" : String(fields[field] ?? ""),
        reason: issues
          .map(({ message, path }) => (path === "" ? message : `${path.replaceAll(/[._]/g, " ")} ${message}`))
          .join("; "),
        remedy: "Complete or correct the row."
      }
    },
    onSuccess: () => fields
  })

const personOf = (fields: JsonObject): Read => {
  if (Object.keys(fields).length === 0) {
    return Result.fail({ field: null, value: "", reason: "is empty", remedy: "Choose what its columns hold." })
  }
  const email = fields["email"]
  if (typeof email !== "string") return decoded(fields)
  return Result.flatMap(emailOf(email), (address) => decoded({ ...fields, email: address }))
}

const cellsOf = (row: TableRow, mapping: Mapping): JsonObject =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([field, index]) => {
      const cell = row.cells[index] ?? ""
      return cell === "" ? [] : [[field, cell]]
    })
  )

const addressOf = (row: TableRow, mapping: Mapping): string | null => {
  const read = mapping.email === undefined ? null : oneAddress(row.cells[mapping.email] ?? "")
  return read !== null && "email" in read ? read.email : null
}

interface Refusing {
  readonly refused: ReadonlyMap<TableRow, Flaw & { readonly index: number }>
  /** The line that says so, by address. */
  readonly said: ReadonlyMap<string, number>
}

/** Rows of people who said no to mail, by the list's own columns; a further row of theirs doesn't bring them back. */
const refusedOf = ({ columns, head, rows }: Csv, mapping: Mapping): Refusing => {
  const refused = new Map<TableRow, Flaw & { index: number }>()
  const said = new Map<string, number>()
  if (head.headingLine === null) return { refused, said }
  const mapped = new Set(Object.values(mapping))
  for (const row of rows) {
    const cells = columns.map((name, index) => [name, mapped.has(index) ? "" : (row.cells[index] ?? "")] as const)
    const found = row.kind === "row" ? mailRefusal(cells) : null
    if (found === null || found.word === "bounced") continue
    const index = columns.indexOf(found.heading)
    const reason = `is left out: "${found.heading}" ${REFUSAL_WORDS[found.word]}`
    refused.set(row, { field: null, index, value: found.value, reason, remedy: REFUSED_MEND })
    const address = addressOf(row, mapping)
    if (address !== null && !said.has(address)) said.set(address, row.line)
  }
  if (said.size === 0) return { refused, said }
  for (const row of rows) {
    const line = said.get(addressOf(row, mapping) ?? "")
    if (line === undefined || refused.has(row)) continue
    const reason = `is left out: line ${line} says that they must not be mailed`
    refused.set(row, {
      field: "email",
      index: mapping.email ?? 0,
      value: row.cells[mapping.email ?? 0] ?? "",
      reason,
      remedy: REFUSED_MEND
    })
  }
  return { refused, said }
}

/** What is asked of each row, and what is wrong with which line. A row like an earlier one is not asked again. */
export const rowsOf = (kind: ListKind, csv: Csv, mapping: Mapping): ListRows => {
  const { columns, rows } = csv
  const { refused, said } = refusedOf(csv, mapping)
  const asked: Array<string | JsonObject> = []
  const taken: Array<TableRow> = []
  const bad: Array<BadRow> = []
  const lines = new Map<string, number>()
  let [repeated, empty] = [0, 0]
  for (const row of rows) {
    const { flaw, kind: is, line, written } = row
    if (is === "empty" || is === "heading") {
      empty += 1
      continue
    }
    const say = ({ field, reason, remedy, value }: Flaw) => {
      const index = field === null ? undefined : mapping[field]
      bad.push({ line, column: index === undefined ? null : (columns[index] ?? null), value, reason, remedy, written })
    }
    if (flaw !== null) {
      say({ field: null, value: "", reason: `is left out: ${flaw.what}`, remedy: flaw.mend })
      continue
    }
    const no = refused.get(row)
    if (no !== undefined) {
      bad.push({
        line,
        column: columns[no.index] ?? null,
        value: no.value,
        reason: no.reason,
        remedy: no.remedy,
        written
      })
      continue
    }
    const cells = cellsOf(row, mapping)
    const read = kind === "verify_emails" ? emailOf(String(cells["email"] ?? "")) : personOf(cells)
    if (Result.isFailure(read)) {
      const beyond = row.width > columns.length
      const reason = `${read.failure.reason}; it has ${row.width} cells, but the heading has ${columns.length}`
      say(beyond ? { ...read.failure, reason } : read.failure)
      continue
    }
    const same = JSON.stringify(read.success)
    const value = typeof read.success === "string" ? read.success : ""
    const earlier = lines.get(same)
    if (earlier !== undefined) {
      repeated += 1
      say({ field: null, value, reason: `is the same as line ${earlier}`, remedy: "Nothing: it is asked once." })
    } else if (asked.length === LIST_ROWS_MAX) {
      const reason = `is beyond the ${LIST_ROWS_MAX} rows of a list`
      say({ field: null, value, reason, remedy: "Bring it in a second list." })
    } else {
      lines.set(same, line)
      asked.push(read.success)
      taken.push(row)
    }
  }
  return { asked, taken, repeated, empty, bad, refusing: [...said.keys()] }
}
