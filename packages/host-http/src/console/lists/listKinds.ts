import { usableEmail } from "@outbound/domain/kernel/people/EmailAddress.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { EnrichPeople, LIST_ROWS_MAX, VerifyEmails } from "@outbound/domain/verbs/Lists.js"
import { EnrichPerson } from "@outbound/domain/verbs/Enrich.js"
import type { AnyVerb } from "@outbound/domain/verbs/Verb.js"
import { Either, ParseResult, Schema } from "effect"
import type { Csv, CsvRow } from "./readCsv.js"

/** What can be asked of a list. */
export const LIST_KINDS = ["verify_emails", "enrich_people"] as const
export type ListKind = (typeof LIST_KINDS)[number]

export const KIND_WORDS: Readonly<Record<ListKind, string>> = {
  verify_emails: "Check whether addresses exist",
  enrich_people: "Find people’s work addresses and mobile numbers"
}

export const VERBS: Readonly<Record<ListKind, AnyVerb>> = { verify_emails: VerifyEmails, enrich_people: EnrichPeople }

/** What a column may hold, and the headings by which we recognise it, in lower case without signs. */
const FIELDS = {
  email: ["Email address", ["email", "emailaddress", "mail", "workemail", "address"]],
  full_name: ["Full name", ["fullname", "name", "contact", "person"]],
  first_name: ["First name", ["firstname", "givenname", "vorname"]],
  last_name: ["Last name", ["lastname", "surname", "familyname", "nachname"]],
  company_domain: ["Company’s domain", ["companydomain", "domain", "website", "companywebsite"]],
  company_name: ["Company’s name", ["companyname", "company", "organization", "organisation", "account"]],
  social_url: ["Profile’s URL", ["socialurl", "linkedin", "linkedinurl", "profile", "profileurl"]],
  title: ["Job title", ["title", "jobtitle", "role", "position"]]
} as const satisfies Readonly<Record<string, readonly [words: string, headings: ReadonlyArray<string>]>>

export type ListField = keyof typeof FIELDS

export const fieldWordsOf = (field: ListField): string => FIELDS[field][0]

export const FIELDS_OF: Readonly<Record<ListKind, ReadonlyArray<ListField>>> = {
  verify_emails: ["email"],
  enrich_people: Object.keys(FIELDS) as ReadonlyArray<ListField>
}

/** Which column holds each field; absent: none does. */
export type Mapping = Readonly<Partial<Record<ListField, number>>>

const plain = (heading: string): string => heading.toLowerCase().replaceAll(/[^a-z]/g, "")

/** Finds columns by their headings. A list of addresses alone may have any heading. */
export const guess = (kind: ListKind, { columns }: Csv): Mapping => {
  const mapping: Partial<Record<ListField, number>> = {}
  for (const field of FIELDS_OF[kind]) {
    const headings: ReadonlyArray<string> = FIELDS[field][1]
    const found = columns.findIndex((name) => headings.includes(plain(name)))
    if (found !== -1) mapping[field] = found
  }
  if (kind === "verify_emails" && mapping.email === undefined && columns.length === 1) mapping.email = 0
  return mapping
}

export interface BadRow {
  readonly line: number
  readonly reason: string
}

export interface ListRows {
  /** What is asked of each good row. */
  readonly asked: ReadonlyArray<string | JsonObject>
  readonly bad: ReadonlyArray<BadRow>
}

const decodePerson = Schema.decodeUnknownEither(EnrichPerson)

type Read = Either.Either<string | JsonObject, string>

const emailOf = (cell: string): Read => {
  if (cell === "") return Either.left("has no address")
  const email = usableEmail(cell)
  return email === null ? Either.left("is no email address") : Either.right(email)
}

const personOf = (fields: JsonObject): Read =>
  Object.keys(fields).length === 0
    ? Either.left("is empty")
    : Either.mapBoth(decodePerson(fields), {
        onLeft: (error) =>
          ParseResult.ArrayFormatter.formatErrorSync(error)
            .map(({ message, path }) =>
              path.length === 0 ? message : `${path.join(" ").replaceAll("_", " ")} ${message}`
            )
            .join("; "),
        onRight: () => fields
      })

const cellsOf = (row: CsvRow, mapping: Mapping): JsonObject =>
  Object.fromEntries(
    Object.entries(mapping).flatMap(([field, index]) => {
      const cell = row.cells[index] ?? ""
      return cell === "" ? [] : [[field, cell]]
    })
  )

/** What is asked of each row, and which lines say nothing that can be asked. A row like an earlier one is left out. */
export const rowsOf = (kind: ListKind, { rows }: Csv, mapping: Mapping): ListRows => {
  const asked: Array<string | JsonObject> = []
  const bad: Array<BadRow> = []
  const lines = new Map<string, number>()
  for (const row of rows) {
    const cells = cellsOf(row, mapping)
    const read = kind === "verify_emails" ? emailOf(String(cells["email"] ?? "")) : personOf(cells)
    if (Either.isLeft(read)) {
      bad.push({ line: row.line, reason: read.left })
      continue
    }
    const same = JSON.stringify(read.right)
    const earlier = lines.get(same)
    if (earlier !== undefined) bad.push({ line: row.line, reason: `is the same as line ${earlier}` })
    else if (asked.length === LIST_ROWS_MAX)
      bad.push({ line: row.line, reason: `is beyond the ${LIST_ROWS_MAX} rows of a list` })
    else {
      lines.set(same, row.line)
      asked.push(read.right)
    }
  }
  return { asked, bad }
}
