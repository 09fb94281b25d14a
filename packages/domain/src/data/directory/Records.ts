import type { FoundCompany } from "../../sources/ports/CompanySource.js"
import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"
import type { Person } from "../../sources/ports/Person.js"

export const DIRECTORY_KINDS = ["people", "companies"] as const
export type DirectoryKind = (typeof DIRECTORY_KINDS)[number]

/** A workspace's own person. Null: unknown. */
export interface DirectoryPerson extends Omit<Person, "companyHeadcount" | "companyIndustry" | "observedAt"> {
  /** The company's. */
  readonly headcount: number | null
  /** The company's; a canonical name if recognised. */
  readonly industry: string | null
  /** State, province or similar. */
  readonly region: string | null
  /** Normalised. */
  readonly workEmail: string | null
  /** What is known about the address. Null: nothing. */
  readonly emailStatus: EmailStatus | null
  /** E.164. */
  readonly mobilePhone: string | null
  /** When this was last seen to be true, if the list said so. */
  readonly observedAtMillis: number | null
}

/** A workspace's own company; its industry is a canonical name if recognised. Null: unknown. */
export interface DirectoryCompany extends Omit<FoundCompany, "descriptionSource" | "countryCode" | "evidence"> {
  readonly region: string | null
  readonly observedAtMillis: number | null
}

interface Kept {
  /** When a list last named or changed it; accurate to about 30 days. */
  readonly importedAtMillis: number
}

export interface KeptPerson extends DirectoryPerson, Kept {
  /** Identifies a person: see `fingerprintOf`. */
  readonly fingerprint: string
  /** What the file of that list is called, and where it names them. Null: not known. */
  readonly listFile: string | null
  readonly listLine: number | null
}

export interface KeptCompany extends DirectoryCompany, Kept {}

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

type Observed = { readonly observedAtMillis: number | null }

/** Merges a row into the stored one: its values win, its gaps don't. A row with an older date only fills gaps. */
const merged = <Row extends Observed>(before: Row, given: Row): Row => {
  const isOlder =
    before.observedAtMillis !== null &&
    given.observedAtMillis !== null &&
    given.observedAtMillis < before.observedAtMillis
  const [first, second] = isOlder ? [before, given] : [given, before]
  const values = Object.keys(given).map((name) => {
    const key = name as keyof Row
    return [key, isEmpty(first[key]) ? second[key] : first[key]]
  })
  return {
    ...before,
    ...Object.fromEntries(values),
    observedAtMillis: laterOf(before.observedAtMillis, given.observedAtMillis)
  }
}

/** Merged rows share the address or lack one, so the status always belongs to the address. */
export const mergePeople = (before: DirectoryPerson, given: DirectoryPerson): DirectoryPerson => merged(before, given)

export const mergeCompanies = (before: DirectoryCompany, given: DirectoryCompany): DirectoryCompany =>
  merged(before, given)

/** Adds the directory's company data, which is more reliable than a list of people. */
export const withCompany = (person: DirectoryPerson, company: DirectoryCompany | undefined): DirectoryPerson =>
  company === undefined
    ? person
    : {
        ...person,
        companyName: person.companyName ?? company.name,
        headcount: company.headcount ?? person.headcount,
        industry: company.industry ?? person.industry
      }
