import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { spending } from "../spending.js"
import { defineVendor, type VendorFacts } from "../Vendor.js"
import { makeCompanies } from "./companies.js"
import { apolloContacts } from "./contacts.js"
import { makeDatasets } from "./datasets.js"
import { APOLLO, makeApolloHttp } from "./http.js"
import { makeLeads } from "./leads.js"
import { makeNews } from "./news.js"
import { ApolloSettings } from "./settings.js"

const FACTS: VendorFacts = {
  name: APOLLO,
  title: "Apollo",
  baseUrl: "https://api.apollo.io/api/v1",
  callsPerMinute: 200,
  unit: "credit",
  unitMicros: 20_000,
  serves: [
    "lead_source",
    "company_source",
    "company_dataset_source",
    "intent_source",
    "contact_enricher",
    "mobile_finder"
  ],
  limits: [
    "The people search is free but returns neither last names nor companies, so each person found costs one more credit.",
    "Can't search people or companies by industry: it is skipped for such searches.",
    "Company search: firmographic only, by keywords; no excluded keywords, and no cities and countries together.",
    "Signals: news only. It needs a company lookup first, which is remembered for `ids_kept_days`.",
    "Datasets: profile, technologies and funding. Amounts in currencies other than US dollars are left out.",
    "The mobile search needs `phone_webhook_url`. Without it, `mobile_finder` can't list this vendor.",
    "Some endpoints need a master key."
  ],
  known: "specification"
}

/** The credits left for people and companies. Their kinds differ by plan. */
const CreditUsage = Schema.Struct({
  credit_usage_stats: maybe(Schema.Struct({ lead_credit: maybe(Schema.Struct({ left_over: maybe(Schema.Number) })) }))
})

export const apollo = defineVendor({
  ...FACTS,
  settings: ApolloSettings,
  unserved: ({ phone_webhook_url }) =>
    phone_webhook_url === null ? { mobile_finder: "settings.phone_webhook_url" } : {},
  make: (config, settings) =>
    Effect.map(makeApolloHttp(config), (http) => {
      const spend = spending(FACTS, config)
      const { followUps, sources } = apolloContacts(http, config, settings, spend)
      return {
        sources: {
          ...sources,
          lead_source: makeLeads(http, config, spend),
          company_source: makeCompanies(http, config, spend),
          company_dataset_source: makeDatasets(http, config, spend),
          intent_source: makeNews(http, settings, config, spend)
        },
        followUps,
        account: Effect.map(
          http.read(CreditUsage, { method: "POST", path: "/usage_stats/credit_usage_stats" }),
          ({ credit_usage_stats }) => ({ left: credit_usage_stats?.lead_credit?.left_over ?? null, missing: [] })
        )
      }
    })
})
