import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, type Layer } from "effect"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import {
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  BRIEF_WRITER,
  DATASET_SOURCES,
  resultOf,
  SUITE,
  whileSources
} from "./support.js"

const [INDEX, BROAD] = DATASET_SOURCES

const ALL = ["profile", "technologies", "funding", "relationships"] as const

/** Looks a company up, and looks at what it cost. */
const enrich = (client: Client, input: JsonObject, charge: string) =>
  Effect.map(client.call("enrich_company", input), (answer) => {
    const result = resultOf(answer)
    assert.strictEqual(answer.svc.credits_charged, charge, answer.text)
    return result
  })

/** What `enrich_company` guarantees (contract: data, enrich company). */
export const enrichCompanyContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`enrich_company (${name})`, (it) => {
    it.effect("each dataset that returns data costs 7 credits, and the others nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const [index, dataset] of ALL.entries()) {
          const hit = yield* enrich(client, { company_domain: `hit-${index}.test`, datasets: [dataset] }, "7")
          assert.deepStrictEqual(Object.keys(hit), ["company_domain", "datasets"])
          assert.deepStrictEqual(Object.keys(hit.datasets), [dataset])
          assert.strictEqual(hit.datasets[dataset].status, "hit")
          assert.strictEqual(hit.datasets[dataset].charged, true)
          assert.isNotNull(hit.datasets[dataset].data)
        }
        const all = yield* enrich(client, { company_domain: "hit-9.test", datasets: [...ALL] }, "28")
        assert.deepStrictEqual(Object.keys(all.datasets), [...ALL])
        for (const status of ["empty", "unavailable"]) {
          const input = { company_domain: `${status}-1.test`, datasets: [...ALL] }
          const { company_domain, datasets } = yield* enrich(client, input, "0")
          assert.strictEqual(company_domain, `${status}-1.test`)
          for (const dataset of ALL) assert.deepStrictEqual(datasets[dataset], { status, charged: false, data: null })
        }
        yield* assertBalance(client, "244")
      })
    )

    it.effect("a profile names the company, technologies and rounds come newest first", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const newest = (dates: ReadonlyArray<string>) => assert.deepStrictEqual(dates, [...dates].sort().reverse())
        for (let n = 1; n <= 20; n++) {
          const company_domain = `hit-${n}.test`
          const { datasets } = yield* enrich(client, { company_domain, datasets: [...ALL] }, "28")
          assert.strictEqual(datasets.profile.data.website, `https://${company_domain}/`)
          assert.isString(datasets.profile.data.name)
          const technologies: ReadonlyArray<{ name: string; first_seen: string }> = datasets.technologies.data
          assert.isAtMost(technologies.length, 40)
          newest(technologies.map(({ first_seen }) => first_seen))
          newest(datasets.funding.data.rounds.map((round: { date: string }) => round.date))
          const raised = datasets.funding.data.rounds.map((round: { amount_usd: number }) => round.amount_usd)
          assert.strictEqual(
            raised.reduce((sum: number, one: number) => sum + one, 0),
            datasets.funding.data.total_usd
          )
          newest(datasets.relationships.data.map((one: { observed_at: string }) => one.observed_at))
        }
      })
    )

    it.effect("a brief costs 10 or 40 where it is written, and names what it rests on", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const [depth, price] of [
          ["fast", "10"],
          ["deep", "40"]
        ] as const) {
          const { brief, datasets } = yield* enrich(client, { company_domain: "hit-5.test", brief: { depth } }, price)
          assert.isUndefined(datasets)
          assert.strictEqual(brief.status, "hit")
          assert.strictEqual(brief.depth, depth)
          assert.strictEqual(brief.charged, true)
          assert.isAbove(brief.text.length, 100)
          assert.include(
            brief.sources.map((source: { url: string }) => source.url),
            "https://hit-5.test/"
          )
          for (const status of ["empty", "unavailable"]) {
            const none = yield* enrich(client, { company_domain: `${status}-2.test`, brief: { depth } }, "0")
            assert.deepStrictEqual(none.brief, { status, depth, text: null, sources: [], charged: false })
          }
        }
        yield* assertBalance(client, "250")
      })
    )

    it.effect("duplicates collapse, and a domain is asked for and answered in its registrable form", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        const input = { company_domain: "https://WWW.Hit-3.test/about?x=1", datasets: ["funding", "funding"] }
        assert.strictEqual((yield* enrich(client, input, "7")).company_domain, "hit-3.test")
        assert.deepStrictEqual(
          (yield* faults.calls()).map(({ method, request }) => [method, request]),
          [["funding", "hit-3.test"]]
        )
      })
    )

    it.effect("a call takes either one to four datasets or a brief, and nothing but its fields", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const company_domain = "hit-1.test"
        const refusals: ReadonlyArray<readonly [JsonObject, ReadonlyArray<string>]> = [
          [{ company_domain }, ["datasets"]],
          [{ company_domain, datasets: ["profile"], brief: { depth: "fast" } }, ["brief"]],
          [{ company_domain, datasets: [] }, ["datasets"]],
          [{ company_domain, datasets: [...ALL, "profile"] }, ["datasets"]],
          [{ company_domain, datasets: ["people"] }, ["datasets.0"]],
          [{ company_domain, datasets: "profile" }, ["datasets"]],
          [{ company_domain, brief: {} }, ["brief.depth"]],
          [{ company_domain, brief: { depth: "deeper" } }, ["brief.depth"]],
          [{ company_domain, brief: { depth: "fast", language: "de" } }, ["brief.language"]],
          [{ datasets: ["profile"] }, ["company_domain"]],
          [{ company_domain: "127.0.0.1", datasets: ["profile"] }, ["company_domain"]],
          [{ company_domain, datasets: ["profile"], route: "balanced" }, ["route"]]
        ]
        for (const [input, paths] of refusals) assertIssues(yield* client.call("enrich_company", input), paths)
        yield* assertBalance(client, "300")
      })
    )

    it.effect("no dataset is dropped to fit a ceiling: one below the most it could cost refuses, nothing done", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const cases: ReadonlyArray<readonly [JsonObject, string]> = [
          [{ datasets: ["profile"] }, "7"],
          [{ datasets: ["profile", "profile", "funding"] }, "14"],
          [{ datasets: [...ALL] }, "28"],
          [{ brief: { depth: "fast" } }, "10"],
          [{ brief: { depth: "deep" } }, "40"]
        ]
        for (const [wanted, minimum_credits] of cases) {
          for (const dry_run of [false, true]) {
            const input = { company_domain: "hit-1.test", ...wanted, dry_run }
            const low = { ...input, budget_credits: Number(minimum_credits) - 0.000001 }
            const [refused, asked] = yield* asking(client.call("enrich_company", low))
            assertRefused(refused, "invalid_request", { reason: "budget_too_low", minimum_credits })
            assert.deepStrictEqual(asked, [])
            resultOf(yield* client.call("enrich_company", { ...input, budget_credits: Number(minimum_credits) }))
          }
        }
        yield* assertBalance(client, "201")
      })
    )

    it.effect("a second source is asked for a dataset only where the first has no answer", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        const input = { company_domain: "hit-1.test", datasets: ["profile"] }
        const [, known] = yield* asking(enrich(client, input, "7"))
        assert.deepStrictEqual(known, [INDEX])
        const [, unknown] = yield* asking(enrich(client, { ...input, company_domain: "nobody.example" }, "0"))
        assert.deepStrictEqual(unknown, [INDEX, BROAD])
        for (const behaviour of [Behaviour.Fail({ reason: "account" }), Behaviour.Garbage()]) {
          yield* faults.script(INDEX, [behaviour])
          const [, failed] = yield* asking(enrich(client, input, "7"))
          assert.deepStrictEqual(failed, [INDEX, BROAD])
        }
        yield* assertBalance(client, "279")
      })
    )

    it.effect("nonsense is never shown or charged for: the dataset is unavailable", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const nonsense = whileSources(
          [...DATASET_SOURCES, BRIEF_WRITER],
          Behaviour.Garbage(),
          Effect.all([
            enrich(client, { company_domain: "hit-1.test", datasets: [...ALL] }, "0"),
            enrich(client, { company_domain: "hit-1.test", brief: { depth: "deep" } }, "0")
          ])
        )
        const [{ datasets }, { brief }] = yield* nonsense
        for (const dataset of ALL) assert.strictEqual(datasets[dataset].status, "unavailable")
        assert.strictEqual(brief.status, "unavailable")
        yield* assertBalance(client, "300")
      })
    )

    it.effect("a source that lists everything twice is told once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = enrich(client, { company_domain: "hit-7.test", datasets: [...ALL] }, "28")
        assert.deepStrictEqual(yield* whileSources([INDEX], Behaviour.Twice(), call), yield* call)
      })
    )

    it.effect("a dry run says the most that it could cost, and asks nobody", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "13" })
        const input = { company_domain: "hit-1.test", datasets: ["profile", "funding"], dry_run: true }
        const [dry, asked] = yield* asking(client.call("enrich_company", { ...input, budget_credits: 20.5 }))
        const { plan } = resultOf(dry)
        assert.deepStrictEqual(plan.would, {
          candidate_sources: 2,
          maximum_credits: "14",
          budget_credits: "20.5"
        })
        assert.strictEqual(plan.credits_estimate, "14")
        assert.deepStrictEqual(plan.would_exceed, ["insufficient_credits"])
        assert.deepStrictEqual(asked, [])
        yield* assertBalance(client, "13")
      })
    )

    it.effect("a ceiling is refused to a key for which ceilings are not enabled", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        yield* admin.setKey(client.keyId, { capabilities: [{ name: "ceilings", on: false }] })
        const input = { company_domain: "hit-1.test", datasets: ["profile"] }
        const refused = yield* client.call("enrich_company", { ...input, budget_credits: 10 })
        assertRefused(refused, "forbidden", { reason: "capability_not_enabled", capability: "ceilings" })
        yield* enrich(client, input, "7")
      }).pipe(Effect.orDie)
    )

    it.effect("a repeat under the same Idempotency-Key replays the answer without a new charge", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = { company_domain: "hit-4.test", datasets: ["technologies"] }
        const first = yield* client.call("enrich_company", input, { key: "once" })
        const [again, asked] = yield* asking(client.call("enrich_company", input, { key: "once" }))
        assert.deepStrictEqual(resultOf(again), resultOf(first))
        assert.strictEqual(again.svc.replayed, true)
        assert.deepStrictEqual(asked, [])
        yield* assertBalance(client, "293")
      })
    )

    it.effect("a workspace without a source is told so", () =>
      Effect.gen(function* () {
        const live = yield* makeClient({ kind: "live" })
        for (const wanted of [{ datasets: ["profile"] }, { brief: { depth: "fast" } }]) {
          const refused = yield* live.call("enrich_company", { company_domain: "acme.example", ...wanted })
          assertRefused(refused, "tool_unavailable", { tool: "enrich_company" })
        }
        yield* assertBalance(live, "300")
      })
    )
  })
}

/** `closed`: technologies and the deep brief, for that reason. */
export const closedDatasetsContract = <E>(name: string, service: Layer.Layer<Service, E>, reason: string) => {
  describeLayer(service, SUITE)(`enrich_company where parts are closed (${name})`, (it) => {
    it.effect("what is closed is refused with the reason, dry or not, and the rest answers", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const company_domain = "hit-1.test"
        for (const wanted of [{ datasets: ["profile", "technologies"] }, { brief: { depth: "deep" } }]) {
          for (const dry_run of [false, true]) {
            const refused = yield* client.call("enrich_company", { company_domain, ...wanted, dry_run })
            assertRefused(refused, "tool_unavailable", { tool: "enrich_company", reason })
          }
        }
        yield* enrich(client, { company_domain, datasets: ["profile"] }, "7")
        yield* enrich(client, { company_domain, brief: { depth: "fast" } }, "10")
      })
    )
  })
}
