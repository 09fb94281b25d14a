import { datasetForms } from "@outbound/domain/data/companies/credibleCompany.js"
import type {
  CompanyDatasets,
  CompanyDatasetSource,
  DatasetName
} from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Option } from "effect"
import { portSuite } from "./portSuite.js"
import { type Fixture, isRegistrable, keepsAll } from "./sources.js"

/** What is asked about a company. */
export interface DatasetRequest {
  readonly dataset: DatasetName
  readonly companyDomain: string
}

type Data = CompanyDatasets[DatasetName]

/** Null: nothing is known of it. */
export type CompanyDatasetSourceFixture = Fixture<DatasetRequest, Data | null>

const credibleOf = <D extends DatasetName>(dataset: D, data: Data, companyDomain: string): Data =>
  datasetForms[dataset].credible(data as CompanyDatasets[D], companyDomain)

export const companyDatasetSourceSuite = portSuite<CompanyDatasetSource, DatasetRequest, Data | null>({
  kind: "company_dataset_source",
  ask: (source, { companyDomain, dataset }): Effect.Effect<Data | null, ProviderFailure> => {
    const lookup: ((domain: string) => Effect.Effect<Option.Option<Data>, ProviderFailure>) | null =
      source.lookups[dataset]
    return lookup === null
      ? Effect.die(new Error(`${source.name} does not serve ${dataset}`))
      : Effect.map(lookup(companyDomain), Option.getOrNull)
  },
  holds: (data, { request, says }) => {
    if (data === null) return
    keepsAll(data, credibleOf(request.dataset, data, request.companyDomain), says)
    if (request.dataset === "relationships") {
      for (const { companyDomain } of data as CompanyDatasets["relationships"]) isRegistrable(companyDomain, says)
    }
  }
})
