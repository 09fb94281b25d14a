import type {
  CompanyEvidence,
  CompanyQuery,
  CompanySource,
  FoundCompany,
  HiringSearch
} from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect, Schema } from "effect"
import {
  companyPage,
  countryFields,
  domainAmong,
  hiringEvidence,
  industryOf,
  searchOf,
  unknownCompany
} from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, listOf, maybe, maybeNumbers, maybeTexts } from "../shape.js"
import type { TheirStackSettings } from "./settings.js"
import type { AskedTechnology, Technologies } from "./technologies.js"
import type { VendorParts } from "../Vendor.js"

/** Credits per company. */
export const COMPANY_CREDITS = 3

const PAGES_MAX = 6

export const Confidence = Schema.Literals(["low", "medium", "high"])

const SCORES: Readonly<Record<typeof Confidence.Type, number>> = { low: 0.3, medium: 0.6, high: 0.9 }

const Company = Schema.Struct({
  ...maybeTexts("name", "domain", "url", "linkedin_url"),
  employee_count: maybe(Schema.Number),
  ...maybeTexts("country_code", "city", "industry"),
  founded_year: maybe(Schema.Number),
  long_description: maybe(Schema.String),
  total_funding_usd: maybe(Schema.Number),
  last_funding_round_date: maybe(Schema.String),
  ...maybeNumbers("last_funding_round_amount", "num_jobs_last_30_days"),
  technologies_found: listOf(
    Schema.Struct({
      technology: Schema.Struct({ name: Schema.String, slug: maybe(Schema.String) }),
      confidence: maybe(Confidence),
      last_date_found: maybe(Schema.String),
      jobs: maybe(Schema.Number)
    })
  ),
  jobs_found: listOf(Schema.Struct(maybeTexts("job_title", "url", "date_posted", "description")))
})

const CompaniesPage = Schema.Struct({ data: Schema.Array(Company) })

const technologyEvidence = (
  { technologies_found }: typeof Company.Type,
  asked: ReadonlyArray<AskedTechnology>
): ReadonlyArray<CompanyEvidence> =>
  technologies_found.flatMap(({ confidence, jobs, last_date_found, technology }) => {
    const requested = asked.find(({ name, slug }) => slug === technology.slug || name === technology.name)
    if (requested === undefined || last_date_found === null) return []
    const postings = jobs === null ? "" : `, named in ${jobs} ${jobs === 1 ? "posting" : "postings"}`
    return [
      {
        signal: "technology" as const,
        // The vendor may name it differently.
        subject: requested.name,
        text: null,
        summary: `Uses ${technology.name}${postings}`,
        evidenceUrl: null,
        observedAt: last_date_found,
        score: SCORES[confidence ?? "low"],
        confidence: confidence === "high" || confidence === "medium" ? ("high" as const) : ("low" as const)
      }
    ]
  })

const hiringIn = ({ jobs_found }: typeof Company.Type): ReadonlyArray<CompanyEvidence> =>
  jobs_found.flatMap(({ date_posted, description, job_title, url }) =>
    date_posted === null || job_title === null
      ? []
      : [hiringEvidence(job_title, date_posted, { text: description, url })]
  )

const foundCompany = (
  company: typeof Company.Type,
  isHiring: boolean,
  asked: ReadonlyArray<AskedTechnology>
): FoundCompany | null => {
  const domain = domainAmong([company.domain, company.url])
  if (domain === null) return null
  return {
    ...unknownCompany(domain),
    name: company.name,
    description: company.long_description,
    descriptionSource: company.long_description === null ? null : "vendor",
    socialUrl: addressOf(company.linkedin_url),
    headcount: company.employee_count,
    industry: industryOf(company.industry),
    ...countryFields(company.country_code),
    city: company.city,
    foundedYear: company.founded_year,
    totalFundingUsd: company.total_funding_usd,
    jobsLast30Days: company.num_jobs_last_30_days,
    lastFundingRoundDate: company.last_funding_round_date,
    lastFundingRoundAmountUsd: company.last_funding_round_amount,
    evidence: [...(isHiring ? hiringIn(company) : []), ...technologyEvidence(company, asked)]
  }
}

const bodyOf = (query: CompanyQuery, hiring: HiringSearch | null, asked: ReadonlyArray<AskedTechnology>) => {
  const slugs = asked.map(({ slug }) => slug)
  return {
    ...(slugs.length === 0
      ? {}
      : {
          company_technology_slug_or: slugs,
          expand_technology_slugs: slugs,
          // Each returned company is charged: ask for uncertain ones only if wanted.
          ...(query.lowConfidenceLimit > 0 ? {} : { tech_filters: { confidence_or: ["high", "medium"] } })
        }),
    ...(hiring === null
      ? {}
      : {
          job_filters: {
            posted_at_max_age_days: hiring.postedWithinDays,
            ...(hiring.titles.length === 0 ? {} : { job_title_or: hiring.titles }),
            ...(hiring.descriptionContains.length === 0
              ? {}
              : { job_description_contains_or: hiring.descriptionContains })
          }
        }),
    ...(query.countryCodes.length === 0 ? {} : { company_country_code_or: query.countryCodes }),
    ...(query.industries.length === 0 ? {} : { industry_or: query.industries }),
    min_employee_count: query.headcountMin,
    ...(query.headcountMax === null ? {} : { max_employee_count: query.headcountMax })
  }
}

interface Parts extends VendorParts<TheirStackSettings> {
  readonly technologies: Technologies
}

export const makeCompanies = ({ charged, declared, http, settings, technologies }: Parts): CompanySource => ({
  ...declared("company_source", { units: 25 * COMPANY_CREDITS, missRate: 0.1, latencyMillis: 3_000 }),
  kinds: ["hiring", "technologies"],
  search: searchOf(http, "signals", (query, search) =>
    Effect.gen(function* () {
      const beganMillis = yield* Clock.currentTimeMillis
      const asked = yield* technologies(search.technologies)
      const filters = bodyOf(query, search.hiring, asked)
      const { isMore, items } = yield* gather({
        first: 0,
        pagesMax: PAGES_MAX,
        itemsMax: query.limit + query.lowConfidenceLimit,
        beganMillis,
        ask: (offset: number, missing) => {
          // Each row is charged, so ask for no more than wanted.
          const limit = Math.min(settings.rows_per_page, missing)
          const body = { ...filters, offset, limit, include_total_results: false }
          return Effect.map(
            charged(CompaniesPage, { path: "/v1/companies/search", body }, ({ data }) => data.length * COMPANY_CREDITS),
            ({ data }) => ({ items: data, next: data.length < limit ? null : offset + data.length })
          )
        }
      })
      const found = items.flatMap((company) => foundCompany(company, search.hiring !== null, asked) ?? [])
      return companyPage(query, found, isMore)
    })
  )
})
