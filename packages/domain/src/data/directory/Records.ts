import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"

export const DIRECTORY_KINDS = ["people", "companies"] as const
export type DirectoryKind = (typeof DIRECTORY_KINDS)[number]

/** A workspace's own person. Null: unknown. */
export interface DirectoryPerson {
  readonly fullName: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly title: string | null
  readonly companyName: string | null
  /** The registrable domain, lower-case ASCII. */
  readonly companyDomain: string | null
  /** The company's. */
  readonly headcount: number | null
  /** The company's; a canonical name if recognised. */
  readonly industry: string | null
  readonly city: string | null
  /** State, province or similar. */
  readonly region: string | null
  readonly country: string | null
  /** Normalised. */
  readonly workEmail: string | null
  /** What is known about the address. Null: nothing. */
  readonly emailStatus: EmailStatus | null
  /** E.164. */
  readonly mobilePhone: string | null
  readonly socialUrl: string | null
  /** When this was last seen to be true, if the list said so. */
  readonly observedAtMillis: number | null
}

/** A workspace's own company. Null: unknown. */
export interface DirectoryCompany {
  /** The registrable domain, lower-case ASCII. */
  readonly domain: string
  readonly name: string | null
  readonly description: string | null
  /** Products and specialties. */
  readonly specialties: ReadonlyArray<string>
  readonly socialUrl: string | null
  readonly headcount: number | null
  /** A canonical name if recognised. */
  readonly industry: string | null
  readonly city: string | null
  readonly region: string | null
  readonly country: string | null
  readonly foundedYear: number | null
  readonly totalFundingUsd: number | null
  /** YYYY-MM-DD. */
  readonly lastFundingRoundDate: string | null
  readonly lastFundingRoundAmountUsd: number | null
  readonly jobsLast30Days: number | null
  readonly observedAtMillis: number | null
}

interface Kept {
  /** When a list last named or changed it; accurate to about 30 days. */
  readonly importedAtMillis: number
}

export interface KeptPerson extends DirectoryPerson, Kept {
  /** Identifies a person: see `fingerprintOf`. */
  readonly fingerprint: string
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
