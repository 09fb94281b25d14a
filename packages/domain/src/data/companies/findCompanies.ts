import { Clock, Effect, Option, Result } from "effect"
import { type Handler, type ListPlan, listWould, planList, served } from "../../calls/Handler.js"
import { type Credits, times } from "../../kernel/money/Credits.js"
import {
  INTERPRETED_INDUSTRIES_MAX,
  type InterpretedIndustry,
  interpretIndustry,
  namesToSearch
} from "../../kernel/people/Industries.js"
import type {
  CompanyCriteria,
  CompanyEvidence,
  CompanyQuery,
  CompanySearch,
  CompanySearchKind,
  CompanySource
} from "../../sources/ports/CompanySource.js"
import { askSources, incredible } from "../../sources/Waterfall.js"
import { released, Releases } from "../../calls/releases/Releases.js"
import { COMPANY_DESCRIPTION_CHARS_MAX, type CompanyRecord, type MatchedSignal } from "../../verbs/companyFields.js"
import {
  FIND_COMPANIES_LIMIT_DEFAULT,
  type FindCompanies,
  LOW_CONFIDENCE_COMPANIES_MAX,
  POSTED_WITHIN_DAYS_DEFAULT
} from "../../verbs/FindCompanies.js"
import { COMPANIES_PRICE, TECHNOLOGIES_PRICE } from "../../verbs/prices.js"
import { type CheckedCompany, type CheckedPage, companyCheck } from "./companyCheck.js"
import { crediblePage, cutTo } from "./credibleCompany.js"
import type { Capability } from "../../verbs/Policy.js"
import type { RequestOf } from "../../verbs/Verb.js"

/** With neither bound, companies with fewer employees are left out (contract: data, find companies). */
export const HEADCOUNT_MIN_DEFAULT = 10

type Request = RequestOf<typeof FindCompanies>

const distinct = (items: ReadonlyArray<string> | undefined): ReadonlyArray<string> => [...new Set(items ?? [])]

/** The search criteria. The request's schema has checked that they go together. */
const searchOf = (request: Request): CompanySearch => {
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
const kindsOf = (search: CompanySearch): ReadonlyArray<CompanySearchKind> =>
  search.kind === "signals"
    ? [
        ...(search.hiring === null ? [] : ["hiring" as const]),
        ...(search.technologies.length === 0 ? [] : ["technologies" as const])
      ]
    : [search.kind]

/** The capabilities that the request needs. */
const searchCapabilitiesOf = (request: Request): ReadonlyArray<Capability> => [
  ...(request.mode === undefined ? [] : ["modes" as const]),
  ...(distinct(request.keywords).length + distinct(request.exclude_keywords).length === 0 ? [] : ["keywords" as const])
]

const headcountOf = ({ company_headcount: size }: Request): Pick<CompanyCriteria, "headcountMin" | "headcountMax"> =>
  size?.min === undefined && size?.max === undefined
    ? { headcountMin: HEADCOUNT_MIN_DEFAULT, headcountMax: null }
    : { headcountMin: size.min ?? 1, headcountMax: size.max ?? null }

const companyCriteriaOf = (
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

const companyQueryOf = (request: Request, criteria: CompanyCriteria, limit: number): CompanyQuery => ({
  ...criteria,
  limit,
  lowConfidenceLimit: request.include_low_confidence === true ? LOW_CONFIDENCE_COMPANIES_MAX : 0
})

const matchedSignal = (evidence: CompanyEvidence): MatchedSignal => ({
  signal: evidence.signal,
  summary: evidence.summary,
  evidence_url: evidence.evidenceUrl,
  observed_at: evidence.observedAt,
  score: evidence.score,
  match_confidence: evidence.confidence
})

/** The wire form. The description is shown only if the call is entitled to it. */
export const companyRecord = (
  { company, evidence }: CheckedCompany,
  { withDescription }: { readonly withDescription: boolean }
): CompanyRecord => ({
  company_domain: company.domain,
  company_name: company.name,
  description:
    withDescription && company.description !== null ? cutTo(COMPANY_DESCRIPTION_CHARS_MAX, company.description) : null,
  description_source: withDescription ? company.descriptionSource : null,
  social_url: company.socialUrl,
  headcount: company.headcount,
  industry: company.industry,
  country: company.country,
  city: company.city,
  founded_year: company.foundedYear,
  total_funding_usd: company.totalFundingUsd,
  jobs_last_30_days: company.jobsLast30Days,
  last_funding_round_date: company.lastFundingRoundDate,
  last_funding_round_amount_usd: company.lastFundingRoundAmountUsd,
  matched_signals: evidence.map(matchedSignal)
})

/** Per company (contract: credits, prices). */
export const priceOf = (search: CompanySearch): Credits =>
  search.kind === "signals" && search.technologies.length > 0 ? TECHNOLOGIES_PRICE : COMPANIES_PRICE

interface FindCompaniesPlan extends ListPlan<CompanySource> {
  readonly criteria: CompanyCriteria
  readonly industries: ReadonlyArray<InterpretedIndustry>
  readonly price: Credits
}

/** The sources that serve all kinds and can apply every filter. */
const serving = (sources: ReadonlyArray<CompanySource>, criteria: CompanyCriteria) => {
  const kinds = kindsOf(criteria.search)
  return sources.filter(
    (source) => kinds.every((kind) => source.kinds.includes(kind)) && (source.serves?.(criteria) ?? true)
  )
}

const NONE: CheckedPage = {
  companies: [],
  unsure: [],
  moreAvailable: false,
  counts: { status: "checked", kept: 0, withheld: 0, not_checked: 0 }
}

const ask = (source: CompanySource, query: CompanyQuery, nowMillis: number) =>
  Effect.flatMap(source.search(query), (page) => {
    const credible = crediblePage(page)
    return credible === null
      ? Effect.fail(incredible(source))
      : Effect.succeedSome(companyCheck(query, credible, nowMillis))
  })

export const findCompanies = Effect.map(Releases, (closed): Handler<typeof FindCompanies, FindCompaniesPlan> => ({
  plan: (request, { providers }) =>
    Result.gen(function* () {
      const search = searchOf(request)
      const industries = (request.industries ?? []).map(interpretIndustry)
      const criteria = companyCriteriaOf(request, search, industries)
      yield* released(closed, "find_companies", kindsOf(search))
      const { companySources } = providers
      const sources = yield* served("find_companies", serving(companySources, criteria), companySources)
      const price = priceOf(search)
      const planned = yield* planList(request, { price, limitDefault: FIND_COMPANIES_LIMIT_DEFAULT, sources })
      const capabilities = [...planned.capabilities, ...searchCapabilitiesOf(request)]
      return { ...planned, capabilities, criteria, industries, price }
    }),
  would: (request, plan) => Effect.succeed(listWould(request, plan)),
  perform: (request, call) =>
    Effect.gen(function* () {
      const { budgetApplied, criteria, industries, limit, price, sources } = call.plan
      const { search } = criteria
      const query = companyQueryOf(request, criteria, limit)
      const now = yield* Clock.currentTimeMillis
      const { answer } = yield* askSources(
        { kind: "company_source", sources, route: call.plan.route?.used ?? "balanced", request: query },
        (source) => ask(source, query, now),
        (page) => page.companies.length > 0
      )
      const { companies, counts, moreAvailable, unsure } = Option.getOrElse(answer, () => NONE)
      const options = { withDescription: search.kind === "firmographic" && search.keywords.length > 0 }
      return yield* call.settle({
        result: {
          companies: companies.map((one) => companyRecord(one, options)),
          company_domains: companies.map(({ company }) => company.domain),
          more_available: moreAvailable,
          ...(request.include_low_confidence === true
            ? {
                low_confidence_companies: unsure.map((one) => ({
                  ...companyRecord(one, options),
                  match_confidence: "low" as const
                }))
              }
            : {}),
          match_check: counts,
          ...(budgetApplied === null ? {} : { budget_applied: budgetApplied }),
          ...(industries.length === 0
            ? {}
            : { interpreted_industries: industries.slice(0, INTERPRETED_INDUSTRIES_MAX) })
        },
        charge: times(price, companies.length)
      })
    })
}))
