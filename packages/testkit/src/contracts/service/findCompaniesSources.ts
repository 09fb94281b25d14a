import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Effect, type Layer } from "effect"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { find } from "./companySupport.js"
import { assertBalance, assertRefused, COMPANY_SOURCE, SUITE, whileSources } from "./support.js"

/** What `find_companies` makes of its sources, and for whom it asks them. */
export const findCompaniesSourcesContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_companies and its sources (${name})`, (it) => {
    it.effect("companies that are not sure to match come only on request, apart and free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const input = { technologies: ["Google Analytics"], limit: 5 }
        const sure = yield* find(client, input, "35")
        assert.isUndefined(sure.low_confidence_companies)
        const both = yield* find(client, { ...input, include_low_confidence: true }, "35")
        assert.deepStrictEqual(both.companies, sure.companies)
        assert.deepStrictEqual(both.company_domains, sure.company_domains)
        const low = both.low_confidence_companies ?? []
        assert.strictEqual(low.length, 25)
        for (const { company_domain, match_confidence, matched_signals } of low) {
          assert.strictEqual(match_confidence, "low")
          for (const signal of matched_signals) assert.strictEqual(signal.match_confidence, "low")
          assert.notInclude(both.company_domains, company_domain)
        }
        for (const { matched_signals } of sure.companies) {
          assert.isTrue(matched_signals.some((signal) => signal.match_confidence === "high"))
        }
      })
    )

    it.effect("a source that lists everything twice is charged for once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const once = yield* find(client, { technologies: ["magic-4"] }, "28")
        const call = find(client, { technologies: ["magic-4"] }, "28")
        const twice = yield* whileSources([COMPANY_SOURCE], Behaviour.Twice(), call)
        assert.deepStrictEqual(twice.companies, once.companies)
      })
    )

    it.effect("nonsense and failures of the source cost nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const behaviours = [Behaviour.Garbage(), Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 7 })]
        for (const behaviour of behaviours) {
          const call = client.call("find_companies", { technologies: ["Slack"] })
          assertRefused(yield* whileSources([COMPANY_SOURCE], behaviour, call), "provider_unavailable")
        }
        yield* assertBalance(client, "300")
      })
    )

    it.effect("modes, keywords, ceilings and routes are refused to a key for which they are not enabled", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const admin = yield* Admin
        const local = { mode: "local", locations: ["Berlin, Germany"], limit: 1 }
        const keywords = { mode: "firmographic", keywords: ["payroll"], limit: 1 }
        const cases = [
          ["modes", local],
          ["keywords", keywords],
          ["ceilings", { hiring: {}, limit: 1, budget_credits: 10 }],
          ["route_choice", { hiring: {}, limit: 1, route: "cheapest" }]
        ] as const
        for (const [capability, input] of cases) {
          yield* admin.setKey(client.keyId, { capabilities: [{ name: capability, on: false }] })
          const refused = yield* client.call("find_companies", input)
          assertRefused(refused, "forbidden", { reason: "capability_not_enabled", capability })
          yield* admin.setKey(client.keyId, { capabilities: [{ name: capability, on: true }] })
        }
        yield* admin.setKey(client.keyId, { capabilities: cases.map(([name]) => ({ name, on: false })) })
        const plain = { hiring: {}, limit: 1, keywords: [], exclude_keywords: [], route: "balanced" }
        yield* find(client, plain, "6")
      }).pipe(Effect.orDie)
    )

    it.effect("a workspace without a source for the kind is told so", () =>
      Effect.gen(function* () {
        const live = yield* makeClient({ kind: "live" })
        const refused = yield* live.call("find_companies", { hiring: {} })
        assertRefused(refused, "tool_unavailable", { tool: "find_companies" })
        yield* assertBalance(live, "300")
      })
    )
  })
}

/** Of a host that has closed the modes `local` and `hiring`. */
export const closedModesContract = <E>(name: string, service: Layer.Layer<Service, E>, reason: string) => {
  describeLayer(service, SUITE)(`find_companies where modes are closed (${name})`, (it) => {
    it.effect("what is closed is refused with the reason, dry or not, and the other kinds answer", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const input of [
          { mode: "local", locations: ["Berlin, Germany"] },
          { hiring: {} },
          { hiring: {}, technologies: ["Slack"] }
        ]) {
          for (const dry_run of [false, true]) {
            const refused = yield* client.call("find_companies", { ...input, dry_run })
            assertRefused(refused, "tool_unavailable", { tool: "find_companies", reason })
          }
        }
        yield* find(client, { technologies: ["magic-2"] }, "14")
        yield* assertBalance(client, "286")
      })
    )
  })
}
