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
    "Of companies it serves the kinds hiring and technologies, both together too, with every filter.",
    "Technologies are told by what postings name; what only a website would show is not known.",
    "A technology goes by its name in the catalogue; what the catalogue does not know is set in `technology_slugs`.",
    "Technologies of low confidence are left out of what a company uses.",
    "The free plan gives 25 rows at a time; a paid one more, which `rows_per_page` says."
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
