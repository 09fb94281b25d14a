import type {
  CompanyDatasets,
  CompanyDatasetSource,
  DatasetLookup,
  DatasetName
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option } from "effect"
import { datasetsByDomain, isWellKnown, magicDatasets } from "../world/CompanyDatasets.js"
import { world } from "../world/World.js"

const source = (declared: Omit<CompanyDatasetSource, "lookups">, knownShare: number): CompanyDatasetSource => {
  const lookup =
    <D extends DatasetName>(dataset: D): DatasetLookup<D> =>
    (domain) =>
      Effect.suspend(() => {
        if (magicDatasets(domain) === "unavailable") {
          return Effect.fail(new ProviderFailure({ provider: declared.name, reason: "transient" }))
        }
        const known = isWellKnown(world(), domain, knownShare) ? datasetsByDomain(world(), domain) : null
        return Effect.succeed(Option.map(Option.fromNullishOr(known), (all): CompanyDatasets[D] => all[dataset]))
      })
  return {
    ...declared,
    lookups: {
      profile: lookup("profile"),
      technologies: lookup("technologies"),
      funding: lookup("funding"),
      relationships: lookup("relationships")
    }
  }
}

const INDEX_SHARE = 0.7

/** The cheap one: three companies in ten it does not know. */
export const sandboxCompanyIndex = source(
  { name: "sandbox_company_index", costMicros: 10_000, missRate: 0.3, latencyMillis: 40 },
  INDEX_SHARE
)

/** Knows every company of the sandbox's world. */
export const sandboxCompanyBroad = source(
  { name: "sandbox_company_broad", costMicros: 40_000, missRate: 0.05, latencyMillis: 150 },
  1
)
