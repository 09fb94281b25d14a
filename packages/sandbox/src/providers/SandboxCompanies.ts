import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import { Clock, Effect } from "effect"
import { searchCompanies } from "../world/CompanySearch.js"
import { world } from "../world/World.js"

const source = (declared: Omit<CompanySource, "search">): CompanySource => ({
  ...declared,
  search: (query) => Effect.map(Clock.currentTimeMillis, (now) => searchCompanies(world(), query, now))
})

/** The companies of the sandbox's world, by everything but the neighbourhood. */
export const sandboxCompanies: CompanySource = source({
  name: "sandbox_companies",
  costMicros: 20_000,
  missRate: 0.1,
  latencyMillis: 40,
  kinds: ["hiring", "technologies", "similar", "query", "firmographic"]
})

/** Businesses around the corner. */
export const sandboxLocal: CompanySource = source({
  name: "sandbox_local",
  costMicros: 15_000,
  missRate: 0.1,
  latencyMillis: 60,
  kinds: ["local"]
})
