import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { type Company, domainsOf, find } from "./companySupport.js"
import { asking, assertBalance, assertIssues, assertRefused, resultOf, SUITE } from "./support.js"

const signalsOf = (companies: ReadonlyArray<Company>) => [
  ...new Set(companies.flatMap((company) => company.matched_signals.map(({ signal }) => signal)))
]

const KINDS: ReadonlyArray<readonly [JsonObject, price: number, signals: ReadonlyArray<string>]> = [
  [{ technologies: ["HubSpot", "Salesforce"] }, 7, ["technology"]],
  [{ hiring: { titles: ["sales"] } }, 6, ["hiring"]],
  [{ hiring: {} }, 6, ["hiring"]],
  [{ hiring: { titles: ["sales"], posted_within_days: 90 }, technologies: ["Slack"] }, 7, ["hiring", "technology"]],
  [{ similar_to: "https://www.acme.example/about" }, 6, ["similar"]],
  [{ query: "software companies in Germany" }, 6, ["firmographic"]],
  [{ mode: "firmographic", industries: ["saas"], country_codes: ["US"] }, 6, ["firmographic"]],
  [{ mode: "firmographic", keywords: ["payroll"] }, 6, ["firmographic"]],
  [{ mode: "local", locations: ["Berlin, Germany"] }, 6, ["local"]]
]

/** What `find_companies` guarantees (contract: data, find companies). */
export const findCompaniesContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_companies (${name})`, (it) => {
    it.effect("every kind of search has its price per company, and its signals", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        for (const [input, price, signals] of KINDS) {
          const { companies, company_domains, match_check } = yield* find(
            client,
            { ...input, limit: 3 },
            `${3 * price}`
          )
          assert.strictEqual(companies.length, 3, JSON.stringify(input))
          assert.deepStrictEqual(company_domains, domainsOf(companies))
          assert.strictEqual(new Set(company_domains).size, 3)
          assert.sameMembers(signalsOf(companies), [...signals])
          assert.strictEqual(match_check.withheld, 0)
        }
      })
    )

    it.effect("zero results are free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "200" })
        for (const input of [
          { technologies: ["an abacus"] },
          { hiring: { titles: ["Court Jester of the Moon"] } },
          { mode: "local", locations: ["Atlantis, Ocean"] },
          { mode: "firmographic", industries: ["underwater basket weaving"] },
          { technologies: ["Slack"], country_codes: ["ZZ"] }
        ]) {
          const result = yield* find(client, input, "0")
          assert.deepStrictEqual([result.companies, result.company_domains, result.more_available], [[], [], false])
        }
        yield* assertBalance(client, "200")
      })
    )

    it.effect("magic-N finds N companies, at most the limit", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10000" })
        const cases: ReadonlyArray<readonly [JsonObject, found: number, more: boolean, charge: string]> = [
          [{ technologies: ["magic-0"] }, 0, false, "0"],
          [{ technologies: ["magic-1"] }, 1, false, "7"],
          [{ technologies: ["Magic-30"], limit: 30 }, 30, false, "210"],
          [{ technologies: ["magic-30"] }, 25, true, "175"],
          [{ technologies: ["magic-100"], limit: 100 }, 100, false, "700"],
          [{ technologies: ["magic-5", "Slack"], limit: 4 }, 4, true, "28"],
          [{ hiring: { titles: ["magic-3"] } }, 3, false, "18"],
          [{ hiring: { titles: ["magic-9"], posted_within_days: 1 }, technologies: ["magic-2"] }, 2, false, "14"]
        ]
        for (const [input, found, more, charge] of cases) {
          const { companies, more_available } = yield* find(client, input, charge)
          assert.strictEqual(companies.length, found, JSON.stringify(input))
          assert.strictEqual(more_available, more, JSON.stringify(input))
        }
      })
    )

    it.effect("a request whose criteria do not go together is refused, with every mistake at once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const [, asked] = yield* asking(
          Effect.gen(function* () {
            assertIssues(yield* client.call("find_companies", {}), [""])
            assertIssues(yield* client.call("find_companies", { audience: "anybody", industries: ["saas"] }), [""])
            const mistakes = { technologies: ["x"], mode: "local", keywords: ["x"], limit: 101, country_codes: ["DEU"] }
            assertIssues(yield* client.call("find_companies", { ...mistakes, dry_run: true }), [
              "mode",
              "locations",
              "keywords",
              "limit",
              "country_codes.0"
            ])
            const size = { hiring: {}, company_headcount: { min: 5, max: 4 } }
            assertIssues(yield* client.call("find_companies", size), ["company_headcount.min"])
          })
        )
        assert.deepStrictEqual(asked, [])
        yield* assertBalance(client, "300")
      })
    )

    it.effect("every field takes the most that its bounds allow", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const many = new Array<string>(50).fill("x".repeat(120))
        const hiring = { titles: many, description_contains: many, posted_within_days: 90 }
        const narrow = { industries: many, country_codes: new Array<string>(50).fill("DE"), limit: 42 }
        yield* find(client, { ...narrow, hiring, technologies: many, company_headcount: { min: 1, max: 1 } }, "0")
        const few = new Array<string>(20).fill("y".repeat(120))
        yield* find(
          client,
          { ...narrow, mode: "firmographic", locations: many, keywords: few, exclude_keywords: few },
          "0"
        )
        const cities = new Array<string>(50).fill("Berlin, Germany")
        yield* find(client, { ...narrow, mode: "local", locations: cities, categories: many }, "0")
      })
    )

    it.effect("a ceiling lowers the limit to the largest that fits, and refuses where not one company fits", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const cases = [
          [{ technologies: ["Slack"] }, 7, 7],
          [{ technologies: ["Slack"] }, 20.99, 14],
          [{ hiring: {} }, 20.99, 18],
          [{ query: "software" }, 6.5, 6]
        ] as const
        for (const [input, budget_credits, charge] of cases) {
          const price = "technologies" in input ? 7 : 6
          const result = yield* find(client, { ...input, budget_credits }, String(charge))
          assert.deepStrictEqual(result.budget_applied, { limit_requested: 25, limit_used: charge / price })
        }
        assert.isUndefined((yield* find(client, { hiring: {}, limit: 2, budget_credits: 12 }, "12")).budget_applied)
        for (const [input, minimum_credits] of [
          [{ technologies: ["Slack"], hiring: {}, budget_credits: 6.999999 }, "7"],
          [{ hiring: {}, budget_credits: 5.999999 }, "6"]
        ] as const) {
          const [answer, asked] = yield* asking(client.call("find_companies", input))
          assertRefused(answer, "invalid_request", { reason: "budget_too_low", minimum_credits })
          assert.deepStrictEqual(asked, [])
        }
      })
    )

    it.effect("a dry run says the most that the call could cost, and asks nobody", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = { technologies: ["Slack"], limit: 30, budget_credits: 100, dry_run: true }
        const [answer, asked] = yield* asking(client.call("find_companies", input))
        const { plan } = resultOf(answer)
        assert.strictEqual(plan.credits_estimate, "98")
        assert.deepStrictEqual(plan.would, {
          limit: 14,
          budget_applied: { limit_requested: 30, limit_used: 14 },
          candidate_sources: 1,
          maximum_credits: "98",
          budget_credits: "100"
        })
        assert.deepStrictEqual(asked, [])
        yield* assertBalance(client, "300")
      })
    )

    it.effect("companies with fewer than 10 employees are left out unless a bound is given", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10000" })
        const sizes = (company_headcount: JsonObject | undefined) =>
          Effect.map(
            find(client, {
              mode: "firmographic",
              industries: ["Software Development"],
              limit: 100,
              ...(company_headcount === undefined ? {} : { company_headcount })
            }),
            ({ companies }) => companies.map(({ headcount }) => headcount ?? -1)
          )
        assert.isAtLeast(Math.min(...(yield* sizes(undefined))), 10)
        assert.isAtLeast(Math.min(...(yield* sizes({}))), 10)
        const small = yield* sizes({ max: 9 })
        assert.isNotEmpty(small)
        assert.isTrue(small.every((size) => size >= 1 && size <= 9))
        const large = yield* sizes({ min: 300 })
        assert.isAtLeast(Math.min(...large), 300)
        assert.isBelow(Math.min(...(yield* sizes({ min: 2 }))), 10)
      })
    )

    it.effect("postings are as recent as asked for, hold the title, and the same request gives the same answer", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100000" })
        for (const posted_within_days of [1, 7, 30, 90]) {
          yield* TestClock.adjust("31 hours")
          const input = { hiring: { titles: ["engineer"], posted_within_days }, limit: 40 }
          const now = yield* Clock.currentTimeMillis
          const { companies } = yield* find(client, input)
          assert.isNotEmpty(companies)
          for (const { observed_at, summary } of companies.flatMap((company) => company.matched_signals)) {
            const age = now - Date.parse(observed_at)
            assert.isTrue(age >= 0 && age <= posted_within_days * DAY_MILLIS, `${observed_at} ${posted_within_days}`)
            assert.include(summary.toLowerCase(), "engineer")
          }
          assert.deepStrictEqual((yield* find(client, input)).companies, companies)
        }
      })
    )

    it.effect("a longer list begins with the shorter one", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const short = yield* find(client, { technologies: ["Slack"], audience: "banks", limit: 4 })
        const long = yield* find(client, { technologies: ["Slack"], audience: "banks", limit: 9 })
        assert.deepStrictEqual(long.companies.slice(0, 4), short.companies)
      })
    )

    it.effect("descriptions come where keywords were searched for, and hold none that was excluded", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const keyword = { mode: "firmographic", keywords: ["Payroll", "fleet"], limit: 20 }
        const { companies } = yield* find(client, keyword)
        assert.isNotEmpty(companies)
        for (const { description } of companies) assert.match(description ?? "", /payroll|fleet/i)
        const without = yield* find(client, { ...keyword, exclude_keywords: ["FLEET"] })
        for (const { description } of without.companies) assert.notMatch(description ?? "fleet", /fleet/i)
        const plain = yield* find(client, { mode: "firmographic", industries: ["saas"], limit: 2 })
        for (const { description } of plain.companies) assert.isNull(description)
      })
    )

    it.effect("places, countries and industries hold for every company", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10000" })
        const dach = { mode: "firmographic", industries: ["tech"], locations: ["DACH"], country_codes: ["de", "AT"] }
        const { companies, interpreted_industries } = yield* find(client, { ...dach, limit: 30 })
        assert.isNotEmpty(companies)
        for (const { country } of companies) assert.include(["Germany", "Austria"], country)
        const names = (interpreted_industries ?? []).flatMap(({ industries }) => industries)
        for (const { industry } of companies) assert.include(names, industry)
        const near = { mode: "local", locations: ["München, Germany", "Austin, Texas"], categories: ["dental clinics"] }
        const nearby = yield* find(client, { ...near, company_headcount: { min: 1 } })
        assert.sameMembers([...new Set(nearby.companies.map(({ city }) => city))], ["Munich", "Austin"])
        assert.strictEqual(nearby.match_check.withheld, 0)
      })
    )

    it.effect("a lookalike search never returns the company that it started from", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10000" })
        const [seed = ""] = (yield* find(client, { query: "software", limit: 1 })).company_domains
        const { companies } = yield* find(client, { similar_to: `https://www.${seed}/`, limit: 100 })
        assert.isNotEmpty(companies)
        assert.notInclude(domainsOf(companies), seed)
        const more = { similar_to: seed, include_low_confidence: true, company_headcount: { min: 1 }, limit: 100 }
        assert.notInclude(domainsOf((yield* find(client, more)).companies), seed)
      })
    )
  })
}
