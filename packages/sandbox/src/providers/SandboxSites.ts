import type { SiteReader } from "@outbound/domain/sources/ports/SiteReader.js"
import { Effect } from "effect"
import { readSite } from "../world/Sites.js"
import { world } from "../world/World.js"

/** The websites of the sandbox's companies, and of the magic ones. */
export const sandboxSites: SiteReader = {
  name: "sandbox_sites",
  costMicros: 100,
  missRate: 0.05,
  latencyMillis: 300,
  read: ({ companyDomain, pagesMax }) => Effect.sync(() => readSite(world(), companyDomain, pagesMax))
}
