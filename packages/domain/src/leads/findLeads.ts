import { Effect, Either, Option } from "effect"
import type { Handler } from "../calls/Handler.js"
import { type ListPlan, listWould, planList, served } from "../calls/planning.js"
import { credits, times } from "../money/Credits.js"
import { fingerprintOf, maskedContact } from "../people/contact.js"
import {
  type InterpretedIndustry,
  INTERPRETED_INDUSTRIES_MAX,
  interpretIndustry,
  namesToSearch
} from "../people/Industries.js"
import { credibleText, crediblePerson, isIdentified } from "../people/Credible.js"
import { Crypto } from "../ports/Crypto.js"
import type { LeadPage, LeadQuery, LeadSource } from "../ports/providers/LeadSource.js"
import { incredible, pour } from "../providers/Waterfall.js"
import { FIND_LEADS_LIMIT_DEFAULT, type FindLeads } from "../verbs/FindLeads.js"
import type { RequestOf } from "../verbs/Verb.js"
import { matchCheck } from "./matchCheck.js"

export const FIND_LEADS_PRICE = credits("0.2")

/** How the interpretation of places is versioned on the wire. */
export const PLACES_VERSION = "places-1"

type FindLeadsPlan = ListPlan<LeadSource>

const NOBODY: LeadPage = { people: [], totalFound: 0, places: [] }

const distinct = <A>(items: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(items)]

const queryOf = (
  request: RequestOf<typeof FindLeads>,
  industries: ReadonlyArray<InterpretedIndustry>,
  limit: number
): LeadQuery => ({
  audience: request.audience,
  titles: request.titles ?? [],
  locations: request.locations ?? [],
  industries: namesToSearch(industries),
  companyDomains: distinct(request.company_domains ?? []),
  headcountMin: request.company_headcount?.min ?? null,
  headcountMax: request.company_headcount?.max ?? null,
  limit
})

/** The page with what makes no sense left out; null where nothing is left of it. */
const crediblePage = (page: LeadPage): LeadPage | null => {
  const people = page.people.map(crediblePerson).filter(isIdentified)
  const counted = Number.isSafeInteger(page.totalFound) && page.totalFound >= 0
  if (!counted || (people.length === 0 && page.people.length > 0)) return null
  const places = page.places.filter((place) => [place.region, ...place.cities].every((name) => credibleText(name)))
  return { people, totalFound: page.totalFound, places }
}

const ask = (source: LeadSource, query: LeadQuery) =>
  Effect.flatMap(source.search(query), (page) => {
    const credible = crediblePage(page)
    return credible === null ? Effect.fail(incredible(source)) : Effect.succeedSome(credible)
  })

export const findLeads = Effect.map(Crypto, (crypto): Handler<typeof FindLeads, FindLeadsPlan> => ({
  plan: (request, { providers }) =>
    Either.gen(function* () {
      const sources = yield* served("find_leads", providers.leadSources)
      return yield* planList(request, { price: FIND_LEADS_PRICE, limitDefault: FIND_LEADS_LIMIT_DEFAULT, sources })
    }),
  would: (request, plan) => Effect.succeed(listWould(request, plan)),
  perform: (request, call) =>
    Effect.gen(function* () {
      const industries = (request.industries ?? []).map(interpretIndustry)
      const query = queryOf(request, industries, call.plan.limit)
      const { answer } = yield* pour(
        call.plan.sources,
        (source) => ask(source, query),
        (page) => page.people.length > 0
      )
      const page = Option.getOrElse(answer, () => NOBODY)
      const people = new Map(page.people.map((person) => [fingerprintOf(crypto, person), person]))
      const checked = matchCheck(query, page.places, [...people.values()].slice(0, call.plan.limit))
      const leads = checked.kept.map((person) => maskedContact(crypto, person))
      return yield* call.settle({
        result: {
          leads,
          total_found: Math.max(page.totalFound - checked.counts.withheld, leads.length),
          match_check: checked.counts,
          ...(call.plan.budgetApplied === null ? {} : { budget_applied: call.plan.budgetApplied }),
          ...(page.places.length === 0
            ? {}
            : { interpreted: { places: page.places.map((place) => ({ ...place, version: PLACES_VERSION })) } }),
          ...(checked.titleWithheld === 0 ? {} : { title_filter: { withheld: checked.titleWithheld } }),
          ...(industries.length === 0
            ? {}
            : { interpreted_industries: industries.slice(0, INTERPRETED_INDUSTRIES_MAX) })
        },
        charge: times(FIND_LEADS_PRICE, leads.length)
      })
    })
}))
