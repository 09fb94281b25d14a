import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { Effect, Option, Schema } from "effect"
import { maybe } from "../shape.js"
import type { Spend } from "../spending.js"
import { declaredOf, type VendorConfig } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { COMPANY_CREDITS, Confidence } from "./companies.js"
import { THEIR_STACK } from "./http.js"

const TechnologiesPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      technology: Schema.Struct({ name: Schema.String, category: maybe(Schema.String) }),
      confidence: maybe(Confidence),
      first_date_found: maybe(Schema.String),
      last_date_found: maybe(Schema.String)
    })
  )
})

/** What a company uses, as its postings name it. What a single posting may have meant otherwise is left out. */
export const makeDatasets = (http: VendorHttp, config: VendorConfig, spend: Spend): CompanyDatasetSource => ({
  ...declaredOf(config, THEIR_STACK, "company_dataset_source", {
    costMicros: COMPANY_CREDITS * config.unitMicros,
    missRate: 0.25,
    latencyMillis: 1_500
  }),
  lookups: {
    profile: null,
    technologies: (companyDomain) =>
      Effect.gen(function* () {
        const { data } = yield* http.read(TechnologiesPage, {
          method: "POST",
          path: "/v1/companies/technologies",
          hasEffect: true,
          body: { company_domain: companyDomain }
        })
        // An answer without any is free.
        if (data.length > 0) yield* spend(COMPANY_CREDITS)
        const technologies = data
          .filter(({ confidence }) => confidence !== "low")
          .map(({ first_date_found, last_date_found, technology }) => ({
            name: technology.name,
            category: technology.category,
            firstSeen: first_date_found,
            lastSeen: last_date_found
          }))
        return technologies.length === 0 ? Option.none() : Option.some(technologies)
      }),
    funding: null,
    relationships: null
  }
})
