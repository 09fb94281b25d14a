import { Array as Arr, Effect, Option, Result } from "effect"
import { type Handler, type Plan, planWithin, served, wouldSpend } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { times } from "../../kernel/money/Credits.js"
import type { Judge, Judgement } from "../../sources/ports/Judge.js"
import type { ProviderFailure, Source } from "../../sources/ports/Source.js"
import type { SitePage, SiteReader, SiteReading } from "../../sources/ports/SiteReader.js"
import type { SourceError } from "../../sources/refusals.js"
import { incredible, type SourceQuery, askSources } from "../../sources/Waterfall.js"
import type { CheckCompanies } from "../../verbs/CheckCompanies.js"
import { CHECK_COMPANIES_PRICE } from "../../verbs/prices.js"
import type { RequestOf, ResultOf } from "../../verbs/Verb.js"
import { credibleJudgement, credibleReading } from "./credibleSite.js"

/** The most pages of one site that are read. */
export const PAGES_MAX = 5

const COMPANIES_AT_ONCE_MAX = 10

/** Time limits per company: for all readers, then for all judges. A slow company delays no other. */
export const READ_SECONDS_MAX = 15
export const JUDGE_SECONDS_MAX = 15

interface CheckPlan extends Plan {
  readonly companies: ReadonlyArray<string>
  readonly readers: ReadonlyArray<SiteReader>
  readonly judges: ReadonlyArray<Judge>
}

type Unavailable = SourceError

type Reading = SiteReading | { readonly _tag: "NotRead"; readonly error: Unavailable }
type Judged = Judgement | Unavailable
interface Checked {
  readonly companyDomain: string
  readonly reading: Reading
  readonly judged: Judged | null
}

const NO_SITE: SiteReading = { _tag: "Unreadable", reason: "unreachable" }
const NO_ANSWER: Judgement = { answer: "unclear", excerpt: null, sourceUrl: null }

const askOr = <S extends Source, A>(
  asked: SourceQuery<S>,
  ask: (source: S) => Effect.Effect<Option.Option<A>, ProviderFailure>,
  otherwise: A
): Effect.Effect<A, Unavailable> =>
  Effect.map(askSources<S, A>(asked, ask), ({ answer }) => Option.getOrElse(answer, () => otherwise))

const read = (readers: ReadonlyArray<SiteReader>, companyDomain: string, question: string) =>
  askOr<SiteReader, SiteReading>(
    { kind: "site_reader", sources: readers, request: { companyDomain, question }, secondsMax: READ_SECONDS_MAX },
    (reader) =>
      Effect.flatMap(reader.read({ companyDomain, question, pagesMax: PAGES_MAX }), (reading) => {
        const credible = credibleReading(reading, companyDomain, PAGES_MAX)
        return credible === null ? Effect.fail(incredible(reader)) : Effect.succeedSome(credible)
      }),
    NO_SITE
  )

const judge = (judges: ReadonlyArray<Judge>, companyDomain: string, question: string, pages: ReadonlyArray<SitePage>) =>
  askOr<Judge, Judgement>(
    { kind: "judge", sources: judges, request: { question, companyDomain, pages }, secondsMax: JUDGE_SECONDS_MAX },
    (source) =>
      Effect.flatMap(source.judge({ question, companyDomain, pages }), (judgement) => {
        const credible = credibleJudgement(judgement, pages)
        return credible === null ? Effect.fail(incredible(source)) : Effect.succeedSome(credible)
      }),
    NO_ANSWER
  )

const check = (plan: CheckPlan, companyDomain: string, question: string): Effect.Effect<Checked> =>
  Effect.gen(function* () {
    const reading: Reading = yield* Effect.catch(read(plan.readers, companyDomain, question), (error) =>
      Effect.succeed({ _tag: "NotRead" as const, error })
    )
    if (reading._tag !== "Read") return { companyDomain, reading, judged: null }
    const judged: Judged = yield* Effect.catch(
      judge(plan.judges, companyDomain, question, reading.pages),
      Effect.succeed
    )
    return { companyDomain, reading, judged }
  })

const isUnavailable = (judged: Judged): judged is Unavailable => "_tag" in judged

/** One error for all failures, that of the first source to be back. None if any company was served. */
const allUnavailable = (failures: ReadonlyArray<Unavailable | null>): Option.Option<Unavailable> => {
  const errors = failures.filter((failure) => failure !== null)
  if (errors.length === 0 || errors.length < failures.length) return Option.none()
  const waits = errors.flatMap((error) =>
    error.code === "provider_unavailable" ? error.details.retry_after_seconds : []
  )
  return waits.length === 0
    ? Option.fromNullishOr(errors[0])
    : Option.some(refuse("provider_unavailable", { retry_after_seconds: Math.min(...waits) }))
}

/** The call fails if no reader worked for any company, or no judge for any site that was read. */
const failureOf = (checks: ReadonlyArray<Checked>): Option.Option<Unavailable> =>
  Option.orElse(allUnavailable(checks.map(({ reading }) => (reading._tag === "NotRead" ? reading.error : null))), () =>
    allUnavailable(checks.flatMap(({ judged }) => (judged === null ? [] : [isUnavailable(judged) ? judged : null])))
  )

type CompanyResult = ResultOf<typeof CheckCompanies>["companies"][number]

/** A company without a working source is free, like one without an answer. */
const resultOf = ({ companyDomain, judged, reading }: Checked): CompanyResult => {
  const { answer, excerpt, sourceUrl } = judged === null || isUnavailable(judged) ? NO_ANSWER : judged
  return reading._tag === "Read"
    ? {
        company_domain: companyDomain,
        status: "checked",
        answer,
        excerpt,
        source_url: sourceUrl,
        pages_read: reading.pages.map((page) => page.url),
        charged: answer !== "unclear"
      }
    : {
        company_domain: companyDomain,
        status: "unreadable",
        answer: null,
        excerpt: null,
        source_url: null,
        pages_read: [],
        charged: false
      }
}

const companiesOf = (request: RequestOf<typeof CheckCompanies>): ReadonlyArray<string> =>
  Arr.dedupe(request.company_domains)

export const checkCompanies: Handler<typeof CheckCompanies, CheckPlan> = {
  plan: (request, { providers }) =>
    Result.gen(function* () {
      const readers = yield* served("check_companies", providers.siteReaders)
      const judges = yield* served("check_companies", providers.judges)
      const companies = companiesOf(request)
      const plan = yield* planWithin(request, times(CHECK_COMPANIES_PRICE, companies.length))
      return { ...plan, companies, readers, judges }
    }),
  would: (request, plan) =>
    Effect.succeed({
      companies: plan.companies.length,
      candidate_sources: plan.readers.length + plan.judges.length,
      ...wouldSpend(request, plan)
    }),
  perform: (request, call) =>
    Effect.gen(function* () {
      const checks = yield* Effect.forEach(
        call.plan.companies,
        (companyDomain) => check(call.plan, companyDomain, request.question),
        { concurrency: COMPANIES_AT_ONCE_MAX }
      )
      const failure = failureOf(checks)
      if (Option.isSome(failure)) return yield* Effect.fail(failure.value)
      const companies = checks.map(resultOf)
      const answered = companies.filter(({ charged }) => charged).length
      return yield* call.settle({
        result: { question: request.question, companies, answered },
        charge: times(CHECK_COMPANIES_PRICE, answered)
      })
    })
}
