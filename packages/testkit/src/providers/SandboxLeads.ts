import type { LeadSource } from "@outbound/domain/ports/providers/LeadSource.js"
import { Effect } from "effect"
import { search } from "../world/Search.js"
import { world } from "../world/World.js"

/** Everybody of the sandbox's world, by structured filters. */
export const sandboxLeads: LeadSource = {
  name: "sandbox_leads",
  costMicros: 2_000,
  missRate: 0.05,
  latencyMillis: 20,
  search: (query) => Effect.sync(() => search(world(), query))
}
