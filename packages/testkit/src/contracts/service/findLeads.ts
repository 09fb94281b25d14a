import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, type Layer } from "effect"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  LEAD_SOURCE,
  resultOf,
  SUITE,
  whileSources
} from "./support.js"

const find = (client: Client, input: JsonObject, charge: string) =>
  Effect.map(client.call("find_leads", { audience: "anybody", ...input }), (answer) => {
    assert.strictEqual(resultOf(answer) && answer.svc.credits_charged, charge, answer.text.slice(-300))
    return answer.result
  })

const NOBODY = { titles: ["Court Jester of the Moon"] }

/** What `find_leads` guarantees (contract: data, find leads). */
export const findLeadsContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_leads (${name})`, (it) => {
    it.effect("every returned lead costs 0.2, exactly, and its address is masked", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100" })
        for (const [limit, charge] of [
          [1, "0.2"],
          [3, "0.6"],
          [7, "1.4"],
          [200, "40"]
        ] as const) {
          const { leads, total_found } = yield* find(client, { limit }, charge)
          assert.strictEqual(leads.length, limit)
          assert.isAtLeast(total_found, limit)
          assert.strictEqual(new Set(leads.map((lead: { fingerprint: string }) => lead.fingerprint)).size, limit)
          for (const lead of leads) {
            const { email_verdict, mobile_phone, work_email, work_email_status } = lead
            assert.deepStrictEqual(
              [work_email, work_email_status, email_verdict, mobile_phone],
              [null, null, null, null]
            )
          }
        }
        assert.strictEqual((yield* find(client, {}, "5")).leads.length, 25)
        yield* assertBalance(client, "52.8")
      })
    )

    it.effect("zero results are free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "5" })
        const result = yield* find(client, NOBODY, "0")
        assert.deepStrictEqual(result.leads, [])
        assert.strictEqual(result.total_found, 0)
        yield* assertBalance(client, "5")
      })
    )

    it.effect("every field has its bounds, and every mistake is named at once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const most = {
          titles: new Array<string>(50).fill("x".repeat(120)),
          locations: new Array<string>(50).fill("Berlin"),
          industries: new Array<string>(50).fill("Hospitals"),
          company_domains: new Array<string>(200).fill("magic.test"),
          company_headcount: { min: 1, max: 1 },
          limit: 200
        }
        assert.strictEqual((yield* find(client, most, "0")).total_found, 0)
        const beyond: JsonObject = {
          titles: [...most.titles, "x"],
          locations: [...most.locations, "x"],
          industries: [...most.industries, "x"],
          company_domains: [...most.company_domains, "x.test"],
          company_headcount: { min: 0, max: 1.5, mean: 1 },
          limit: 201,
          route: "nearest",
          budget_credits: 2001,
          dry_run: 1
        }
        assertIssues(yield* client.call("find_leads", beyond), [
          "audience",
          "titles",
          "locations",
          "industries",
          "company_domains",
          "company_headcount.min",
          "company_headcount.max",
          "company_headcount.mean",
          "limit",
          "route",
          "budget_credits",
          "dry_run"
        ])
        const each: ReadonlyArray<readonly [JsonObject, string]> = [
          [{ titles: [""] }, "titles.0"],
          [{ titles: ["ok", "x".repeat(121)] }, "titles.1"],
          [{ titles: "CEO" }, "titles"],
          [{ company_domains: [] }, "company_domains"],
          [{ company_domains: ["magic.test", "localhost"] }, "company_domains.1"],
          [{ company_domains: ["127.0.0.1"] }, "company_domains.0"],
          [{ company_domains: [`https://magic.test/${"x".repeat(2048)}`] }, "company_domains.0"],
          [{ company_headcount: { min: 5, max: 4 } }, "company_headcount.min"],
          [{ limit: 0 }, "limit"],
          [{ limit: 1.5 }, "limit"],
          [{ limit: "25" }, "limit"]
        ]
        const inverted = { audience: "anybody", company_headcount: { min: 5, max: 4, mean: 1 } }
        assertIssues(yield* client.call("find_leads", inverted), ["company_headcount.min", "company_headcount.mean"])
        for (const [input, path] of each) {
          assertIssues(yield* client.call("find_leads", { audience: "anybody", ...input }), [path])
        }
        const ceiling = yield* client.call("find_leads", { audience: "anybody", max_credits: "5" })
        assertIssues(ceiling, ["max_credits"])
      })
    )

    it.effect("a ceiling lowers the limit to the largest that fits, and refuses where not one lead fits", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const cases = [
          [25, 0.2, 1],
          [25, 0.399999, 1],
          [25, 0.4, 2],
          [25, 0.1 + 0.2 + 0.3, 3],
          [25, 4.99, 24],
          [200, 1.2, 6]
        ] as const
        for (const [limit, budget_credits, fits] of cases) {
          const result = yield* find(client, { limit, budget_credits }, String((fits * 2) / 10))
          assert.strictEqual(result.leads.length, fits)
          assert.deepStrictEqual(result.budget_applied, { limit_requested: limit, limit_used: fits })
        }
        assert.isUndefined((yield* find(client, { limit: 3, budget_credits: 0.6 }, "0.6")).budget_applied)
        assert.isUndefined((yield* find(client, { limit: 3, budget_credits: 2000 }, "0.6")).budget_applied)
        for (const budget_credits of [0.000001, 0.19, 0.199999]) {
          const [answer, asked] = yield* asking(client.call("find_leads", { audience: "anybody", budget_credits }))
          assertRefused(answer, "invalid_request", { reason: "budget_too_low", minimum_credits: "0.2" })
          assert.deepStrictEqual(asked, [])
        }
      })
    )

    it.effect("leads are at the companies asked for and at no others, however those are written", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { leads } = yield* find(client, { limit: 60 }, "12")
        const domains = [...new Set<string>(leads.map((lead: { company_domain: string }) => lead.company_domain))]
        const [first = "", second = ""] = domains
        const plain = yield* find(client, { company_domains: [first, second], limit: 2 }, "0.4")
        const forms = [
          `https://WWW.${first.toUpperCase()}/about?x=1#y`,
          first,
          ` ${first}. `,
          `http://user@mail.${second}:8080`
        ]
        const [written] = yield* asking(find(client, { company_domains: forms, limit: 2 }, "0.4"))
        assert.deepStrictEqual(written, plain)
        const all = resultOf(
          yield* client.call("find_leads", { audience: "anybody", company_domains: forms, limit: 200 })
        )
        assert.isNotEmpty(all.leads)
        for (const lead of all.leads) assert.include([first, second], lead.company_domain)
        assert.strictEqual(all.match_check.withheld, 0)
        yield* find(client, { company_domains: ["nobody-works-here.test"] }, "0")
      })
    )

    it.effect("the match check says how many it could check, and counts what it returns", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const unchecked = yield* find(client, { limit: 2 }, "0.4")
        assert.deepStrictEqual(unchecked.match_check, { status: "unchecked", kept: 0, withheld: 0, not_checked: 2 })
        const checked = yield* find(client, { titles: ["head of"], limit: 5 }, "1")
        assert.deepStrictEqual(checked.match_check, { status: "checked", kept: 5, withheld: 0, not_checked: 0 })
        for (const lead of checked.leads) assert.include(lead.title.toLowerCase(), "head of")
      })
    )

    it.effect("places are taken as people write them, and what was made of them is said", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const plain = yield* find(client, { locations: ["Germany"], limit: 5 }, "1")
        for (const lead of plain.leads) assert.include(lead.location, "Germany")
        const bay = yield* find(client, { locations: ["Bay Area"], limit: 5 }, "1")
        const [place] = bay.interpreted.places
        assert.strictEqual(place.requested, "Bay Area")
        assert.isNotEmpty(place.cities)
        for (const lead of bay.leads) assert.include(place.cities, lead.location.split(",")[0])
        const written = ["germany", "DEUTSCHLAND", "Österreich", "osterreich", "München", "munchen", "Reykjavik"]
        const more = ["Reykjavík", "Dusseldorf", "UK", "u.s.", "DACH", "Berlin, Germany", "Nordics", "Zürich", "zurich"]
        for (const location of [...written, ...more]) {
          const result = yield* find(client, { locations: [location], limit: 2 }, "0.4")
          assert.strictEqual(result.match_check.withheld, 0, location)
          assert.strictEqual(result.leads.length, 2, location)
        }
        yield* find(client, { locations: ["Atlantis"] }, "0")
      })
    )

    it.effect("industries are taken as people write them; one that is not understood widens nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const asked = ["Software Development", "saas", "tech companies", "underwater basket weaving"]
        const { interpreted_industries } = yield* find(client, { industries: asked, limit: 2 }, "0.4")
        assert.deepStrictEqual(
          interpreted_industries.map((one: { phrase: string }) => one.phrase),
          asked
        )
        const [exact, alias, group, none] = interpreted_industries
        assert.deepStrictEqual([exact.how, exact.industries], ["exact", ["Software Development"]])
        assert.strictEqual(alias.how, "alias")
        assert.strictEqual(group.how, "alias")
        assert.deepStrictEqual([none.how, none.industries], ["none", []])
        const nothing = yield* find(client, { industries: ["underwater basket weaving"] }, "0")
        assert.strictEqual(nothing.interpreted_industries.length, 1)
        const many = Array.from({ length: 50 }, (_, index) => `unheard of ${index}`)
        assert.strictEqual((yield* find(client, { industries: many }, "0")).interpreted_industries.length, 25)
      })
    )

    it.effect("a source that lists everybody twice is charged for once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const once = yield* find(client, { limit: 10 }, "2")
        const twice = yield* whileSources([LEAD_SOURCE], Behaviour.Twice(), find(client, { limit: 10 }, "2"))
        assert.deepStrictEqual(twice.leads, once.leads)
      })
    )

    it.effect("nonsense and failures of the source cost nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const behaviours = [Behaviour.Garbage(), Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 7 })]
        for (const behaviour of behaviours) {
          const call = client.call("find_leads", { audience: "anybody" })
          const answer = yield* whileSources([LEAD_SOURCE], behaviour, call)
          assertRefused(answer, "provider_unavailable")
        }
        yield* assertBalance(client, "300")
      })
    )
  })
}
