import { classifyPhones } from "./phones.js"
import { classifiedWithSaying } from "../saying.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts } from "../Vendor.js"
import { makeCompanies } from "./companies.js"
import { apolloContacts } from "./contacts.js"
import { makeDatasets } from "./datasets.js"
import { makeLeads } from "./leads.js"
import { ApolloSettings, makeNews } from "./news.js"

const FACTS: VendorFacts = {
  name: "apollo",
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
  // Filters go in the query, whatever the method. A list repeats its name with `[]`.
  make: overHttp(
    FACTS,
    {
      authorize: (key) => ({ headers: { "x-api-key": key } }),
      classify: (answer) => classifyPhones(answer) ?? classifiedWithSaying(answer)
    },
    (parts) => {
      const { followUps, sources } = apolloContacts(parts)
      return {
        sources: {
          ...sources,
          lead_source: makeLeads(parts),
          company_source: makeCompanies(parts),
          company_dataset_source: makeDatasets(parts),
          intent_source: makeNews(parts)
        },
        followUps,
        account: Effect.map(
          parts.http.read(CreditUsage, { method: "POST", path: "/usage_stats/credit_usage_stats" }),
          ({ credit_usage_stats }) => ({ left: credit_usage_stats?.lead_credit?.left_over ?? null, missing: [] })
        )
      }
    }
  )
})
