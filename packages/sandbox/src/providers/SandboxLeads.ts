import type { LeadCriteria, LeadPage, LeadQuery, LeadSource } from "@outbound/domain/sources/ports/LeadSource.js"
import { Effect } from "effect"
import { search } from "../world/Search.js"
import { world } from "../world/World.js"

/** An audience that holds it is one that the standard source finds only a part of (contract: surfaces, sandbox). */
const OFFER_MARK = "[[offer]]"

const needsPremium = ({ audience }: LeadCriteria): boolean => audience.includes(OFFER_MARK)

/** Those of whom the standard source knows: half of as many as are wanted. */
const partOf = (query: LeadQuery): LeadPage => {
  const page = search(world(), { ...query, limit: Math.floor(query.limit / 2) })
  return { ...page, totalFound: page.people.length }
}

/** Everybody of the sandbox's world, by structured filters. */
export const sandboxLeads: LeadSource = {
  name: "sandbox_leads",
  costMicros: 2_000,
  missRate: 0.05,
  latencyMillis: 20,
  search: (query) => Effect.sync(() => (needsPremium(query) ? partOf(query) : search(world(), query)))
}

const premium = (declared: Pick<LeadSource, "name" | "costMicros" | "missRate" | "latencyMillis">): LeadSource => ({
  ...declared,
  tier: "premium",
  serves: needsPremium,
  search: (query) => Effect.sync(() => search(world(), query))
})

/** Two dearer ones for the rest. Both know all of the same people. */
export const sandboxPremiumLeads: ReadonlyArray<LeadSource> = [
  premium({ name: "sandbox_leads_premium", costMicros: 20_000, missRate: 0.4, latencyMillis: 200 }),
  premium({ name: "sandbox_leads_premium_broad", costMicros: 60_000, missRate: 0.05, latencyMillis: 900 })
]
