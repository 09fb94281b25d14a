import type { IntentSignal, Ranking } from "../../verbs/FindIntent.js"
import type { CheckedCompany } from "./checkCompany.js"
import type { GoalJudgement } from "./goal.js"
import { byRecency, isFresh, type Signal, wireSignal } from "./Signal.js"

/** The ranking's version on the wire. */
export const RECENCY_VERSION = "recency-1"
export const GOAL_VERSION = "goal-1"

/** Judgements by company. Companies that no judge answered for are missing. */
export type Judgements = ReadonlyMap<string, GoalJudgement>

const FIT_ORDER: Readonly<Record<GoalJudgement["fit"], number>> = { yes: 0, unsure: 1, no: 2 }

const newest = ({ signals }: CheckedCompany): Signal | undefined => [...signals].sort(byRecency)[0]

const compareNewest = (a: CheckedCompany, b: CheckedCompany): number => {
  const [first, second] = [newest(a), newest(b)]
  return first === undefined || second === undefined ? 0 : byRecency(first, second)
}

const byDate = (signal: Signal, nowMillis: number): IntentSignal => ({
  ...wireSignal(signal),
  why_now: isFresh(signal, nowMillis),
  why_now_basis: "date"
})

/** The verdict applies to the quoted signal, or to all signals of a useless company. */
const judged = (signal: Signal, judgement: GoalJudgement | undefined, nowMillis: number): IntentSignal => {
  const isReason = judgement?.because === signal
  return isReason || judgement?.fit === "no"
    ? { ...wireSignal(signal), why_now: isReason, why_now_basis: "judged" }
    : byDate(signal, nowMillis)
}

/** Newest first. */
const rankByRecency = (companies: ReadonlyArray<CheckedCompany>, nowMillis: number) => ({
  signals: companies
    .flatMap(({ signals }) => signals)
    .sort(byRecency)
    .map((signal) => byDate(signal, nowMillis)),
  ranking: {
    by: "recency" as const,
    judged: 0,
    unsure: 0,
    why_now_judged: 0,
    version: RECENCY_VERSION,
    companies: [...companies].sort(compareNewest).map(({ companyDomain }) => companyDomain)
  }
})

/** Useful companies first, then unsure ones; newest first within each. */
const rankByGoal = (companies: ReadonlyArray<CheckedCompany>, judgements: Judgements, nowMillis: number) => {
  const fitOf = ({ companyDomain }: CheckedCompany) => judgements.get(companyDomain)?.fit ?? "unsure"
  const ranked = [...companies].sort((a, b) => FIT_ORDER[fitOf(a)] - FIT_ORDER[fitOf(b)] || compareNewest(a, b))
  const signals = ranked.flatMap((company) =>
    [...company.signals]
      .sort(byRecency)
      .map((signal) => judged(signal, judgements.get(company.companyDomain), nowMillis))
  )
  const unsure = ranked.filter((company) => fitOf(company) === "unsure").length
  return {
    signals,
    ranking: {
      by: "goal" as const,
      judged: ranked.length - unsure,
      unsure,
      why_now_judged: signals.filter((signal) => signal.why_now_basis === "judged").length,
      version: GOAL_VERSION,
      companies: ranked.map(({ companyDomain }) => companyDomain)
    }
  }
}

/** `companies`: those with signals. Newest first if no judge answered at all. */
export const rank = (
  companies: ReadonlyArray<CheckedCompany>,
  judgements: Judgements,
  nowMillis: number
): { readonly signals: ReadonlyArray<IntentSignal>; readonly ranking: Ranking } =>
  judgements.size === 0 ? rankByRecency(companies, nowMillis) : rankByGoal(companies, judgements, nowMillis)
