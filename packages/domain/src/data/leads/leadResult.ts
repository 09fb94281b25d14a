import { type InterpretedIndustry, INTERPRETED_INDUSTRIES_MAX } from "../../kernel/people/Industries.js"
import { matchCounts, type MatchCounts } from "../matching/verdicts.js"
import type { FindLeads } from "../../verbs/FindLeads.js"
import type { ResultOf } from "../../verbs/Verb.js"
import type { Leads } from "./leadSearch.js"

/** How the interpretation of places is versioned on the wire. */
export const PLACES_VERSION = "places-1"

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** Of several checks by the same filters, one. */
const together = (counts: ReadonlyArray<MatchCounts>): MatchCounts => {
  const [only, ...more] = counts
  if (only !== undefined && more.length === 0) return only
  const kept = sum(counts.map((one) => one.kept))
  const notChecked = sum(counts.map((one) => one.not_checked))
  const withheld = sum(counts.map((one) => one.withheld))
  const checked = matchCounts(kept + notChecked, withheld, notChecked)
  return counts.every(({ status }) => status === "unchecked") ? { ...checked, status: "unchecked" } : checked
}

/** What both steps say of the search, in the order in which they ran. */
export const leadResult = (
  steps: ReadonlyArray<Leads>,
  industries: ReadonlyArray<InterpretedIndustry>,
  budgetApplied: ResultOf<typeof FindLeads>["budget_applied"] | null
): ResultOf<typeof FindLeads> => {
  const leads = steps.flatMap((step) => step.leads)
  const places = steps.map((step) => step.places).find((one) => one.length > 0) ?? []
  const titleWithheld = sum(steps.map((step) => step.titleWithheld))
  return {
    leads,
    total_found: Math.max(leads.length, ...steps.map((step) => step.totalFound)),
    match_check: together(steps.map((step) => step.counts)),
    ...(budgetApplied === null || budgetApplied === undefined ? {} : { budget_applied: budgetApplied }),
    ...(places.length === 0
      ? {}
      : { interpreted: { places: places.map((place) => ({ ...place, version: PLACES_VERSION })) } }),
    ...(titleWithheld === 0 ? {} : { title_filter: { withheld: titleWithheld } }),
    ...(industries.length === 0 ? {} : { interpreted_industries: industries.slice(0, INTERPRETED_INDUSTRIES_MAX) })
  }
}
