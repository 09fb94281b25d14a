import { Array as Arr, Clock, Effect, Option, Result } from "effect"
import { type Handler, type Plan, planWithin, served, wouldSpend } from "../../calls/Handler.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { roleOf, ROLES_VERSION } from "../matching/Roles.js"
import { format, fromMicros, times } from "../../kernel/money/Credits.js"
import type { IntentSignalKind, IntentSource } from "../../sources/ports/IntentSource.js"
import type { Judge } from "../../sources/ports/Judge.js"
import { isUnconfigured, ownKeyError, RETRY_AFTER_SECONDS_DEFAULT, unconfigured } from "../../sources/refusals.js"
import { type DomainStatus, type FindIntent, NEXT_MAX, type Suggestion } from "../../verbs/FindIntent.js"
import { FIND_LEADS_PRICE, SIGNALS_PRICE } from "../../verbs/prices.js"
import type { RequestOf } from "../../verbs/Verb.js"
import {
  type CallSources,
  callSources,
  checkCompany,
  type CheckedCompany,
  type CheckOutcome,
  type Checks,
  checksOf
} from "./checkCompany.js"
import { byRecency, wireSignal } from "./Signal.js"
import { type GoalJudgement, goalOf, judgeGoal } from "./goal.js"
import { windowOf } from "./Window.js"
import { FIND_LEADS_LIMIT_DEFAULT } from "../../verbs/FindLeads.js"
import { rank } from "./Ranking.js"

/** The most companies in a suggestion. */
const COMPANIES_SUGGESTED_MAX = 10

/** The audience if the request names none. */
const ANYBODY = "People who decide at companies with recent signals"

type Request = RequestOf<typeof FindIntent>

const companiesText = (count: number): string => (count === 1 ? "1 company" : `${count} companies`)

const findPeople = (request: Request, ranked: ReadonlyArray<string>): ReadonlyArray<Suggestion> => {
  const domains = ranked.slice(0, COMPANIES_SUGGESTED_MAX)
  if (domains.length === 0) return []
  return [
    {
      reason: "find_people",
      text: `Find people at ${companiesText(domains.length)} with signals.`,
      verb: "find_leads",
      params: {
        audience: goalOf(request.audience) ?? ANYBODY,
        company_domains: domains,
        limit: FIND_LEADS_LIMIT_DEFAULT
      },
      max_credits: format(times(FIND_LEADS_PRICE, FIND_LEADS_LIMIT_DEFAULT))
    }
  ]
}

const check = (
  request: Request,
  signal: "funding" | "news",
  domains: ReadonlyArray<string>,
  which: string
): ReadonlyArray<Suggestion> => {
  const some = domains.slice(0, COMPANIES_SUGGESTED_MAX)
  if (some.length === 0) return []
  return [
    {
      reason: signal === "funding" ? "check_funding" : "check_news",
      text: `Check ${companiesText(some.length)} ${which} for ${signal}.`,
      verb: "find_intent",
      params: {
        company_domains: some,
        signals: [signal],
        ...(request.since === undefined ? {} : { since: request.since }),
        ...(request.within_days === undefined ? {} : { within_days: request.within_days }),
        ...(goalOf(request.audience) === null ? {} : { audience: goalOf(request.audience) })
      },
      max_credits: format(times(SIGNALS_PRICE, some.length))
    }
  ]
}

/** Suggested next calls, most promising first. `ranked`: the companies with signals, best first. */
const nextSteps = (
  request: Request,
  companies: ReadonlyArray<CheckedCompany>,
  ranked: ReadonlyArray<string>,
  /** The kinds that this workspace's sources serve. */
  served: ReadonlySet<IntentSignalKind>
): ReadonlyArray<Suggestion> => {
  const lacks = (signal: IntentSignalKind) => (company: CheckedCompany) =>
    company.completed.length > 0 && !company.completed.includes(signal)
  const quiet = companies.filter(({ signals }) => signals.length === 0)
  const domainsOf = (some: ReadonlyArray<CheckedCompany>) => some.map(({ companyDomain }) => companyDomain)
  const strongest = companies.filter(({ signals }) => signals.length > 0).filter(lacks("news"))
  return [
    ...findPeople(request, ranked),
    ...(served.has("funding")
      ? check(request, "funding", domainsOf(quiet.filter(lacks("funding"))), "without signals")
      : []),
    ...(served.has("news")
      ? check(
          request,
          "news",
          ranked.filter((domain) => strongest.some(({ companyDomain }) => companyDomain === domain)),
          "with signals"
        )
      : []),
    ...(served.has("news") ? check(request, "news", domainsOf(quiet.filter(lacks("news"))), "without signals") : [])
  ].slice(0, NEXT_MAX)
}

const COMPANIES_AT_ONCE_MAX = 10

interface FindIntentPlan extends Plan {
  /** Without duplicates, in an order that doesn't depend on the request's. */
  readonly companies: ReadonlyArray<string>
  readonly checks: Checks
  readonly sources: ReadonlyArray<IntentSource>
  /** The judges that rank by goal. Empty: newest first. */
  readonly judges: ReadonlyArray<Judge>
  readonly goal: string | null
}

/** The kinds a call may request: its checks, and the funding shown beside hiring. */
const askedFor = (checks: Checks): ReadonlyArray<IntentSignalKind> =>
  checks.isDefault ? [...checks.signals, "funding"] : checks.signals

const warningsOf = (request: RequestOf<typeof FindIntent>, checks: Checks): ReadonlyArray<string> => [
  ...(checks.signals.includes("technology")
    ? ["The signal technology is deprecated: it does not say since when. Use find_companies.technologies instead."]
    : []),
  ...((request.roles?.length ?? 0) > 0 && !checks.signals.includes("hiring")
    ? ["roles apply to hiring only, which is not checked."]
    : [])
]

type Unanswered = Extract<CheckOutcome, { readonly _tag: "Unavailable" }>

const statusOf = (company: CheckedCompany, checks: Checks): DomainStatus => {
  const { charge, companyDomain, completed, postingsRejected, read, signals, skipped, unavailable } = company
  return {
    company_domain: companyDomain,
    status: unavailable.length === 0 ? "complete" : completed.length === 0 ? "unavailable" : "partial",
    requested_signals: checks.signals,
    completed_signals: completed,
    unavailable_signals: unavailable.map(({ outcome, signal }) => ({
      signal,
      reason: outcome.reason,
      ...(outcome.retryAfterSeconds === null ? {} : { retry_after_seconds: outcome.retryAfterSeconds })
    })),
    skipped_signals: skipped.map((signal) => ({ signal, reason: "default_hiring_first" })),
    charge: { credits: format(charge), signal: signals.length > 0, paid_checks: read },
    ...(postingsRejected === null
      ? {}
      : {
          roles_check: {
            method: checks.roles.every(({ method }) => method === "literal") ? "literal" : "meaning",
            postings_rejected: postingsRejected
          }
        })
  }
}

/** Whether every source asked refused the question itself. */
const isForGood = ({ failures }: Unanswered): boolean =>
  failures.length > 0 && failures.every(({ reason }) => reason === "invalid")

/**
 * Fails if no check of the call was answered. If every source refused these companies for good, retrying can't help, so
 * that is the answer.
 */
const answeredAtAll = (companies: ReadonlyArray<CheckedCompany>) => {
  if (companies.some(({ completed }) => completed.length > 0)) return Effect.void
  const outcomes = companies.flatMap(({ unavailable }) => unavailable.map(({ outcome }) => outcome))
  const failures = outcomes.flatMap((outcome) => outcome.failures)
  const ownKey = ownKeyError(failures)
  if (ownKey !== null) return Effect.fail(ownKey)
  if (failures.length > 0 && failures.every(isUnconfigured)) return Effect.fail(unconfigured("find_intent"))
  if (outcomes.every(isForGood)) return Effect.void
  const waits = outcomes.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? [])
  return Effect.fail(
    refuse("provider_unavailable", {
      retry_after_seconds: waits.length === 0 ? RETRY_AFTER_SECONDS_DEFAULT : Math.min(...waits)
    })
  )
}

/** Judges the companies with signals. Empty without a goal or a permitted judge. */
const judgeAll = ({ goal, judges }: FindIntentPlan, sources: CallSources, companies: ReadonlyArray<CheckedCompany>) =>
  Effect.map(
    Effect.forEach(
      goal === null || judges.length === 0 ? [] : companies,
      (company) =>
        Effect.flatMap(sources.isOpen, (open) =>
          open && goal !== null
            ? Effect.map(
                judgeGoal(judges, goal, company),
                Option.map((judgement): readonly [string, GoalJudgement] => [company.companyDomain, judgement])
              )
            : Effect.succeedNone
        ),
      { concurrency: COMPANIES_AT_ONCE_MAX }
    ),
    (judgements) => new Map(Arr.getSomes(judgements))
  )

export const findIntent: Handler<typeof FindIntent, FindIntentPlan> = {
  plan: (request, { key, providers }) =>
    Result.gen(function* () {
      const checks = checksOf(request.signals, (request.roles ?? []).map(roleOf))
      const sources = yield* served(
        "find_intent",
        providers.intentSources.filter((source) => checks.signals.some((signal) => source.signals.includes(signal))),
        providers.intentSources
      )
      const kinds = askedFor(checks)
      const companions = providers.intentSources.filter(
        (source) => !sources.includes(source) && kinds.some((signal) => source.signals.includes(signal))
      )
      const companies = [...new Set(request.company_domains)].sort()
      const plan = yield* planWithin(request, times(SIGNALS_PRICE, companies.length))
      const ordersByGoal = !key.capabilitiesOff.includes("goal_ordering")
      return {
        ...plan,
        warnings: warningsOf(request, checks),
        companies,
        checks,
        sources: [...sources, ...companions],
        judges: ordersByGoal ? providers.judges : [],
        goal: goalOf(request.audience)
      }
    }),
  would: (request, plan) =>
    Effect.succeed({
      companies: plan.companies.length,
      candidate_sources: plan.sources.length,
      ...wouldSpend(request, plan)
    }),
  perform: (request, call) =>
    Effect.gen(function* () {
      const { plan } = call
      const { checks } = plan
      const now = yield* Clock.currentTimeMillis
      const window = windowOf(request, now)
      const sources = yield* callSources(plan.sources)
      const companies = yield* Effect.forEach(
        plan.companies,
        (companyDomain) => checkCompany(sources, companyDomain, checks, window),
        { concurrency: COMPANIES_AT_ONCE_MAX }
      )
      yield* answeredAtAll(companies)
      const withSignals = companies.filter(({ signals }) => signals.length > 0)
      const judgements = yield* judgeAll(plan, sources, withSignals)
      const { ranking, signals } = rank(withSignals, judgements, now)
      const known = new Set(call.providers.intentSources.flatMap((source) => source.signals))
      return yield* call.settle({
        result: {
          signals,
          historical: companies
            .flatMap(({ historical }) => historical)
            .sort(byRecency)
            .map(wireSignal),
          next: nextSteps(request, companies, ranking.companies, known),
          ranking,
          domain_status: companies.map((company) => statusOf(company, checks)),
          window: {
            from: window.from,
            to: window.to,
            ...(window.withinDays === null ? {} : { within_days: window.withinDays })
          },
          ...(checks.roles.length === 0
            ? {}
            : {
                interpreted: {
                  roles_searched: Arr.dedupe(checks.roles.map(({ searched }) => searched)),
                  version: ROLES_VERSION
                }
              })
        },
        charge: fromMicros(companies.reduce((sum, { charge }) => sum + charge, 0n))
      })
    })
}
