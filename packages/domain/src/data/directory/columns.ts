import { Data, Either } from "effect"
import type { DirectoryKind } from "./Records.js"

interface Column {
  /** Other names in lists. Case, spaces and punctuation don't matter. */
  readonly aliases: ReadonlyArray<string>
}

const column = (aliases = ""): Column => ({ aliases: aliases === "" ? [] : aliases.split(", ") })

export const PERSON_COLUMNS = {
  full_name: column("name, contact name, person name, contact"),
  first_name: column("given name, firstname, forename"),
  last_name: column("family name, surname, lastname"),
  title: column("job title, position, role, headline, jobtitle, current title"),
  company_name: column("company, organization, organisation, employer, account, account name, current company"),
  company_domain: column("domain, company website, website, company url, organization domain, email domain"),
  headcount: column(
    "company headcount, employees, number of employees, company size, employee count, size, # employees"
  ),
  industry: column("company industry, sector"),
  city: column("person city, town"),
  region: column("state, province, county, person state"),
  country: column("person country, country name, country code, country or region"),
  location: column("person location, address, geography"),
  email: column("work email, e-mail, email address, mail, business email, work e-mail, e-mail address"),
  email_status: column("email verdict, email verification, verification status, work email status, email confidence"),
  mobile_phone: column(
    "mobile, mobile number, phone, phone number, cell, cell phone, direct phone, mobile phone number"
  ),
  social_url: column("linkedin, linkedin url, linkedin profile, profile url, person linkedin url, social, profile"),
  observed_at: column("last seen, last updated, updated at, observed, as of, last verified")
} as const satisfies Readonly<Record<string, Column>>

export const COMPANY_COLUMNS = {
  domain: column("company domain, website, url, company website, company url, homepage, web site"),
  name: column("company name, company, organization, organisation, account, account name"),
  description: column("about, summary, short description, company description"),
  specialties: column("specialities, keywords, products, tags, products and specialties"),
  social_url: column("linkedin, linkedin url, company linkedin url, social, profile url"),
  headcount: column(
    "employees, number of employees, company size, employee count, size, # employees, company headcount"
  ),
  industry: column("company industry, sector"),
  city: column("company city, hq city, headquarters city, town"),
  region: column("state, province, county, company state, hq state"),
  country: column("company country, hq country, country name, country code"),
  location: column("headquarters, hq, hq location, address, company location"),
  founded_year: column("founded, year founded, founding year"),
  total_funding_usd: column("total funding, funding, total funding amount"),
  last_funding_round_date: column("last funding date, last raised at, latest funding date"),
  last_funding_round_amount_usd: column("last funding amount, last funding round amount, latest funding amount"),
  jobs_last_30_days: column("open jobs, job openings"),
  observed_at: column("last seen, last updated, updated at, observed, as of, last verified")
} as const satisfies Readonly<Record<string, Column>>

export type PersonColumn = keyof typeof PERSON_COLUMNS
export type CompanyColumn = keyof typeof COMPANY_COLUMNS

const COLUMNS: Readonly<Record<DirectoryKind, Readonly<Record<string, Column>>>> = {
  people: PERSON_COLUMNS,
  companies: COMPANY_COLUMNS
}

export const columnsOf = (kind: DirectoryKind): ReadonlyArray<string> => Object.keys(COLUMNS[kind])

const headingKey = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}#]+/gu, " ")
    .trim()

const meaningsOf = (kind: DirectoryKind): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(COLUMNS[kind]).flatMap(([name, { aliases }]) =>
      [name, ...aliases].map((alias) => [headingKey(alias), name] as const)
    )
  )

const MEANINGS: Readonly<Record<DirectoryKind, ReadonlyMap<string, string>>> = {
  people: meaningsOf("people"),
  companies: meaningsOf("companies")
}

/** The column of a heading, or null. */
export const columnNamed = (kind: DirectoryKind, heading: string): string | null =>
  MEANINGS[kind].get(headingKey(heading)) ?? null

/** A list of people needs one of these sets to identify them. */
const IDENTIFYING: ReadonlyArray<ReadonlyArray<PersonColumn>> = [
  ["email"],
  ["social_url"],
  ["full_name", "company_domain"],
  ["full_name", "company_name"],
  ["first_name", "last_name", "company_domain"],
  ["first_name", "last_name", "company_name"]
]

const REQUIRED: Readonly<Record<DirectoryKind, string>> = {
  people: "an email, a social_url, or a full_name (or first_name and last_name) with a company_domain or company_name",
  companies: "a domain"
}

const isComplete = (kind: DirectoryKind, names: ReadonlySet<string>): boolean =>
  kind === "companies" ? names.has("domain") : IDENTIFYING.some((all) => all.every((name) => names.has(name)))

/** The headings can't be used. One sentence per mistake. */
export class ColumnMistakes extends Data.TaggedError("ColumnMistakes")<{ readonly mistakes: ReadonlyArray<string> }> {
  override get message(): string {
    return this.mistakes.join("\n")
  }
}

export interface RecognisedColumns {
  readonly kind: DirectoryKind
  /** The column of each heading. Null: ignored. */
  readonly columns: ReadonlyArray<string | null>
  /** The ignored headings. */
  readonly ignored: ReadonlyArray<string>
}

/** Columns that only people have. */
const PERSONAL: ReadonlyArray<PersonColumn> = ["email", "first_name", "last_name", "full_name", "title", "mobile_phone"]

const isPersonal = (heading: string): boolean => {
  const name = columnNamed("people", heading)
  return PERSONAL.some((one) => one === name) && columnNamed("companies", heading) === null
}

/** The kind of a list, by its headings. */
export const kindOf = (headings: ReadonlyArray<string>): DirectoryKind =>
  headings.some(isPersonal) ? "people" : "companies"

const named = (headings: ReadonlyArray<string>): string => headings.map((heading) => `"${heading}"`).join(", ")

const HEADINGS_SHOWN_MAX = 20

/**
 * The columns of the headings, or all mistakes: an unknown heading (unless ignored), two with the same meaning, or too
 * few to identify a row.
 */
export const recogniseColumns = (
  given: ReadonlyArray<string>,
  options: { readonly kind: DirectoryKind | null; readonly ignoreUnknown: boolean }
): Either.Either<RecognisedColumns, ColumnMistakes> => {
  const headings = given.map((heading) => heading.trim())
  const kind = options.kind ?? kindOf(headings)
  const columns = headings.map((heading) => (heading === "" ? null : columnNamed(kind, heading)))
  const names = new Set(columns.filter((name) => name !== null))
  const unknown = headings.filter((heading, at) => columns[at] === null && heading !== "")
  const twice = [...names].filter((name) => columns.filter((one) => one === name).length > 1)
  const mistakes = [
    ...twice.map((name) => {
      const same = headings.filter((_, at) => columns[at] === name)
      return `The columns ${named(same)} all mean ${name}. Keep only one of them.`
    }),
    ...(isComplete(kind, names)
      ? []
      : [`The columns don't identify the ${kind}. A list of ${kind} needs ${REQUIRED[kind]}.`]),
    ...(unknown.length === 0 || options.ignoreUnknown
      ? []
      : [
          `Unknown columns in a list of ${kind}: ${named(unknown.slice(0, HEADINGS_SHOWN_MAX))}. Rename them to one of ` +
            `${columnsOf(kind).join(", ")}; or skip them with --ignore-unknown.`
        ])
  ]
  return mistakes.length > 0
    ? Either.left(new ColumnMistakes({ mistakes }))
    : Either.right({ kind, columns, ignored: unknown })
}
