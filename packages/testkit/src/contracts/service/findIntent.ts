import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { fundingOf } from "@outbound/sandbox/world/Funding.js"
import { postingsOf } from "@outbound/sandbox/world/Jobs.js"
import { world } from "@outbound/sandbox/world/World.js"
import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { kindsOf, numbered, read } from "./intentSupport.js"
import { asking, assertBalance, assertIssues, assertRefused, resultOf, SUITE } from "./support.js"

const KINDS = ["hiring", "funding", "news", "job_change"]

/** Companies that hire, those with investors first. */
const hiringCompanies = (withFunding: boolean) =>
  world().companies.filter(
    (company) =>
      postingsOf(world(), company).some(({ ageDays, confidence }) => ageDays < 80 && confidence === "high") &&
      (fundingOf(world().seed, company) !== null) === withFunding
  )

/** What `find_intent` guarantees (contract: data, find intent). */
export const findIntentContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_intent (${name})`, (it) => {
    it.effect("100 companies of which 8 return signals cost exactly 126, and at most 50 go into a call", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const companies = [...numbered("hiring", 4), ...numbered("quiet", 46)]
        const { domain_status, signals } = yield* read(client, companies, {}, "63")
        assert.strictEqual(signals.length, 4)
        assert.strictEqual(domain_status.length, 50)
        assert.deepStrictEqual(
          domain_status.map(({ charge }) => charge.credits).filter((credits) => credits === "10").length,
          4
        )
        yield* read(client, [...numbered("hiring", 4), ...numbered("funding", 46)], {}, "63")
        yield* assertBalance(client, "874")
        assertIssues(yield* client.call("find_intent", { company_domains: numbered("quiet", 51) }), ["company_domains"])
      })
    )

    it.effect("a magic company has a signal of its kind, dated within 30 days", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "2000" })
        yield* TestClock.setTime(Date.UTC(2026, 5, 15, 13))
        for (const kind of KINDS) {
          const companies = numbered(kind, 9)
          const { historical, signals } = yield* read(client, companies, { signals: KINDS, within_days: 30 }, "90")
          assert.deepStrictEqual([...new Set(kindsOf(signals))], [kind])
          assert.sameMembers(
            signals.map(({ company_domain }) => company_domain),
            companies
          )
          assert.deepStrictEqual(historical, [])
          for (const signal of signals) {
            const age = Date.UTC(2026, 5, 15, 13) - Date.parse(signal.observed_at)
            assert.isTrue(age >= 0 && age <= 30 * DAY_MILLIS)
            assert.strictEqual(signal.news_type !== undefined, kind === "news")
            assert.deepStrictEqual([signal.why_now, signal.why_now_basis], [true, "date"])
          }
        }
      })
    )

    it.effect("every field has its bounds, and every mistake is named at once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const most: JsonObject = {
          company_domains: ["quiet-1.test", "https://www.quiet-1.test/about", "QUIET-1.test"],
          audience: "",
          within_days: 730,
          roles: new Array<string>(50).fill("x".repeat(120)),
          signals: new Array<string>(20).fill("hiring"),
          budget_credits: 2000,
          dry_run: false
        }
        assert.strictEqual((yield* client.call("find_intent", most)).svc.credits_charged, "0.5")
        assertIssues(
          yield* client.call("find_intent", {
            company_domains: ["quiet-1.test", "localhost"],
            audience: 1,
            since: "2026-02-30",
            within_days: 731,
            roles: ["ok", "x".repeat(121), ""],
            signals: ["hiring", "rain"],
            budget_credits: 0,
            route: "cheapest"
          }),
          [
            "company_domains.1",
            "audience",
            "since",
            "within_days",
            "roles.1",
            "roles.2",
            "signals.1",
            "budget_credits",
            "route"
          ]
        )
        const each: ReadonlyArray<readonly [JsonObject, string]> = [
          [{ company_domains: [] }, "company_domains"],
          [{ within_days: 0 }, "within_days"],
          [{ within_days: 1.5 }, "within_days"],
          [{ since: "2026-1-1" }, "since"],
          [{ since: "2026-01-01T00:00:00Z" }, "since"],
          [{ since: "2026-01-01", within_days: 30 }, "since"],
          [{ signals: new Array<string>(21).fill("news") }, "signals"],
          [{ roles: new Array<string>(51).fill("x") }, "roles"]
        ]
        for (const [input, path] of each) {
          assertIssues(yield* client.call("find_intent", { company_domains: ["quiet-1.test"], ...input }), [path])
        }
        assertIssues(yield* client.call("find_intent", {}), ["company_domains"])
        yield* assertBalance(client, "999.5")
      })
    )

    it.effect("by default only hiring is checked, and what is left for another call is named", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const input of [{}, { signals: [] }]) {
          const companies = ["hiring-1.test", "funding-1.test"]
          const [{ domain_status, signals }, asked] = yield* asking(read(client, companies, input, "10.5"))
          assert.deepStrictEqual(kindsOf(signals), ["hiring"])
          assert.deepStrictEqual(asked.toSorted(), ["sandbox_jobs", "sandbox_jobs", "sandbox_watch"])
          const [quiet, hiring] = domain_status
          assert.deepStrictEqual(quiet, {
            company_domain: "funding-1.test",
            status: "complete",
            requested_signals: ["hiring"],
            completed_signals: ["hiring"],
            unavailable_signals: [],
            skipped_signals: ["funding", "news", "job_change"].map((signal) => ({
              signal,
              reason: "default_hiring_first"
            })),
            charge: { credits: "0.5", signal: false, paid_checks: 1 }
          })
          assert.deepStrictEqual(
            hiring?.skipped_signals.map(({ signal }) => signal),
            ["news", "job_change"]
          )
          assert.deepStrictEqual(hiring?.charge, { credits: "10", signal: true, paid_checks: 1 })
        }
      })
    )

    it.effect("a hiring company's latest funding round comes with it, at no further price", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        yield* TestClock.setTime(Date.UTC(2026, 2, 1, 9))
        const [funded] = hiringCompanies(true)
        const [unfunded] = hiringCompanies(false)
        assert.isDefined(funded)
        const round = fundingOf(world().seed, funded)
        const companies = [funded.domain, unfunded?.domain ?? ""]
        const since = { since: "1998-01-01" }
        const { domain_status, signals } = yield* read(client, companies, since, "20")
        const rounds = signals.filter(({ signal }) => signal === "funding")
        assert.deepStrictEqual(
          rounds.map(({ company_domain, observed_at }) => [company_domain, observed_at.slice(0, 10)]),
          [[funded.domain, round?.lastRoundDate]]
        )
        for (const { charge } of domain_status) assert.strictEqual(charge.paid_checks, 1)
        const before = new Date(Date.parse(round?.lastRoundDate ?? "") + DAY_MILLIS).toISOString().slice(0, 10)
        const recent = yield* read(client, [funded.domain], { since: before }, "10")
        assert.notInclude(kindsOf(recent.signals), "funding")
        assert.deepStrictEqual(
          kindsOf(recent.historical).filter((signal) => signal === "funding"),
          ["funding"]
        )
      })
    )

    it.effect("funding that is listed is checked of every company, and several kinds don't multiply the price", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const companies = ["hiring-1.test", "funding-1.test", "news-1.test", "quiet-1.test"]
        const all = yield* read(client, companies, { signals: ["hiring", "news", "funding"] }, "30.5")
        assert.sameMembers(kindsOf(all.signals), ["hiring", "funding", "news"])
        for (const { charge, completed_signals, skipped_signals } of all.domain_status) {
          assert.deepStrictEqual(completed_signals, ["hiring", "funding", "news"])
          assert.deepStrictEqual(skipped_signals, [])
          assert.strictEqual(charge.paid_checks, 3)
        }
        const funding = yield* read(client, companies, { signals: ["funding", "funding"] }, "11.5")
        assert.deepStrictEqual(kindsOf(funding.signals), ["funding"])
        assert.deepStrictEqual(funding.domain_status[0]?.requested_signals, ["funding"])
      })
    )

    it.effect("the window holds its first day and not the day before, and what is before it costs nothing more", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        yield* TestClock.setTime(Date.UTC(2026, 2, 15, 23, 59))
        const cases: ReadonlyArray<readonly [JsonObject, from: string, to: string, inWindow: boolean]> = [
          [{ within_days: 10 }, "2026-03-05", "2026-03-15", true],
          [{ within_days: 9 }, "2026-03-06", "2026-03-15", false],
          [{ within_days: 1 }, "2026-03-14", "2026-03-15", false],
          [{ within_days: 730 }, "2024-03-15", "2026-03-15", true],
          [{ since: "2026-03-05" }, "2026-03-05", "2026-03-15", true],
          [{ since: "2026-03-06" }, "2026-03-06", "2026-03-15", false],
          [{ since: "2026-04-01" }, "2026-04-01", "2026-04-01", false],
          [{}, "2025-12-15", "2026-03-15", true]
        ]
        for (const [input, from, to, inWindow] of cases) {
          const charge = inWindow ? "10" : "0.5"
          const { historical, signals, window } = yield* read(client, ["hiring-10.test"], input, charge)
          const withinDays = input["since"] === undefined ? { within_days: input["within_days"] ?? 90 } : {}
          assert.deepStrictEqual(window as JsonObject, { from, to, ...withinDays } as JsonObject)
          assert.strictEqual(signals.length, inWindow ? 1 : 0)
          assert.strictEqual(historical.length, inWindow ? 0 : 1)
          const [signal] = [...signals, ...historical]
          assert.strictEqual(signal?.observed_at, "2026-03-05T00:00:00.000Z")
        }
        yield* TestClock.setTime(Date.UTC(2026, 2, 16))
        yield* read(client, ["hiring-0.test"], { within_days: 1 }, "10")
      })
    )

    it.effect("duplicates collapse, and the order of the domains changes nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const companies = ["quiet-1.test", "hiring-3.test", "news-2.test", "hiring-1.test"]
        const one = yield* read(client, companies, { signals: KINDS }, "30.5")
        const other = yield* read(client, [...companies, ...companies].reverse(), { signals: KINDS }, "30.5")
        assert.deepStrictEqual(other, one)
        const urls = ["https://www.hiring-1.test/jobs", "HIRING-1.TEST"]
        assert.strictEqual((yield* read(client, urls, {}, "10")).domain_status.length, 1)
      })
    )

    it.effect("a ceiling below the maximum refuses the call, and no company is dropped", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const company_domains = numbered("quiet", 3)
        for (const dry_run of [false, true]) {
          const low = yield* client.call("find_intent", { company_domains, budget_credits: 29.999999, dry_run })
          assertRefused(low, "invalid_request", { reason: "budget_too_low", minimum_credits: "30" })
        }
        yield* read(client, company_domains, { budget_credits: 30 }, "1.5")
        yield* assertBalance(client, "298.5")
      })
    )

    it.effect("a dry run asks nobody, costs nothing and says the maximum", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = { company_domains: [...numbered("hiring", 4), "hiring-1.test"], audience: "x", dry_run: true }
        const [answer, asked] = yield* asking(client.call("find_intent", { ...input, budget_credits: 55.5 }))
        const { plan } = resultOf(answer)
        assert.deepStrictEqual(asked, [])
        assert.deepStrictEqual([plan.verb, plan.plan_version, plan.credits_estimate], ["find_intent", 3, "40"])
        assert.deepStrictEqual(plan.would, {
          companies: 4,
          candidate_sources: 2,
          maximum_credits: "40",
          budget_credits: "55.5"
        })
        assert.deepStrictEqual(plan.warnings, [])
        const technology = { ...input, signals: ["technology", "news"], roles: ["sales"] }
        const warned = resultOf(yield* client.call("find_intent", technology)).plan
        assert.strictEqual(warned.warnings.length, 2)
        assert.include(warned.warnings[0], "find_companies.technologies")
        assert.strictEqual(warned.would.candidate_sources, 1)
        yield* assertBalance(client, "300")
      })
    )

    it.effect("technology is deprecated and still answered, and is never a reason to write today", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        yield* TestClock.setTime(Date.UTC(2026, 0, 20))
        const company = world().companies.find(({ headcount }) => headcount > 2000)
        const input = { signals: ["technology"], within_days: 730 }
        const { signals } = yield* read(client, [company?.domain ?? ""], input, "10")
        assert.isNotEmpty(signals)
        for (const { signal, why_now } of signals) assert.deepStrictEqual([signal, why_now], ["technology", false])
      })
    )
  })
}
