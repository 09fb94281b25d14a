import type { BriefWriter } from "@outbound/domain/sources/ports/BriefWriter.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect, Option } from "effect"
import { briefOf } from "../world/Briefs.js"
import { datasetsByDomain, magicDatasets } from "../world/CompanyDatasets.js"
import { world } from "../world/World.js"

const NAME = "sandbox_briefs"

/** Writes about the companies of the sandbox's world. */
export const sandboxBriefs: BriefWriter = {
  name: NAME,
  costMicros: 60_000,
  missRate: 0.1,
  latencyMillis: 900,
  depths: ["fast", "deep"],
  write: ({ companyDomain, depth }) =>
    Effect.suspend(() =>
      magicDatasets(companyDomain) === "unavailable"
        ? Effect.fail(new ProviderFailure({ provider: NAME, reason: "transient" }))
        : Effect.succeed(
            Option.map(Option.fromNullable(datasetsByDomain(world(), companyDomain)), (known) => briefOf(known, depth))
          )
    )
}
