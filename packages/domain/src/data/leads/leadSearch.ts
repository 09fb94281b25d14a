import { Effect, Option } from "effect"
import { crediblePerson, credibleText, isIdentified } from "../people/Credible.js"
import { fingerprintOf, maskedContact } from "../people/contact.js"
import { type InterpretedIndustry, namesToSearch } from "../../kernel/people/Industries.js"
import type { Crypto } from "../../kernel/ports/Crypto.js"
import type { InterpretedPlace, LeadCriteria, LeadPage, LeadQuery, LeadSource } from "../../sources/ports/LeadSource.js"
import { askSources, incredible } from "../../sources/Waterfall.js"
import type { Route } from "../../sources/ports/Source.js"
import type { Contact } from "../../verbs/fields.js"
import { FIND_LEADS_LIMIT_MAX, type FindLeads } from "../../verbs/FindLeads.js"
import type { RequestOf } from "../../verbs/Verb.js"
import type { Person } from "../../sources/ports/Person.js"
import { headcountFits, isOneOf, type MatchCounts, matchCounts, placeFits, type Verdict } from "../matching/verdicts.js"
import { titleFits } from "../matching/titles.js"

const companyMatches = (query: LeadQuery, person: Person): Verdict =>
  query.companyDomains.length === 0 ||
  // A lead whose company can't be told is never one of the companies asked for (contract: data, find leads).
  (person.companyDomain !== null && query.companyDomains.includes(person.companyDomain))

interface MatchCheckResult {
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
  const fits = titleFits(query.titles)
  for (const person of people) {
    const title = fits(person.title)
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

const distinct = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

export const criteriaOf = (request: RequestOf<typeof FindLeads>): LeadCriteria => ({
  audience: request.audience,
  titles: request.titles ?? [],
  locations: request.locations ?? [],
  industries: request.industries ?? [],
  companyDomains: distinct(request.company_domains ?? []),
  headcountMin: request.company_headcount?.min ?? null,
  headcountMax: request.company_headcount?.max ?? null
})

export const queryOf = (
  criteria: LeadCriteria,
  industries: ReadonlyArray<InterpretedIndustry>,
  limit: number
): LeadQuery => ({ ...criteria, industries: namesToSearch(industries), limit })

/** The page without implausible data; null if nothing is left. */
const crediblePage = (page: LeadPage): LeadPage | null => {
  const people = page.people.map(crediblePerson).filter(isIdentified)
  const counted = Number.isSafeInteger(page.totalFound) && page.totalFound >= 0
  if (!counted || (people.length === 0 && page.people.length > 0)) return null
  const places = page.places.filter((place) => [place.region, ...place.cities].every((name) => credibleText(name)))
  return { people, totalFound: page.totalFound, places }
}

/** The result of one step, standard or premium. */
export interface Leads {
  /** The matches, each once. */
  readonly leads: ReadonlyArray<Contact>
  readonly counts: MatchCheckResult["counts"]
  readonly titleWithheld: number
  readonly totalFound: number
  readonly places: ReadonlyArray<InterpretedPlace>
}

/** The sources and their route. */
interface Sources {
  readonly sources: ReadonlyArray<LeadSource>
  readonly route: Route
}

interface Asking extends Sources {
  readonly kind: "lead_source" | "premium_lead_source"
  readonly query: LeadQuery
  /** The most leads to return. */
  readonly limit: number
  /** Fingerprints of people not to return again. */
  readonly known: ReadonlySet<string>
  readonly satisfies: (leads: Leads, page: LeadPage) => boolean
}

const NOBODY: LeadPage = { people: [], totalFound: 0, places: [] }

/** Asks the sources in turn until an answer satisfies. */
const askInTurn = (crypto: Crypto["Service"], asking: Asking) => {
  const { known, limit, kind, query, route, satisfies, sources } = asking
  const leadsOf = (page: LeadPage): Leads => {
    const people = new Map(page.people.map((person) => [fingerprintOf(crypto, person), person]))
    for (const fingerprint of known) people.delete(fingerprint)
    const checked = matchCheck(query, page.places, [...people.values()].slice(0, limit))
    return {
      leads: checked.kept.map((person) => maskedContact(crypto, person)),
      counts: checked.counts,
      titleWithheld: checked.titleWithheld,
      totalFound: page.totalFound - checked.counts.withheld,
      places: page.places
    }
  }
  const ask = (source: LeadSource) =>
    Effect.flatMap(source.search(query), (page) => {
      const credible = crediblePage(page)
      return credible === null
        ? Effect.fail(incredible(source))
        : Effect.succeedSome({ page: credible, leads: leadsOf(credible) })
    })
  // Without sources, the answer is empty.
  if (sources.length === 0) return Effect.succeed(leadsOf(NOBODY))
  return Effect.map(
    // A premium answer belongs to the one call that consented.
    askSources({ kind, sources, route, request: kind === "lead_source" ? query : null }, ask, ({ leads, page }) =>
      satisfies(leads, page)
    ),
    ({ answer }) => Option.match(answer, { onNone: () => leadsOf(NOBODY), onSome: ({ leads }) => leads })
  )
}

const NONE_KNOWN: ReadonlySet<string> = new Set()

/** The standard step: the first source with a match. */
export const standardStep = (crypto: Crypto["Service"], sources: Sources, query: LeadQuery) =>
  askInTurn(crypto, {
    ...sources,
    query,
    limit: query.limit,
    kind: "lead_source",
    known: NONE_KNOWN,
    satisfies: (_leads, page) => page.people.length > 0
  })

/** The premium step: the first source that adds somebody new. */
export const premiumStep = (
  crypto: Crypto["Service"],
  sources: Sources,
  query: LeadQuery,
  options: { readonly limit: number; readonly known: ReadonlyArray<string> }
) =>
  askInTurn(crypto, {
    ...sources,
    kind: "premium_lead_source",
    // Leaves room for new people after the known ones.
    query: { ...query, limit: Math.min(options.limit + options.known.length, FIND_LEADS_LIMIT_MAX) },
    limit: options.limit,
    known: new Set(options.known),
    satisfies: ({ leads }) => leads.length > 0
  })
