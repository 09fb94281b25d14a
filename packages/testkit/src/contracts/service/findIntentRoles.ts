import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Effect, type Layer } from "effect"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { postingsOf } from "@outbound/sandbox/world/Jobs.js"
import { world } from "@outbound/sandbox/world/World.js"
import { kindsOf, numbered, read } from "./intentSupport.js"
import { asking, resultOf, SUITE, whileSources } from "./support.js"

const JUDGE = "sandbox_judge"

/** How `find_intent` understands roles and goals, and what it suggests (contract: data, find intent). */
export const findIntentRolesContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_intent, roles and goals (${name})`, (it) => {
    it.effect("only postings for a role count, and those that are for none are counted", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const company = world().companies.find((one) => {
          const sure = postingsOf(world(), one).filter(({ confidence }) => confidence === "high")
          return sure.length >= 4 && new Set(sure.map(({ title }) => title)).size >= 4
        })
        assert.isDefined(company)
        const sure = postingsOf(world(), company).filter(({ confidence }) => confidence === "high")
        const [wanted] = sure
        const literal = { roles: [`"${wanted?.title.toUpperCase()}"`], within_days: 90 }
        const { domain_status, interpreted, signals } = yield* read(client, [company.domain], literal, "10")
        const hiring = signals.filter(({ signal }) => signal === "hiring")
        assert.isNotEmpty(hiring)
        for (const { title } of hiring) assert.include(title?.toLowerCase(), wanted?.title.toLowerCase())
        const { method, postings_rejected = 0 } = domain_status[0]?.roles_check ?? {}
        assert.strictEqual(method, "literal")
        assert.isTrue(postings_rejected > 0 && postings_rejected < sure.length)
        assert.deepStrictEqual(Object.keys(interpreted ?? {}), ["roles_searched", "version"])

        const none = yield* read(client, [company.domain], { roles: ["Court Jester"] }, "0.5")
        assert.deepStrictEqual([none.signals, none.historical], [[], []])
        assert.deepStrictEqual(none.domain_status[0]?.roles_check, {
          method: "meaning",
          postings_rejected: sure.length
        })
      })
    )

    it.effect("roles apply to hiring only", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const companies = ["news-1.test", "hiring-1.test"]
        const input = { roles: ["VP Sales"], signals: ["news", "hiring"] }
        const both = yield* read(client, companies, input, "20")
        assert.sameMembers(kindsOf(both.signals), ["hiring", "news"])
        assert.deepStrictEqual(both.interpreted, { roles_searched: ["vice president sales"], version: "roles-1" })
        const hiring = both.domain_status.find(({ company_domain }) => company_domain === "hiring-1.test")
        assert.deepStrictEqual(hiring?.roles_check, { method: "meaning", postings_rejected: 1 })
        const news = yield* read(client, companies, { ...input, signals: ["news"] }, "10.5")
        assert.deepStrictEqual(kindsOf(news.signals), ["news"])
        for (const { roles_check } of news.domain_status) assert.isUndefined(roles_check)
        assert.isUndefined((yield* read(client, companies, {})).interpreted)
      })
    )

    it.effect("without a goal the newest signal comes first, and its date says whether to write now", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const companies = ["hiring-20.test", "hiring-3.test", "quiet-1.test", "hiring-11.test"]
        const { ranking, signals } = yield* read(client, companies, {}, "30.5")
        const order = ["hiring-3.test", "hiring-11.test", "hiring-20.test"]
        assert.deepStrictEqual(
          signals.map(({ company_domain }) => company_domain),
          order
        )
        assert.deepStrictEqual(ranking, {
          by: "recency",
          judged: 0,
          unsure: 0,
          why_now_judged: 0,
          version: "recency-1",
          companies: order
        })
      })
    )

    it.effect("with a goal the companies that are of use for it come first", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const companies = ["news-1.test", "funding-2.test", "hiring-9.test"]
        const input = { signals: ["hiring", "funding", "news"], audience: "Account Executive" }
        const [{ ranking, signals }, asked] = yield* asking(read(client, companies, input, "30"))
        assert.strictEqual(asked.filter((source) => source === JUDGE).length, 3)
        assert.deepStrictEqual(ranking, {
          by: "goal",
          judged: 3,
          unsure: 0,
          why_now_judged: 3,
          version: "goal-1",
          companies: ["hiring-9.test", "news-1.test", "funding-2.test"]
        })
        assert.deepStrictEqual(
          signals.map(({ signal, why_now, why_now_basis }) => [signal, why_now, why_now_basis]),
          [
            ["hiring", true, "judged"],
            ["news", false, "judged"],
            ["funding", false, "judged"]
          ]
        )
      })
    )

    it.effect("where nobody may order by goal, or nobody is there to judge, the newest comes first", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const admin = yield* Admin
        const input = { audience: "Account Executive" }
        const call = read(client, ["hiring-9.test", "hiring-1.test"], input, "20")
        const byRecency = { by: "recency", companies: ["hiring-1.test", "hiring-9.test"] }
        for (const behaviour of [Behaviour.Fail({ reason: "account" }), Behaviour.Garbage()]) {
          const { ranking } = yield* whileSources([JUDGE], behaviour, call)
          if (behaviour._tag === "Fail") assert.deepInclude(ranking, byRecency)
          else assert.strictEqual(ranking["judged"], 0)
        }
        yield* admin.setKey(client.keyId, { capabilities: [{ name: "goal_ordering", on: false }] })
        const [{ ranking, signals }, asked] = yield* asking(call)
        assert.deepInclude(ranking, byRecency)
        assert.notInclude(asked, JUDGE)
        for (const { why_now_basis } of signals) assert.strictEqual(why_now_basis, "date")
      }).pipe(Effect.orDie)
    )

    it.effect("what comes next is at most two calls, each valid and of the price it says", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "5000" })
        const cases = [
          [numbered("quiet", 12), {}, ["check_funding", "check_news"]],
          [["hiring-1.test", "quiet-1.test"], { within_days: 60 }, ["find_people", "check_funding"]],
          [["hiring-1.test"], { audience: "pay\nroll ".repeat(500) }, ["find_people", "check_news"]],
          [["news-1.test", "quiet-1.test"], { signals: ["news", "funding"] }, ["find_people"]],
          [["quiet-1.test"], { signals: ["news", "funding"], since: "1969-12-01" }, []]
        ] as const
        for (const [companies, input, reasons] of cases) {
          const { next } = yield* read(client, companies, { ...input } as never)
          assert.deepStrictEqual(
            next.map(({ reason }) => reason),
            [...reasons]
          )
          for (const { max_credits, params, text, verb } of next) {
            assert.isTrue(text.length >= 1 && text.length <= 240)
            const { plan } = resultOf(yield* client.call(verb, { ...params, dry_run: true }))
            assert.strictEqual(plan.credits_estimate, max_credits)
          }
        }
      })
    )
  })
}
