/** Conversion between a directory's people and companies and their tables. */
import { companyKeysOf, personKeysOf } from "@outbound/domain/data/directory/matched.js"
import type { KeptCompany, KeptPerson } from "@outbound/domain/data/directory/Records.js"
import { EMAIL_STATUSES } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Schema } from "effect"
import { date, jsonRows, Millis } from "../Columns.js"
import type { SqlClient } from "../Sql.js"
import { columnNameOf, lockNamed, textsOrNull } from "../Table.js"

export const PersonRow = Schema.Struct({
  fingerprint: Schema.String,
  ...textsOrNull("fullName", "firstName", "lastName", "title", "companyName", "companyDomain"),
  headcount: Schema.NullOr(Schema.Int),
  ...textsOrNull("industry", "city", "region", "country", "workEmail"),
  emailStatus: Schema.NullOr(Schema.Literals(EMAIL_STATUSES)),
  ...textsOrNull("mobilePhone", "socialUrl"),
  observedAtMillis: Schema.NullOr(Millis),
  importedAtMillis: Millis,
  listFile: Schema.NullOr(Schema.String),
  listLine: Schema.NullOr(Schema.Int)
})

export const CompanyRow = Schema.Struct({
  domain: Schema.String,
  ...textsOrNull("name", "description"),
  specialties: Schema.Array(Schema.String),
  socialUrl: Schema.NullOr(Schema.String),
  headcount: Schema.NullOr(Schema.Int),
  ...textsOrNull("industry", "city", "region", "country"),
  foundedYear: Schema.NullOr(Schema.Int),
  totalFundingUsd: Schema.NullOr(Schema.Number),
  lastFundingRoundDate: Schema.NullOr(Schema.String),
  lastFundingRoundAmountUsd: Schema.NullOr(Schema.Number),
  jobsLast30Days: Schema.NullOr(Schema.Int),
  observedAtMillis: Schema.NullOr(Millis),
  importedAtMillis: Millis
})

/** The types of columns that are no texts. */
const TYPES: Readonly<Record<string, string>> = {
  headcount: "integer",
  specialties: "text[]",
  founded_year: "integer",
  total_funding_usd: "double precision",
  last_funding_round_date: "date",
  last_funding_round_amount_usd: "double precision",
  jobs_last_30_days: "integer",
  observed_at: "timestamptz",
  imported_at: "timestamptz",
  list_line: "integer"
}

/** The column of a field. */
const columnOf = (field: string): string => (field === "jobsLast30Days" ? "jobs_last_30_days" : columnNameOf(field))

const PLACE_KEYS = ["city_key", "region_key", "country_key"]

interface Table {
  readonly name: string
  /** The select list. */
  readonly read: string
  /** Every column but the workspace, in write order. */
  readonly written: ReadonlyArray<readonly [column: string, type: string]>
  readonly key: string
}

const tableOf = (
  name: string,
  row: { readonly fields: Schema.Struct.Fields },
  key: string,
  keys: ReadonlyArray<string>
): Table => {
  const fields = Object.keys(row.fields)
  return {
    name,
    read: fields.map((field) => `${columnOf(field)} AS "${field}"`).join(", "),
    written: [...fields.map(columnOf), ...PLACE_KEYS, ...keys].map((column) => [column, TYPES[column] ?? "text"]),
    key
  }
}

export const PEOPLE_TABLE = tableOf("directory_people", PersonRow, "fingerprint", [
  "title_folded",
  "name_key",
  "company_key",
  "social_key"
])
export const COMPANIES_TABLE = tableOf("directory_companies", CompanyRow, "domain", [
  "name_key",
  "about_folded",
  "words_folded"
])

/** A row to write: what is kept of somebody, and the keys by which it is matched. */
const toRow = <Keys extends object>(
  kept: { readonly observedAtMillis: number | null; readonly importedAtMillis: number },
  keys: Keys
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({ ...kept, ...keys }).map(([field, value]) => [
      columnOf(field),
      field.endsWith("Millis") && typeof value === "number" ? date(value) : value
    ])
  )

export const toPersonRow = (person: KeptPerson) => toRow(person, personKeysOf(person))

export const toCompanyRow = (company: KeptCompany) => toRow(company, companyKeysOf(company))

/** NUL and lone surrogates as JSON escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** Rows and their JSON. Most rows need no cleaning, so one test comes first. */
const storable = (text: string, rows: ReadonlyArray<object>): string => (UNSTORABLE.test(text) ? jsonRows(rows) : text)

/** Rows as one parameter of `json_to_recordset`, without nulls. */
export const rowsText = (rows: ReadonlyArray<object>): string =>
  storable(
    JSON.stringify(rows, (_name, value: unknown) => value ?? undefined),
    rows
  )

/** The same of rows that hold no nulls, a few times faster. */
export const bareRowsText = (rows: ReadonlyArray<object>): string => storable(JSON.stringify(rows), rows)

/** Taken by every change of the people in a workspace's directory, until its transaction ends. */
export const directoryLock = (sql: SqlClient, workspaceId: string) =>
  lockNamed(sql, "directory.lock", `directory ${workspaceId}`)
