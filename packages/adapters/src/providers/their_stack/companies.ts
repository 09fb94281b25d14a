import type {
  CompanyEvidence,
  CompanyPage,
  CompanyQuery,
  CompanySource,
  FoundCompany
} from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect, Schema } from "effect"
import { countryFields, domainAmong, industryOf, united, unknownCompany, withinLimits } from "../companies.js"
import { gather } from "../pages.js"
import { addressOf, listOf, maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import { declaredOf, type VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { THEIR_STACK } from "./http.js"
import type { TheirStackSettings } from "./settings.js"
import type { AskedTechnology, Technologies } from "./technologies.js"

/** Credits per company. */
export const COMPANY_CREDITS = 3

const PAGES_MAX = 6

export const Confidence = Schema.Literal("low", "medium", "high")

const SCORES: Readonly<Record<typeof Confidence.Type, number>> = { low: 0.3, medium: 0.6, high: 0.9 }

const Company = Schema.Struct({
  name: maybe(Schema.String),
  domain: maybe(Schema.String),
  url: maybe(Schema.String),
  linkedin_url: maybe(Schema.String),
  employee_count: maybe(Schema.Number),
  country_code: maybe(Schema.String),
  city: maybe(Schema.String),
  industry: maybe(Schema.String),
  founded_year: maybe(Schema.Number),
  long_description: maybe(Schema.String),
  total_funding_usd: maybe(Schema.Number),
  last_funding_round_date: maybe(Schema.String),
  last_funding_round_amount: maybe(Schema.Number),
  num_jobs_last_30_days: maybe(Schema.Number),
  technologies_found: listOf(
    Schema.Struct({
      technology: Schema.Struct({ name: Schema.String, slug: maybe(Schema.String) }),
      confidence: maybe(Confidence),
      last_date_found: maybe(Schema.String),
      jobs: maybe(Schema.Number)
    })
  ),
  jobs_found: listOf(
    Schema.Struct({
      job_title: maybe(Schema.String),
      url: maybe(Schema.String),
      date_posted: maybe(Schema.String),
      description: maybe(Schema.String)
    })
  )
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

const hiringEvidence = ({ jobs_found }: typeof Company.Type): ReadonlyArray<CompanyEvidence> =>
  jobs_found.flatMap(({ date_posted, description, job_title, url }) =>
    date_posted === null || job_title === null
      ? []
      : [
          {
            signal: "hiring" as const,
            subject: job_title,
            text: description,
            summary: `Hiring: ${job_title}`,
            evidenceUrl: addressOf(url),
            observedAt: date_posted,
            score: 1,
            confidence: "high" as const
          }
        ]
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
    evidence: [...(isHiring ? hiringEvidence(company) : []), ...technologyEvidence(company, asked)]
  }
}

const bodyOf = (query: CompanyQuery, asked: ReadonlyArray<AskedTechnology>) => {
  const hiring = query.search.kind === "signals" ? query.search.hiring : null
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

interface Parts {
  readonly http: VendorHttp
  readonly technologies: Technologies
  readonly settings: TheirStackSettings
  readonly config: VendorConfig
  readonly spend: Spend
}

export const makeCompanies = ({ config, http, settings, spend, technologies }: Parts): CompanySource => ({
  ...declaredOf(config, THEIR_STACK, "company_source", {
    costMicros: 25 * COMPANY_CREDITS * config.unitMicros,
    missRate: 0.1,
    latencyMillis: 3_000
  }),
  kinds: ["hiring", "technologies"],
  search: (query) =>
    Effect.gen(function* () {
      if (query.search.kind !== "signals") {
        return yield* Effect.fail(http.failed("invalid", `it does not search by ${query.search.kind}`))
      }
      const { hiring } = query.search
      const beganMillis = yield* Clock.currentTimeMillis
      const asked = yield* technologies(query.search.technologies)
      const body = bodyOf(query, asked)
      const wanted = query.limit + query.lowConfidenceLimit
      const { isMore, items } = yield* gather({
        first: 0,
        pagesMax: PAGES_MAX,
        itemsMax: wanted,
        beganMillis,
        ask: (offset: number, missing) => {
          // Each row is charged, so ask for no more than wanted.
          const limit = Math.min(settings.rows_per_page, missing)
          return http
            .read(CompaniesPage, {
              method: "POST",
              path: "/v1/companies/search",
              hasEffect: true,
              body: { ...body, offset, limit, include_total_results: false }
            })
            .pipe(
              Effect.tap(({ data }) => spend(data.length * COMPANY_CREDITS)),
              Effect.map(({ data }) => ({ items: data, next: data.length < limit ? null : offset + data.length }))
            )
        }
      })
      const found = united(items.flatMap((company) => foundCompany(company, hiring !== null, asked) ?? []))
      const page: CompanyPage = { companies: withinLimits(query, found), moreAvailable: isMore, places: [] }
      return page
    })
})
