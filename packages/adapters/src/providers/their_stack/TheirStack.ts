import { classifiedWithSaying } from "../saying.js"
import type { CompanyDatasetSource } from "@outbound/domain/sources/ports/CompanyDatasetSource.js"
import { Effect, Option, Schema } from "effect"
import { maybe, maybeTexts } from "../shape.js"
import { defineVendor, overHttp, type VendorFacts, type VendorParts } from "../Vendor.js"
import { COMPANY_CREDITS, Confidence, makeCompanies } from "./companies.js"
import { makeIntent } from "./intent.js"
import { TheirStackSettings } from "./settings.js"
import { makeTechnologies } from "./technologies.js"

const TechnologiesPage = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      technology: Schema.Struct({ name: Schema.String, category: maybe(Schema.String) }),
      confidence: maybe(Confidence),
      ...maybeTexts("first_date_found", "last_date_found")
    })
  )
})

/** Technologies named in a company's postings. Leaves out uncertain ones from a single posting. */
const makeDatasets = ({ charged, declared }: VendorParts): CompanyDatasetSource => ({
  ...declared("company_dataset_source", { units: COMPANY_CREDITS, missRate: 0.25, latencyMillis: 1_500 }),
  lookups: {
    profile: null,
    technologies: (companyDomain) => {
      const request = { path: "/v1/companies/technologies", body: { company_domain: companyDomain } }
      // An empty answer is free.
      const cost = ({ data }: typeof TechnologiesPage.Type) => (data.length > 0 ? COMPANY_CREDITS : 0)
      return Effect.map(charged(TechnologiesPage, request, cost), ({ data }) => {
        const technologies = data
          .filter(({ confidence }) => confidence !== "low")
          .map(({ first_date_found, last_date_found, technology }) => ({
            name: technology.name,
            category: technology.category,
            firstSeen: first_date_found,
            lastSeen: last_date_found
          }))
        return technologies.length === 0 ? Option.none() : Option.some(technologies)
      })
    },
    funding: null,
    relationships: null
  }
})

const FACTS: VendorFacts = {
  name: "their_stack",
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
  make: overHttp(
    FACTS,
    { authorize: (key) => ({ headers: { authorization: `Bearer ${key}` } }), classify: classifiedWithSaying },
    (parts) => ({
      sources: {
        company_source: makeCompanies({ ...parts, technologies: makeTechnologies(parts.http, parts.settings) }),
        company_dataset_source: makeDatasets(parts),
        intent_source: makeIntent(parts)
      },
      account: Effect.map(
        parts.http.get(Balance, "/v0/billing/credit-balance"),
        ({ api_credits, used_api_credits }) => ({ left: Math.max(0, api_credits - used_api_credits), missing: [] })
      )
    })
  )
})
