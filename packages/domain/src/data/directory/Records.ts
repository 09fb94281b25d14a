import type { EmailStatus } from "../../sources/ports/EmailVerifier.js"

/** What a directory holds: people, or companies. */
export const DIRECTORY_KINDS = ["people", "companies"] as const
export type DirectoryKind = (typeof DIRECTORY_KINDS)[number]

/** A person of the workspace's own; null where nothing is known. */
export interface DirectoryPerson {
  readonly fullName: string | null
  readonly firstName: string | null
  readonly lastName: string | null
  readonly title: string | null
  readonly companyName: string | null
  /** The registrable domain, lower-case ASCII. */
  readonly companyDomain: string | null
  /** Of the company. */
  readonly headcount: number | null
  /** Of the company; a canonical name where it was understood. */
  readonly industry: string | null
  readonly city: string | null
  /** State, province or the like. */
  readonly region: string | null
  readonly country: string | null
  /** Normalised. */
  readonly workEmail: string | null
  /** What is known of the address; null: nothing. */
  readonly emailStatus: EmailStatus | null
  /** E.164. */
  readonly mobilePhone: string | null
  readonly socialUrl: string | null
  /** When this was last seen to be true, as far as the list said. */
  readonly observedAtMillis: number | null
}

/** A company of the workspace's own; null where nothing is known. */
export interface DirectoryCompany {
  /** The registrable domain, lower-case ASCII. */
  readonly domain: string
  readonly name: string | null
  readonly description: string | null
  /** Products and specialties. */
  readonly specialties: ReadonlyArray<string>
  readonly socialUrl: string | null
  readonly headcount: number | null
  /** A canonical name where it was understood. */
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
  /** When a list last named it, to about 30 days, or changed it. */
  readonly importedAtMillis: number
}

export interface KeptPerson extends DirectoryPerson, Kept {
  /** What makes them one person: see `fingerprintOf`. */
  readonly fingerprint: string
}

export interface KeptCompany extends DirectoryCompany, Kept {}

const laterOf = (a: number | null, b: number | null): number | null =>
  a === null ? b : b === null ? a : Math.max(a, b)

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)

type Observed = { readonly observedAtMillis: number | null }

/**
 * What is known after a row came. What it says takes the place of what was known; what it leaves open stays. A row that
 * says of itself that it is older than what is known fills gaps alone.
 */
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

/** Only rows of the same address, or without one, are of one person: a status is always that of the address. */
export const mergePeople = (before: DirectoryPerson, given: DirectoryPerson): DirectoryPerson => merged(before, given)

export const mergeCompanies = (before: DirectoryCompany, given: DirectoryCompany): DirectoryCompany =>
  merged(before, given)

/** The person, with what the directory itself says of their company: its own row knows better than a list of people. */
export const withCompany = (person: DirectoryPerson, company: DirectoryCompany | undefined): DirectoryPerson =>
  company === undefined
    ? person
    : {
        ...person,
        companyName: person.companyName ?? company.name,
        headcount: company.headcount ?? person.headcount,
        industry: company.industry ?? person.industry
      }
