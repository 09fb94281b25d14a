/** Conversion between a directory's people and companies and their tables. */
import { companyKeysOf, personKeysOf } from "@outbound/domain/data/directory/matched.js"
import type { KeptCompany, KeptPerson } from "@outbound/domain/data/directory/Records.js"
import { EMAIL_STATUSES } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { Schema } from "effect"
import { jsonRows, Millis } from "../Columns.js"

const Text = Schema.NullOr(Schema.String)

/** Each field with its column and the column's type. */
type Columns<Row> = Readonly<Record<keyof Row & string, readonly [column: string, type: string]>>

const PERSON: Columns<KeptPerson> = {
  fingerprint: ["fingerprint", "text"],
  fullName: ["full_name", "text"],
  firstName: ["first_name", "text"],
  lastName: ["last_name", "text"],
  title: ["title", "text"],
  companyName: ["company_name", "text"],
  companyDomain: ["company_domain", "text"],
  headcount: ["headcount", "integer"],
  industry: ["industry", "text"],
  city: ["city", "text"],
  region: ["region", "text"],
  country: ["country", "text"],
  workEmail: ["work_email", "text"],
  emailStatus: ["email_status", "text"],
  mobilePhone: ["mobile_phone", "text"],
  socialUrl: ["social_url", "text"],
  observedAtMillis: ["observed_at", "timestamptz"],
  importedAtMillis: ["imported_at", "timestamptz"]
}

const COMPANY: Columns<KeptCompany> = {
  domain: ["domain", "text"],
  name: ["name", "text"],
  description: ["description", "text"],
  specialties: ["specialties", "text[]"],
  socialUrl: ["social_url", "text"],
  headcount: ["headcount", "integer"],
  industry: ["industry", "text"],
  city: ["city", "text"],
  region: ["region", "text"],
  country: ["country", "text"],
  foundedYear: ["founded_year", "integer"],
  totalFundingUsd: ["total_funding_usd", "double precision"],
  lastFundingRoundDate: ["last_funding_round_date", "date"],
  lastFundingRoundAmountUsd: ["last_funding_round_amount_usd", "double precision"],
  jobsLast30Days: ["jobs_last_30_days", "integer"],
  observedAtMillis: ["observed_at", "timestamptz"],
  importedAtMillis: ["imported_at", "timestamptz"]
}

const PLACE_KEYS = ["city_key", "region_key", "country_key"]

interface Table {
  readonly name: string
  /** The select list. */
  readonly read: string
  /** Every column but the workspace, in write order. */
  readonly written: ReadonlyArray<readonly [column: string, type: string]>
  readonly key: string
}

const tableOf = <Row>(name: string, columns: Columns<Row>, key: string, keys: ReadonlyArray<string>): Table => ({
  name,
  read: Object.entries<readonly [string, string]>(columns)
    .map(([member, [column]]) => `${column} AS "${member}"`)
    .join(", "),
  written: [
    ...Object.values<readonly [string, string]>(columns),
    ...[...PLACE_KEYS, ...keys].map((column) => [column, "text"] as const)
  ],
  key
})

export const PEOPLE_TABLE = tableOf("directory_people", PERSON, "fingerprint", [
  "title_folded",
  "name_key",
  "company_key",
  "social_key"
])
export const COMPANIES_TABLE = tableOf("directory_companies", COMPANY, "domain", [
  "name_key",
  "about_folded",
  "words_folded"
])

export const PersonRow = Schema.Struct({
  fingerprint: Schema.String,
  fullName: Text,
  firstName: Text,
  lastName: Text,
  title: Text,
  companyName: Text,
  companyDomain: Text,
  headcount: Schema.NullOr(Schema.Int),
  industry: Text,
  city: Text,
  region: Text,
  country: Text,
  workEmail: Text,
  emailStatus: Schema.NullOr(Schema.Literal(...EMAIL_STATUSES)),
  mobilePhone: Text,
  socialUrl: Text,
  observedAtMillis: Schema.NullOr(Millis),
  importedAtMillis: Millis
})

export const CompanyRow = Schema.Struct({
  domain: Schema.String,
  name: Text,
  description: Text,
  specialties: Schema.Array(Schema.String),
  socialUrl: Text,
  headcount: Schema.NullOr(Schema.Int),
  industry: Text,
  city: Text,
  region: Text,
  country: Text,
  foundedYear: Schema.NullOr(Schema.Int),
  totalFundingUsd: Schema.NullOr(Schema.Number),
  lastFundingRoundDate: Text,
  lastFundingRoundAmountUsd: Schema.NullOr(Schema.Number),
  jobsLast30Days: Schema.NullOr(Schema.Int),
  observedAtMillis: Schema.NullOr(Millis),
  importedAtMillis: Millis
})

const timestamp = (millis: number | null): string | null => (millis === null ? null : new Date(millis).toISOString())

const toRow = <Row extends { readonly observedAtMillis: number | null; readonly importedAtMillis: number }>(
  columns: Columns<Row>,
  row: Row
) => ({
  ...Object.fromEntries(
    Object.entries<readonly [string, string]>(columns).map(([member, [column]]) => [column, row[member as keyof Row]])
  ),
  observed_at: timestamp(row.observedAtMillis),
  imported_at: timestamp(row.importedAtMillis)
})

export const toPersonRow = (person: KeptPerson) => {
  const keys = personKeysOf(person)
  return {
    ...toRow(PERSON, person),
    city_key: keys.cityKey,
    region_key: keys.regionKey,
    country_key: keys.countryKey,
    title_folded: keys.titleFolded,
    name_key: keys.nameKey,
    company_key: keys.companyKey,
    social_key: keys.socialKey
  }
}

export const toCompanyRow = (company: KeptCompany) => {
  const keys = companyKeysOf(company)
  return {
    ...toRow(COMPANY, company),
    city_key: keys.cityKey,
    region_key: keys.regionKey,
    country_key: keys.countryKey,
    name_key: keys.nameKey,
    about_folded: keys.aboutFolded,
    words_folded: keys.wordsFolded
  }
}

/** NUL and lone surrogates as JSON escapes. */
const UNSTORABLE = /\\u(?:0000|d[89a-f])/

/** Rows as one parameter of `json_to_recordset`, without nulls. Most rows need no cleaning, so one test comes first. */
export const rowsText = (rows: ReadonlyArray<object>): string => {
  const text = JSON.stringify(rows, (_name, value: unknown) => value ?? undefined)
  return UNSTORABLE.test(text) ? jsonRows(rows) : text
}
