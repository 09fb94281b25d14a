import type { CompanySource } from "@outbound/domain/sources/ports/CompanySource.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Schema } from "effect"
import { maybe } from "../shape.js"
import { type AccountStanding, defineVendor, partsOf, type VendorFacts, type VendorParts } from "../Vendor.js"
import { makeFirmographics, servesFirmographics } from "./companies.js"
import { makeDatasets } from "./datasets.js"
import { CRUSTDATA, type Endpoints, makeEndpoints } from "./endpoints.js"
import { makeJobChanges } from "./jobChanges.js"
import { makeHiring, servesHiring } from "./jobs.js"
import { makeLeads, ROW_CREDITS } from "./people.js"
import { makePosts } from "./posts.js"
import { CrustdataSettings } from "./settings.js"
import { makeWords } from "./words.js"

const FACTS: VendorFacts = {
  name: CRUSTDATA,
  title: "Crustdata",
  baseUrl: "https://api.crustdata.com",
  callsPerMinute: 15,
  unit: "credit",
  unitMicros: 20_000,
  serves: ["lead_source", "company_source", "company_dataset_source", "intent_source", "post_source"],
  limits: [
    "A people search needs at least one filter.",
    "A place or industry that it does not know finds nobody, and costs nothing.",
    "Company search: firmographic and hiring. A hiring search can't be narrowed by industry or country.",
    "Keywords match a company's categories and markets (`company_keyword_fields`), not its description.",
    "Signals: job changes only. Datasets: profile, and funding (the total and the last round).",
    "Posts: the professional network only, enabled per account. Newest first needs `post_sort_field`, the field that holds the date.",
    "A plan without a requested field refuses the whole call and names the field. `person_fields` and `company_fields` set what is requested."
  ],
  known: "documentation"
}

const Credits = Schema.Struct({
  credits: maybe(Schema.Number),
  account: maybe(Schema.Struct({ credits: maybe(Schema.Number) }))
})

const Entitlements = Schema.Struct({
  endpoints: Schema.Array(Schema.Struct({ path: Schema.String, enabled: maybe(Schema.Boolean) }))
})

/** The endpoints that the sources use. */
const NEEDED = new Set(["/person/search", "/company/search", "/company/enrich", "/job/search", "/social_post/search"])

const accountStanding = ({ account }: Endpoints): Effect.Effect<AccountStanding, ProviderFailure> =>
  Effect.gen(function* () {
    const credits = yield* account.get(Credits, "/account/credits")
    // Not every account has the endpoint that lists the plan's endpoints.
    const { endpoints } = yield* Effect.orElseSucceed(account.get(Entitlements, "/account/endpoints"), () => ({
      endpoints: []
    }))
    return {
      left: credits.account?.credits ?? credits.credits,
      missing: endpoints
        .filter(({ enabled, path }) => enabled === false && NEEDED.has(path))
        .map(({ path }) => `the plan lacks ${path}`)
    }
  })

const companies = (endpoints: Endpoints, parts: VendorParts<CrustdataSettings>): CompanySource => {
  const words = makeWords(endpoints.companyWords, "/company/search/autocomplete")
  const firmographics = makeFirmographics({ ...parts, http: endpoints.companies, words })
  const hiring = makeHiring({ ...parts, http: endpoints.jobs })
  return {
    ...parts.declared("company_source", { units: 25 * ROW_CREDITS, missRate: 0.15, latencyMillis: 2_000 }),
    kinds: ["firmographic", "hiring"],
    serves: (criteria) => servesFirmographics(criteria, parts.settings) || servesHiring(criteria),
    search: (query) => {
      const { search } = query
      if (search.kind === "firmographic") return firmographics(query, search)
      return search.kind === "signals" && search.hiring !== null
        ? hiring(query, search.hiring)
        : Effect.fail(endpoints.companies.failed("invalid", `it does not search by ${search.kind}`))
    }
  }
}

export const crustdata = defineVendor({
  ...FACTS,
  settings: CrustdataSettings,
  make: (config, settings) =>
    Effect.map(makeEndpoints(config), (endpoints) => {
      const people = partsOf(FACTS, config, settings, endpoints.people)
      return {
        sources: {
          lead_source: makeLeads({ ...people, words: makeWords(endpoints.peopleWords, "/person/search/autocomplete") }),
          company_source: companies(endpoints, people),
          company_dataset_source: makeDatasets({ ...people, http: endpoints.enrich }),
          intent_source: makeJobChanges(people),
          post_source: makePosts({ ...people, http: endpoints.posts })
        },
        account: accountStanding(endpoints)
      }
    })
})
