import { isCrediblePhone, UNPRINTABLE } from "../people/Credible.js"
import { registrableDomain } from "../../kernel/people/Domain.js"
import { oneAddress } from "../../kernel/tables/cellAddresses.js"
import { isFailedFormula } from "../../kernel/text/sheetErrors.js"
import { interpretIndustry } from "../../kernel/people/Industries.js"
import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"
import { COMPANY_DOMAIN, FOUNDED_YEAR_MAX, FOUNDED_YEAR_MIN } from "../../verbs/companyFields.js"
import type { CompanyColumn, PersonColumn } from "./columns.js"
import { socialKeyOf } from "./matched.js"
import { countryCodeOf, isState } from "./Places.js"
import type { DirectoryCompany, DirectoryPerson } from "./Records.js"
import { remembered } from "./remembered.js"

/** A row by column. Empty and absent cells are unknown. */
export type Cells = Readonly<Record<string, string>>

/** A mistake in a cell or row, and how to fix it. */
export interface CellMistake {
  readonly column: string | null
  readonly what: string
  readonly mend: string
  /** Whether the row is left out, not just the cell. */
  readonly isFatal: boolean
}

export interface ReadRow<Row> {
  /** Null: left out. */
  readonly row: Row | null
  readonly mistakes: ReadonlyArray<CellMistake>
}

/** The same bound as for sources. */
const TEXT_CHARS_MAX = 300
const URL_CHARS_MAX = 500
const DESCRIPTION_CHARS_MAX = 5_000
const SPECIALTIES_MAX = 200
const HEADCOUNT_MAX = 10_000_000
const SHOWN_CHARS_MAX = 60

const shown = (text: string): string =>
  `"${text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX).replace(/[\uD800-\uDBFF]$/, "")}…` : text}"`

const STATUSES: Readonly<Record<string, EmailStatus>> = {
  valid: "valid",
  verified: "valid",
  deliverable: "valid",
  ok: "valid",
  invalid: "invalid",
  undeliverable: "invalid",
  bounced: "invalid",
  "not found": "invalid",
  "catch all": "catch_all_unknown",
  "accept all": "catch_all_unknown",
  "catch all unknown": "catch_all_unknown",
  "catch all valid": "catch_all_valid",
  risky: "risky",
  guessed: "risky",
  likely: "risky",
  unknown: "unknown",
  unverified: "unknown",
  unavailable: "unknown"
}

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i

/** Reads the cells of a row and collects mistakes. */
class Reader {
  readonly mistakes: Array<CellMistake> = []

  constructor(private readonly cells: Cells) {}

  wrong(column: string | null, what: string, mend: string, isFatal = false): null {
    this.mistakes.push({ column, what, mend, isFatal })
    return null
  }

  text(column: string, charsMax = TEXT_CHARS_MAX): string | null {
    const text = (this.cells[column] ?? "").replace(/\s+/g, " ").trim()
    if (text === "") return null
    if (text.includes("\uFFFD"))
      return this.wrong(column, "it is not UTF-8", "Save the file as CSV UTF-8, and import it again.", true)
    if (isFailedFormula(text)) {
      const what = `${shown(text)} is what a spreadsheet writes where a formula failed`
      return this.wrong(column, what, "Enter the value, or leave it empty.")
    }
    if (UNPRINTABLE.test(text)) return this.wrong(column, "it contains control characters", "Remove them.")
    return text.length > charsMax
      ? this.wrong(column, `it has ${text.length} characters`, `Shorten it to at most ${charsMax}.`)
      : text
  }

  /** Reads a cell. If it is invalid, leaves out the cell or, if `isFatal`, the row. */
  means<A>(column: string, read: (text: string) => A | null, expected: string, isFatal = false, charsMax?: number) {
    const text = this.text(column, charsMax)
    if (text === null) return null
    return (
      read(text) ??
      this.wrong(column, `${shown(text)} is not ${expected}`, `Enter ${expected}, or leave it empty.`, isFatal)
    )
  }

  /** Reads the one address of a cell. */
  email(column: string): string | null {
    const cell = this.cells[column] ?? ""
    if (cell.includes("\uFFFD")) return this.text(column)
    const read = oneAddress(cell)
    if (read === null) return null
    return "email" in read ? read.email : this.wrong(column, read.what, read.mend, true)
  }

  done<Row>(row: Row | null): ReadRow<Row> {
    return { row: this.mistakes.some(({ isFatal }) => isFatal) ? null : row, mistakes: this.mistakes }
  }
}

/** A thousands separator has three digits after it. A spreadsheet's "250.0" is 250. */
const HEADCOUNT = /^(\d{1,3}(?:[,. '’]\d{3})+|\d+)(?:\.0+)?(?:\+|\s*(?:-|–|to)\s*\d[\d,. '’]*)?(?: employees)?$/i

/** Reads "1,200", "51-200" and "10,001+". Takes the lower end of a range, which is certain. */
const readHeadcount = (text: string): number | null => {
  const [, digits] = HEADCOUNT.exec(text) ?? []
  const count = Number(digits?.replace(/[^\d]/g, "") ?? NaN)
  return Number.isSafeInteger(count) && count <= HEADCOUNT_MAX ? count : null
}

const readCount = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

const SCALES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 }

/** "$12,500,000", "12.5M". */
const readAmount = (text: string): number | null => {
  const [, digits = "", scale = ""] = /^(?:usd|\$)?\s*([\d,]+(?:\.\d+)?)\s*([kmb]?)(?:\s*usd)?$/i.exec(text) ?? []
  const amount = digits === "" ? NaN : Number(digits.replaceAll(",", "")) * (SCALES[scale.toLowerCase()] ?? 1)
  return Number.isFinite(amount) ? amount : null
}

/** Exports write missing dates as "0000-00-00", "0001-01-01" or "9999-12-31". */
const YEAR_MIN = 1900
const YEAR_MAX = 2100

const readTimestamp = (text: string): number | null => {
  const [, year, month, day] = TIMESTAMP.exec(text) ?? []
  if (year === undefined || month === undefined || day === undefined) return null
  if (Number(year) < YEAR_MIN || Number(year) > YEAR_MAX) return null
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`)
  // Rejects dates such as 31 April.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return null
  // A time without a zone is UTC.
  const given = text.length === 10 || /(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`
  const millis = Date.parse(given.replace(" ", "T"))
  return Number.isNaN(millis) ? null : millis
}

const readDate = (text: string): string | null => (readTimestamp(text) === null ? null : text.slice(0, 10))

const readYear = (text: string): number | null => {
  const year = /^\d{4}$/.test(text) ? Number(text) : NaN
  return year >= FOUNDED_YEAR_MIN && year <= FOUNDED_YEAR_MAX ? year : null
}

const readDomain = remembered((text): string | null => {
  const domain = registrableDomain(text)
  return domain !== null && COMPANY_DOMAIN.test(domain) ? domain : null
})

const readUrl = (text: string): string | null => {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return socialKeyOf(url)?.split("/")[0]?.includes(".") === true ? url : null
}

/** To E.164, without the separators that people write. */
const readPhone = (text: string): string | null => {
  const digits = text
    .replace(/^00/, "+")
    .replace(/\(0\)/, "")
    .replace(/[\s().\-/]/g, "")
  return isCrediblePhone(digits) ? digits : null
}

const readStatus = (text: string): EmailStatus | null => {
  const name = text.toLowerCase().replace(/[\s_-]+/g, " ")
  // A plain object also has "constructor".
  return Object.hasOwn(STATUSES, name) ? (STATUSES[name] ?? null) : null
}

/** A phrase that means one industry becomes it; others stay unchanged. */
const readIndustry = remembered((text): string => {
  const { coarse, industries } = interpretIndustry(text)
  return industries.length === 1 && coarse === undefined ? (industries[0] ?? text) : text
})

const industryOf = (text: string | null): string | null => (text === null ? null : readIndustry(text))

/** Splits a combined place: "Berlin, Germany", "Paris, FR", "Austin, TX", "Austin, Texas, United States". */
const placeOf = (reader: Reader) => {
  const given = { city: reader.text("city"), region: reader.text("region"), country: reader.text("country") }
  const parts = (reader.text("location") ?? "").split(/\s*,\s*/).filter((part) => part !== "")
  if (parts.length === 0) return given
  const last = parts.at(-1) ?? ""
  const namesCountry = countryCodeOf(last) !== null && !(parts.length === 2 && isState(last))
  const country = namesCountry ? last : null
  const before = namesCountry ? parts.slice(0, -1) : parts
  return {
    city: given.city ?? before[0] ?? null,
    region: given.region ?? before[1] ?? null,
    country: given.country ?? country
  }
}

const companySize = (reader: Reader) => reader.means("headcount", readHeadcount, "a number of employees, such as 250")

const observed = (reader: Reader) =>
  reader.means("observed_at", readTimestamp, "a date such as 2026-03-31, or a time such as 2026-03-31T12:00:00Z")

/** Reads a row of people. Only address, profile and domain must be valid. */
export const readPerson = (cells: Partial<Readonly<Record<PersonColumn, string>>>): ReadRow<DirectoryPerson> => {
  const reader = new Reader(cells as Cells)
  const workEmail = reader.email("email")
  const person: DirectoryPerson = {
    fullName: reader.text("full_name"),
    firstName: reader.text("first_name"),
    lastName: reader.text("last_name"),
    title: reader.text("title"),
    companyName: reader.text("company_name"),
    companyDomain: reader.means(
      "company_domain",
      readDomain,
      "a domain or website, such as acme.com",
      true,
      URL_CHARS_MAX
    ),
    headcount: companySize(reader),
    industry: industryOf(reader.text("industry")),
    ...placeOf(reader),
    workEmail,
    emailStatus: reader.means("email_status", readStatus, "one of valid, invalid, catch_all, risky, unknown"),
    mobilePhone: reader.means("mobile_phone", readPhone, "a number with its country's code, such as +4915112345678"),
    socialUrl: reader.means("social_url", readUrl, "the address of a profile, such as https://…", true, URL_CHARS_MAX),
    observedAtMillis: observed(reader)
  }
  const name = person.fullName ?? (person.firstName === null || person.lastName === null ? null : person.lastName)
  const isSomebody =
    workEmail !== null ||
    person.socialUrl !== null ||
    (name !== null && (person.companyDomain !== null || person.companyName !== null))
  if (!isSomebody && !reader.mistakes.some(({ isFatal }) => isFatal)) {
    const mend = "Give an email, a social_url, or a name with a company_domain or company_name."
    reader.wrong(null, "the row does not identify a person", mend, true)
  }
  return reader.done(workEmail === null ? { ...person, emailStatus: null } : person)
}

export const readCompany = (cells: Partial<Readonly<Record<CompanyColumn, string>>>): ReadRow<DirectoryCompany> => {
  const reader = new Reader(cells as Cells)
  const domain = reader.means("domain", readDomain, "a domain or website, such as acme.com", true, URL_CHARS_MAX)
  const specialties = (reader.text("specialties", DESCRIPTION_CHARS_MAX) ?? "")
    .split(/\s*[;,|]\s*/)
    .filter((one) => one !== "" && one.length <= TEXT_CHARS_MAX)
  const company = {
    name: reader.text("name"),
    description: reader.text("description", DESCRIPTION_CHARS_MAX),
    specialties: [...new Set(specialties)].slice(0, SPECIALTIES_MAX),
    socialUrl: reader.means("social_url", readUrl, "the address of a page, such as https://…", false, URL_CHARS_MAX),
    headcount: companySize(reader),
    industry: industryOf(reader.text("industry")),
    ...placeOf(reader),
    foundedYear: reader.means("founded_year", readYear, "a year, such as 2015"),
    totalFundingUsd: reader.means("total_funding_usd", readAmount, "an amount of dollars, such as 12500000"),
    lastFundingRoundDate: reader.means("last_funding_round_date", readDate, "a date such as 2026-03-31"),
    lastFundingRoundAmountUsd: reader.means("last_funding_round_amount_usd", readAmount, "an amount, such as 5000000"),
    jobsLast30Days: reader.means("jobs_last_30_days", readCount, "a number"),
    observedAtMillis: observed(reader)
  }
  if (domain === null && !reader.mistakes.some(({ isFatal }) => isFatal)) {
    reader.wrong("domain", "it has no domain", "Give the company's domain or website.", true)
  }
  return reader.done(domain === null ? null : { domain, ...company })
}
