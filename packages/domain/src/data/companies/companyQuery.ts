import type { Capability } from "../../verbs/Policy.js"
import { type InterpretedIndustry, namesToSearch } from "../../kernel/people/Industries.js"
import type {
  CompanyCriteria,
  CompanyQuery,
  CompanySearch,
  CompanySearchKind
} from "../../sources/ports/CompanySource.js"
import {
  type FindCompanies,
  LOW_CONFIDENCE_COMPANIES_MAX,
  POSTED_WITHIN_DAYS_DEFAULT
} from "../../verbs/FindCompanies.js"
import type { RequestOf } from "../../verbs/Verb.js"

/** With neither bound, companies with fewer employees are left out (contract: data, find companies). */
export const HEADCOUNT_MIN_DEFAULT = 10

type Request = RequestOf<typeof FindCompanies>

const distinct = (items: ReadonlyArray<string> | undefined): ReadonlyArray<string> => [...new Set(items ?? [])]

/** The search criteria. The request's schema has checked that they go together. */
export const searchOf = (request: Request): CompanySearch => {
  if (request.similar_to !== undefined) return { kind: "similar", companyDomain: request.similar_to }
  if (request.query !== undefined) return { kind: "query", query: request.query }
  const locations = distinct(request.locations)
  switch (request.mode) {
    case "local":
      return { kind: "local", locations, categories: distinct(request.categories) }
    case "firmographic":
      return {
        kind: "firmographic",
        locations,
        keywords: distinct(request.keywords),
        excludeKeywords: distinct(request.exclude_keywords)
      }
    default: {
      const { hiring } = request
      return {
        kind: "signals",
        hiring:
          hiring === undefined
            ? null
            : {
                titles: distinct(hiring.titles),
                descriptionContains: distinct(hiring.description_contains),
                postedWithinDays: hiring.posted_within_days ?? POSTED_WITHIN_DAYS_DEFAULT
              },
        technologies: distinct(request.technologies)
      }
    }
  }
}

/** A source must serve all of these kinds. */
export const kindsOf = (search: CompanySearch): ReadonlyArray<CompanySearchKind> =>
  search.kind === "signals"
    ? [
        ...(search.hiring === null ? [] : ["hiring" as const]),
        ...(search.technologies.length === 0 ? [] : ["technologies" as const])
      ]
    : [search.kind]

/** The capabilities that the request needs. */
export const searchCapabilitiesOf = (request: Request): ReadonlyArray<Capability> => [
  ...(request.mode === undefined ? [] : ["modes" as const]),
  ...(distinct(request.keywords).length + distinct(request.exclude_keywords).length === 0 ? [] : ["keywords" as const])
]

const headcountOf = ({ company_headcount: size }: Request): Pick<CompanyCriteria, "headcountMin" | "headcountMax"> =>
  size?.min === undefined && size?.max === undefined
    ? { headcountMin: HEADCOUNT_MIN_DEFAULT, headcountMax: null }
    : { headcountMin: size.min ?? 1, headcountMax: size.max ?? null }

export const companyCriteriaOf = (
  request: Request,
  search: CompanySearch,
  industries: ReadonlyArray<InterpretedIndustry>
): CompanyCriteria => ({
  search,
  audience: request.audience ?? "",
  industries: namesToSearch(industries),
  countryCodes: distinct(request.country_codes?.map((code) => code.toUpperCase())),
  ...headcountOf(request)
})

export const companyQueryOf = (request: Request, criteria: CompanyCriteria, limit: number): CompanyQuery => ({
  ...criteria,
  limit,
  lowConfidenceLimit: request.include_low_confidence === true ? LOW_CONFIDENCE_COMPANIES_MAX : 0
})
