import { Array as Arr, Clock, Effect, Either, Option } from "effect"
import type { Handler, Plan } from "../../calls/Handler.js"
import { planWithin, served, wouldSpend } from "../../calls/planning.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { roleOf, ROLES_VERSION } from "../matching/Roles.js"
import { format, fromMicros, times } from "../../kernel/money/Credits.js"
import type { IntentSignalKind, IntentSource } from "../../sources/ports/IntentSource.js"
import type { Judge } from "../../sources/ports/Judge.js"
import { isUnconfigured, ownKeyError, RETRY_AFTER_SECONDS_DEFAULT, unconfigured } from "../../sources/refusals.js"
import type { DomainStatus, FindIntent } from "../../verbs/FindIntent.js"
import { SIGNALS_PRICE } from "../../verbs/prices.js"
import type { RequestOf } from "../../verbs/Verb.js"
import { type CheckedCompany, checkCompany, type Checks, checksOf } from "./checkCompany.js"
import { type GoalJudgement, goalOf, judgeGoal } from "./goal.js"
import { nextSteps } from "./next.js"
import { rank } from "./Ranking.js"
import { byRecency, wireSignal } from "./Signal.js"
import { callSources, type CallSources, type CheckOutcome } from "./Sources.js"
import { windowOf } from "./Window.js"

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
  const { charge, companyDomain, completed, postingsRejected, signals, skipped, unavailable } = company
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
    charge: { credits: format(charge), signal: signals.length > 0, paid_checks: completed.length },
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
    Either.gen(function* () {
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
