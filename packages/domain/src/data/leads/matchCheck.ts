import type { InterpretedPlace, LeadQuery } from "../../sources/ports/LeadSource.js"
import type { Person } from "../../sources/ports/Person.js"
import {
  containsAny,
  headcountFits,
  isOneOf,
  type MatchCounts,
  matchCounts,
  placeFits,
  type Verdict
} from "../matching/verdicts.js"

const companyMatches = (query: LeadQuery, person: Person): Verdict =>
  query.companyDomains.length === 0 ||
  // A lead whose company can't be told is never one of the companies asked for (contract: data, find leads).
  (person.companyDomain !== null && query.companyDomains.includes(person.companyDomain))

export interface MatchCheckResult {
  readonly kept: ReadonlyArray<Person>
  readonly counts: MatchCounts
  /** Those withheld because of their title. */
  readonly titleWithheld: number
}

/**
 * Checks a source's people against the query. Mismatches are neither returned nor charged. People who can't be checked
 * are kept and counted.
 */
export const matchCheck = (
  query: LeadQuery,
  places: ReadonlyArray<InterpretedPlace>,
  people: ReadonlyArray<Person>
): MatchCheckResult => {
  const filtered =
    query.titles.length + query.locations.length + query.industries.length + query.companyDomains.length > 0 ||
    query.headcountMin !== null ||
    query.headcountMax !== null
  if (!filtered) {
    return {
      kept: people,
      counts: { status: "unchecked", kept: 0, withheld: 0, not_checked: people.length },
      titleWithheld: 0
    }
  }
  const kept: Array<Person> = []
  let notChecked = 0
  let withheld = 0
  let titleWithheld = 0
  for (const person of people) {
    const title = containsAny(query.titles, person.title)
    const verdicts = [
      title,
      companyMatches(query, person),
      headcountFits(query, person.companyHeadcount),
      isOneOf(query.industries, person.companyIndustry),
      placeFits(query.locations, places, person)
    ]
    if (verdicts.includes(false)) {
      withheld += 1
      if (title === false) titleWithheld += 1
      continue
    }
    kept.push(person)
    if (verdicts.includes(null)) notChecked += 1
  }
  return {
    kept,
    counts: matchCounts(kept.length, withheld, notChecked),
    titleWithheld
  }
}
