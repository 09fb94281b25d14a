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
    "Its search of people is free but tells neither last names nor companies: each person found costs a credit more.",
    "Neither people nor companies can be searched by industry: such a search is not asked of it.",
    "Of companies it serves the kind firmographic, by keywords; not with words to leave out, nor by places and countries at once.",
    "Of signals it serves news, for which a company is looked up first; that is remembered for `ids_kept_days`.",
    "Of datasets it serves profile, technologies and funding; amounts in other currencies than dollars are left out.",
    "Mobile numbers are searched only where `phone_webhook_url` is set: without it `mobile_finder` can't list it.",
    "Some of its endpoints need a master key."
  ],
  known: "specification"
}

/** What is left of the credits that people and companies are paid with; which kinds there are differs by plan. */
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
