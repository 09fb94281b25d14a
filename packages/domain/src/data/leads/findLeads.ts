import { Effect, Result } from "effect"
import { type Call, ceilingOf, type Handler, type ListPlan, listWould, planList, served } from "../../calls/Handler.js"
import type { ApiKey } from "../../calls/keys/KeyStore.js"
import { type MatchCounts, matchCounts } from "../matching/verdicts.js"
import { type Credits, format, fromMicros, plus, times, wholeUnits } from "../../kernel/money/Credits.js"
import {
  INTERPRETED_INDUSTRIES_MAX,
  type InterpretedIndustry,
  interpretIndustry
} from "../../kernel/people/Industries.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import type { LeadCriteria, LeadQuery, LeadSource } from "../../sources/ports/LeadSource.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { FIND_LEADS_LIMIT_DEFAULT, type FindLeads, type OfferReason } from "../../verbs/FindLeads.js"
import type { RequestOf, ResultOf } from "../../verbs/Verb.js"
import { criteriaOf, type Leads, premiumStep, queryOf, standardStep } from "./leadSearch.js"
import { makeOffers } from "./Offers.js"
import type { Offer } from "./OfferStore.js"
import { FIND_LEADS_PRICE, PREMIUM_LEAD_PRICE } from "../../verbs/prices.js"

/** The bounds of a premium step with consent `within_budget`. */
export interface PremiumBounds {
  readonly limit: number
  /** For the whole call. */
  readonly ceiling: Credits
  /** For the step, from the key. */
  readonly allowance: Credits
}

const STANDARD_MICROS = Number(FIND_LEADS_PRICE)
const PREMIUM_MICROS = Number(PREMIUM_LEAD_PRICE)

/** Uses plain numbers because plans are made under locks: no ceiling exceeds `BUDGET_CREDITS_MAX`. */
const roomAfter = ({ allowance, ceiling, limit }: PremiumBounds): ((found: number) => number) => {
  const micros = Number(ceiling)
  const allowed = wholeUnits(allowance, PREMIUM_LEAD_PRICE)
  return (found) => {
    const affordable = Math.floor((micros - found * STANDARD_MICROS) / PREMIUM_MICROS)
    return Math.max(0, Math.min(limit - found, affordable, allowed))
  }
}

/** The most premium results after this many standard ones. */
export const premiumRoom = (bounds: PremiumBounds, found: number): number => roomAfter(bounds)(found)

/** The price of this many results of each kind. */
export const leadsCharge = (found: number, added: number): Credits =>
  plus(times(FIND_LEADS_PRICE, found), times(PREMIUM_LEAD_PRICE, added))

/** The maximum charge of the call, whatever its standard sources find. */
export const maximumWithin = (bounds: PremiumBounds): Credits => {
  const room = roomAfter(bounds)
  let most = 0
  for (let found = 0; found <= bounds.limit; found++) {
    most = Math.max(most, found * STANDARD_MICROS + room(found) * PREMIUM_MICROS)
  }
  return fromMicros(BigInt(most))
}

/** The version of place readings on the wire. */
const PLACES_VERSION = "places-1"

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** Sums checks by the same filters. */
const sumCounts = (counts: ReadonlyArray<MatchCounts>): MatchCounts => {
  const [only, ...more] = counts
  if (only !== undefined && more.length === 0) return only
  const kept = sum(counts.map((one) => one.kept))
  const notChecked = sum(counts.map((one) => one.not_checked))
  const withheld = sum(counts.map((one) => one.withheld))
  const checked = matchCounts(kept + notChecked, withheld, notChecked)
  return counts.every(({ status }) => status === "unchecked") ? { ...checked, status: "unchecked" } : checked
}

/** The wire result of both steps, in the order they ran. */
const leadResult = (
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
    match_check: sumCounts(steps.map((step) => step.counts)),
    ...(budgetApplied === null || budgetApplied === undefined ? {} : { budget_applied: budgetApplied }),
    ...(places.length === 0
      ? {}
      : { interpreted: { places: places.map((place) => ({ ...place, version: PLACES_VERSION })) } }),
    ...(titleWithheld === 0 ? {} : { title_filter: { withheld: titleWithheld } }),
    ...(industries.length === 0 ? {} : { interpreted_industries: industries.slice(0, INTERPRETED_INDUSTRIES_MAX) })
  }
}

interface FindLeadsPlan extends ListPlan<LeadSource> {
  readonly criteria: LeadCriteria
  /** Sources that could add to this search. Asked only with consent. */
  readonly premiumSources: ReadonlyArray<LeadSource>
}

type Request = RequestOf<typeof FindLeads>
type LeadsCall = Call<FindLeadsPlan, ResultOf<typeof FindLeads>>

const serving = (sources: ReadonlyArray<LeadSource>, tier: LeadSource["tier"], criteria: LeadCriteria) =>
  sources.filter((source) => source.tier === tier && (source.serves === undefined || source.serves(criteria)))

/** The maximum charge if the call may use premium sources. Null: the price of its limit. */
const maximumOf = (request: Request, plan: ListPlan<LeadSource>, key: ApiKey): Credits | null => {
  const ceiling = ceilingOf(request)
  // The offer, once read, states it exactly.
  if (request.offer_token !== undefined) return times(PREMIUM_LEAD_PRICE, plan.limit)
  return request.premium === undefined || ceiling === null
    ? null
    : maximumWithin({ limit: plan.limit, ceiling, allowance: key.premiumAllowance })
}

const planOf = (request: Request, sources: ReadonlyArray<LeadSource>, key: ApiKey) =>
  Result.gen(function* () {
    const plan = yield* planList(request, {
      price: FIND_LEADS_PRICE,
      limitDefault: FIND_LEADS_LIMIT_DEFAULT,
      sources: []
    })
    const criteria = criteriaOf(request)
    const standard = serving(sources, undefined, criteria)
    const premiumSources = serving(sources, "premium", criteria)
    // With a token, the first answer says whether the offer exists.
    if (request.offer_token === undefined) yield* served("find_leads", [...standard, ...premiumSources], sources)
    const asksPremium = request.premium !== undefined || request.offer_token !== undefined
    const isServed = premiumSources.length > 0 || request.offer_token !== undefined
    const maximum = isServed ? maximumOf(request, plan, key) : null
    return {
      ...plan,
      maximum: maximum ?? plan.maximum,
      capabilities: asksPremium ? [...plan.capabilities, "premium_offers" as const] : plan.capabilities,
      criteria,
      sources: standard,
      premiumSources
    }
  })

/** The query for sources, and how the industries were read. */
const askedOf = ({ criteria, limit }: FindLeadsPlan) => {
  const industries = criteria.industries.map(interpretIndustry)
  return { industries, query: queryOf(criteria, industries, limit) }
}

const by = ({ plan }: LeadsCall, sources: ReadonlyArray<LeadSource>) => ({
  sources,
  route: plan.route?.used ?? ("balanced" as const)
})

const reasonOf = (plan: FindLeadsPlan, found: number): OfferReason =>
  plan.sources.length === 0 ? "filter_needs_premium" : found === 0 ? "none_found_standard" : "partially_filled"

const premiumStepOf = (call: LeadsCall, added: number) => ({
  request_id: call.requestId,
  results_added: added,
  credits_charged: format(times(PREMIUM_LEAD_PRICE, added))
})

/** The offer in the answer. Its token is added when the answer is sent. */
const shown = (offer: Offer) => ({
  offer_token: "",
  reason: offer.reason,
  credits_per_result: format(PREMIUM_LEAD_PRICE),
  max_results: offer.maxResults,
  max_credits: format(offer.maxCredits),
  expires_at: new Date(offer.expiresAtMillis).toISOString()
})

const fingerprints = ({ leads }: Leads): ReadonlyArray<string> => leads.map((lead) => lead.fingerprint)

const make = Effect.gen(function* () {
  const crypto = yield* Crypto
  const offers = yield* makeOffers
  const { atomically } = yield* UnitOfWork

  /** The offer for the premium sources that were not asked; null if there is nothing to offer. */
  const offerOf = (request: Request, call: LeadsCall, standard: Leads): Offer | null => {
    const { key } = call.admitted
    const { plan } = call
    const ceiling = ceilingOf(request)
    const missing = plan.limit - standard.leads.length
    // Accepting repeats this request and its ceiling.
    const maxResults = ceiling === null ? missing : Math.min(missing, wholeUnits(ceiling, PREMIUM_LEAD_PRICE))
    const isAllowed = !key.capabilitiesOff.includes("premium_offers") && key.premiumAllowance >= PREMIUM_LEAD_PRICE
    if (!isAllowed || plan.premiumSources.length === 0 || maxResults < 1) return null
    return offers.made(call, {
      reason: reasonOf(plan, standard.leads.length),
      maxResults,
      maxCredits: times(PREMIUM_LEAD_PRICE, maxResults),
      known: fingerprints(standard)
    })
  }

  /** The premium step of a consenting call; null if it didn't run. */
  const withinBudget = (request: Request, call: LeadsCall, query: LeadQuery, standard: Leads) => {
    const { limit, premiumSources } = call.plan
    const ceiling = ceilingOf(request)
    if (request.premium === undefined || ceiling === null || premiumSources.length === 0) return Effect.succeed(null)
    const allowance = call.admitted.key.premiumAllowance
    const room = premiumRoom({ limit, ceiling, allowance }, standard.leads.length)
    if (room === 0) return Effect.succeed(null)
    return premiumStep(crypto, by(call, premiumSources), query, { limit: room, known: fingerprints(standard) }).pipe(
      // The standard results are delivered anyway, and the rest is offered.
      Effect.catch(() => Effect.succeed(null))
    )
  }

  const search = (request: Request, call: LeadsCall) =>
    Effect.gen(function* () {
      const { budgetApplied, sources } = call.plan
      const { industries, query } = askedOf(call.plan)
      const standard = yield* standardStep(crypto, by(call, sources), query)
      const added = yield* withinBudget(request, call, query, standard)
      const offer = added === null ? offerOf(request, call, standard) : null
      const result = {
        ...leadResult(added === null ? [standard] : [standard, added], industries, budgetApplied),
        ...(offer === null ? {} : { offer: shown(offer) }),
        ...(added === null ? {} : { premium_step: premiumStepOf(call, added.leads.length) })
      }
      const charge = leadsCharge(standard.leads.length, added?.leads.length ?? 0)
      if (offer === null) return yield* call.settle({ result, charge })
      const settle = call.settleIn({ result, charge, approvalId: offer.offerId })
      return yield* atomically(Effect.andThen(offers.insert(offer), settle))
    })

  /** Runs only the premium step, as its own charge. If it fails, the offer can be accepted again. */
  const accept = (call: LeadsCall, tokenHash: string) =>
    Effect.gen(function* () {
      const { budgetApplied } = call.plan
      const { industries, query } = askedOf(call.plan)
      const premiumSources = yield* Effect.fromResult(
        served("find_leads", call.plan.premiumSources, call.providers.leadSources)
      )
      const offer = yield* offers.take(call, tokenHash)
      const bounds = { limit: offer.maxResults, known: offer.known }
      const added = yield* premiumStep(crypto, by(call, premiumSources), query, bounds)
      const result = {
        ...leadResult([added], industries, budgetApplied),
        premium_step: premiumStepOf(call, added.leads.length)
      }
      const settle = call.settleIn({ result, charge: times(PREMIUM_LEAD_PRICE, added.leads.length) })
      return yield* atomically(Effect.andThen(offers.use(call, offer), settle))
    })

  const handler: Handler<typeof FindLeads, FindLeadsPlan> = {
    plan: (request, { key, providers }) =>
      Result.flatMap(served("find_leads", providers.leadSources), (sources) => planOf(request, sources, key)),
    subject: (_request, scope) => offers.look(scope),
    would: (request, plan) => {
      const asked = request.premium === undefined ? plan.sources : [...plan.sources, ...plan.premiumSources]
      return Effect.succeed(listWould(request, { ...plan, sources: asked }))
    },
    perform: (request, call) => (call.tokenHash === null ? search(request, call) : accept(call, call.tokenHash))
  }
  return handler
})

export const findLeads = make
