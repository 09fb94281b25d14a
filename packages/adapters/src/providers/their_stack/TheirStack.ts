import { Effect, Schema } from "effect"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeCompanies } from "./companies.js"
import { makeDatasets } from "./datasets.js"
import { makeTheirStackHttp, THEIR_STACK } from "./http.js"
import { makeIntent } from "./intent.js"
import { TheirStackSettings } from "./settings.js"
import { makeTechnologies } from "./technologies.js"

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
