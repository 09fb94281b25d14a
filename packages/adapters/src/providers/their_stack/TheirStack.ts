import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { Effect, Option, Schema } from "effect"
import { maybe } from "../shape.js"
import { type Spend, spending } from "../spending.js"
import { declaredOf, defineVendor, type VendorConfig, type VendorFacts } from "../Vendor.js"
import type { VendorHttp } from "../VendorHttp.js"
import { COMPANY_CREDITS, Confidence, makeCompanies } from "./companies.js"
import { makeTheirStackHttp, THEIR_STACK } from "./http.js"
import { makeIntent } from "./intent.js"
import { TheirStackSettings } from "./settings.js"
import { makeTechnologies } from "./technologies.js"

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

/** Technologies named in a company's postings. Leaves out uncertain ones from a single posting. */
const makeDatasets = (http: VendorHttp, config: VendorConfig, spend: Spend): CompanyDatasetSource => ({
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
        // An empty answer is free.
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

const FACTS: VendorFacts = {
  name: THEIR_STACK,
  title: "TheirStack",
  baseUrl: "https://api.theirstack.com",
  callsPerMinute: 120,
  unit: "credit",
  unitMicros: 10_000,
  serves: ["company_source", "company_dataset_source", "intent_source"],
  limits: [
    "Company search: hiring and technologies, also combined, with every filter.",
    "Knows only technologies that job postings mention, not those visible on a website.",
    "Uses the technology names of its catalogue. Map others in `technology_slugs`.",
    "We leave out technologies of low confidence.",
    "The free plan returns 25 rows per page. Set `rows_per_page` for a paid plan."
  ],
  known: "documentation"
}

const Balance = Schema.Struct({ api_credits: Schema.Number, used_api_credits: Schema.Number })

export const theirStack = defineVendor({
  ...FACTS,
  settings: TheirStackSettings,
  make: (config, settings) =>
    Effect.map(makeTheirStackHttp(config), (http) => {
      const spend = spending(FACTS, config)
      const technologies = makeTechnologies(http, settings)
      return {
        sources: {
          company_source: makeCompanies({ http, technologies, settings, config, spend }),
          company_dataset_source: makeDatasets(http, config, spend),
          intent_source: makeIntent(http, settings, config, spend)
        },
        account: Effect.map(
          http.read(Balance, { method: "GET", path: "/v0/billing/credit-balance" }),
          ({ api_credits, used_api_credits }) => ({ left: Math.max(0, api_credits - used_api_credits), missing: [] })
        )
      }
    })
})
