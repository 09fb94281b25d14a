import { assert, describe, it } from "@effect/vitest"
import type { CompanyCriteria } from "@outbound/domain/sources/ports/CompanySource.js"
import type { LeadCriteria } from "@outbound/domain/sources/ports/LeadSource.js"
import { anyCompany } from "@outbound/testkit/contracts/providers/companySource.js"
import { anybody } from "@outbound/testkit/contracts/providers/leadSource.js"
import { makeVendorUnderTest, vendorSubject, vendorSuite } from "@outbound/testkit/contracts/providers/vendor.js"
import { told } from "@outbound/testkit/contracts/providers/sources.js"
import { vendorFaultsSuite } from "@outbound/testkit/contracts/providers/vendorFaults.js"
import { make as makeCoalesce } from "@outbound/domain/sources/Coalesce.js"
import { noAccess, CurrentSourceAccess } from "@outbound/domain/sources/SourceAccess.js"
import { Effect } from "effect"
import { apollo } from "../../src/providers/apollo/Apollo.js"
import { crustdata } from "../../src/providers/crustdata/Crustdata.js"
import { googlePlaces } from "../../src/providers/google_places/GooglePlaces.js"
import { oceanIo } from "../../src/providers/ocean_io/OceanIo.js"
import { apolloFixtures, apolloNews } from "./search/apollo.js"
import { crustdataFixtures } from "./search/crustdata.js"
import { firmographic, hiring, hiringCase } from "./search/crustdataCompanies.js"
import { dentists, googlePlacesFixtures } from "./search/googlePlaces.js"
import { oceanIoFixtures, similar } from "./search/oceanIo.js"
import { watchRequests } from "./published/watch.js"

watchRequests(["apollo"])

vendorSuite(crustdata, crustdataFixtures)
vendorSuite(apollo, apolloFixtures)
vendorSuite(googlePlaces, googlePlacesFixtures)
vendorSuite(oceanIo, oceanIoFixtures)

describe("what a source charges for beside the question that its suite spoils", () => {
  const companies = vendorSubject(crustdata, "company_source")
  vendorFaultsSuite(companies, hiringCase, { hasEffect: true }, (source, query) => source.search(query))

  const news = vendorSubject(apollo, "intent_source", apolloFixtures.settings)
  vendorFaultsSuite(news, apolloNews, { hasEffect: true, faulty: 1 }, (source, query) => source.check(query))
})

describe("crustdata, asked for posts", () => {
  const request = { query: "payroll", platforms: ["social" as const], sinceMillis: null, limit: 1 }
  const post = { share_url: "https://www.linkedin.com/posts/1", text: "payroll", date_posted: "2026-01-01" }
  const answer = { json: { posts: [post], next_cursor: "more" } }

  it.effect("says that it did not look everywhere where there are more, unless it can ask for the newest", () =>
    Effect.gen(function* () {
      const plain = yield* makeVendorUnderTest(crustdata)
      plain.server.on({ request: { method: "POST", path: "/social_post/search" }, answer })
      const [, some] = yield* told(plain.made.sources.post_source!.search(request))
      assert.deepStrictEqual([some.posts.length, some.isComplete], [1, false])
      const sorted = yield* makeVendorUnderTest(crustdata, { post_sort_field: "date_posted" })
      const body = { sorts: [{ field: "date_posted", order: "desc" }] }
      sorted.server.on({ request: { method: "POST", path: "/social_post/search", body }, answer })
      const [, newest] = yield* told(sorted.made.sources.post_source!.search(request))
      assert.deepStrictEqual([newest.posts.length, newest.isComplete], [1, true])
    })
  )
})

describe("crustdata, whose answers say what they cost", () => {
  it.effect("is charged for one that can't be understood, too", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(crustdata)
      server.on({
        request: { method: "POST", path: "/person/search" },
        answer: { headers: { "x-credits-used": "0.75" }, json: { profiles: "many" } }
      })
      const search = made.sources.lead_source!.search({ ...anybody, titles: ["VP"] })
      const [{ spent }, failure] = yield* told(Effect.flip(search))
      assert.deepStrictEqual([failure.reason, spent.map(({ amount }) => amount)], ["unknown_outcome", [0.75]])
    })
  )
})

describe("one look that several datasets rest on", () => {
  it.effect("is asked for, and paid for, once by all that are looked up at once", () =>
    Effect.gen(function* () {
      const { made, server } = yield* makeVendorUnderTest(apollo)
      server.on({
        request: { method: "GET", path: "/api/v1/organizations/enrich" },
        answer: { json: { organization: { id: "o1", name: "Acme", technology_names: ["Slack"] } } }
      })
      const { together } = yield* makeCoalesce
      const costs: Array<number> = []
      const reach = {
        ...noAccess,
        together,
        spent: ({ amount }: { readonly amount: number }) => Effect.sync(() => void costs.push(amount))
      }
      const { funding, profile, technologies } = made.sources.company_dataset_source?.lookups ?? {}
      const both = [profile, technologies, funding].flatMap((lookup) => lookup?.("acme.example") ?? [])
      yield* Effect.all(both as ReadonlyArray<Effect.Effect<unknown, unknown>>, { concurrency: "unbounded" }).pipe(
        Effect.provideService(CurrentSourceAccess, reach)
      )
      assert.strictEqual(both.length, 3)
      assert.strictEqual(server.received.length, 1)
      assert.deepStrictEqual(costs, [1])
    })
  )
})

describe("filters that a source can't apply are not asked of it", () => {
  const localOnly: CompanyCriteria = { ...dentists, industries: ["Banking"] }
  const withKeywords = firmographic
  const withIndustries: CompanyCriteria = { ...firmographic, industries: ["Banking"] }
  const places: CompanyCriteria = {
    ...firmographic,
    countryCodes: ["DE"],
    search: { kind: "firmographic", locations: ["Berlin"], keywords: ["payroll"], excludeKeywords: [] }
  }
  const exclusive: CompanyCriteria = {
    ...firmographic,
    search: { kind: "firmographic", locations: [], keywords: ["payroll"], excludeKeywords: ["games"] }
  }
  const cases = [
    [crustdata, withKeywords, true],
    [crustdata, withIndustries, true],
    [crustdata, hiring, true],
    [crustdata, { ...hiring, countryCodes: ["DE"] }, false],
    [crustdata, { ...hiring, headcountMin: 50, headcountMax: 500 }, true],
    [crustdata, { ...hiring, industries: ["Banking"] }, false],
    [crustdata, similar, false],
    [apollo, withKeywords, true],
    [apollo, withIndustries, false],
    [apollo, places, false],
    [apollo, exclusive, false],
    [googlePlaces, dentists, true],
    [googlePlaces, localOnly, false],
    [googlePlaces, { ...dentists, headcountMax: 50 }, false],
    [oceanIo, similar, true]
  ] as const
  it.effect("of companies", () =>
    Effect.gen(function* () {
      for (const [vendor, criteria, expected] of cases) {
        const { made } = yield* makeVendorUnderTest(vendor)
        const source = made.sources.company_source
        assert.strictEqual(source?.serves?.(criteria) ?? true, expected, `${vendor.name}: ${JSON.stringify(criteria)}`)
      }
    })
  )

  it.effect("where a setting says which it can", () =>
    Effect.gen(function* () {
      const noKeywords = yield* makeVendorUnderTest(crustdata, { company_keyword_fields: [] })
      assert.isFalse(noKeywords.made.sources.company_source?.serves?.(withKeywords))
      const named = yield* makeVendorUnderTest(oceanIo, { only_named_industries: true })
      assert.isFalse(named.made.sources.company_source?.serves?.({ ...anyCompany, ...similar }))
    })
  )

  it.effect("of people", () =>
    Effect.gen(function* () {
      const titled: LeadCriteria = { ...anybody, titles: ["VP"] }
      const inIndustry: LeadCriteria = { ...titled, industries: ["Banking"] }
      for (const [vendor, criteria, expected] of [
        [crustdata, anybody, false],
        [crustdata, titled, true],
        [crustdata, inIndustry, true],
        [apollo, titled, true],
        [apollo, inIndustry, false]
      ] as const) {
        const { made } = yield* makeVendorUnderTest(vendor)
        assert.strictEqual(made.sources.lead_source?.serves?.(criteria) ?? true, expected, vendor.name)
      }
    })
  )
})
