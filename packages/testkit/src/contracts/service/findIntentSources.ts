import { assert, layer as describeLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { kindsOf, numbered, read } from "./intentSupport.js"
import {
  afterWaiting,
  assertBalance,
  assertRefused,
  JOBS_SOURCE,
  SUITE,
  WATCH_SOURCE,
  whileSources
} from "./support.js"

const REASONS = [
  ["account", undefined, "vendor_account"],
  ["invalid", undefined, "invalid_request"],
  ["rate_limited", 7, "rate_limited"],
  ["transient", undefined, "upstream_error"]
] as const

/** What `find_intent` makes of its sources. */
export const findIntentSourcesContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`find_intent and its sources (${name})`, (it) => {
    it.effect("a company that can't be checked is free, and keeps none of the others from being checked", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const companies = ["hiring-1.test", "unavailable-1.test", "quiet-1.test", "unavailable-2.test"]
        const { domain_status, signals } = yield* read(client, companies, {}, "10.5")
        assert.deepStrictEqual(kindsOf(signals), ["hiring"])
        const unavailable = domain_status.filter(({ status }) => status === "unavailable")
        assert.deepStrictEqual(
          unavailable.map(({ company_domain }) => company_domain),
          ["unavailable-1.test", "unavailable-2.test"]
        )
        for (const { charge, completed_signals, unavailable_signals } of unavailable) {
          assert.deepStrictEqual(charge, { credits: "0", signal: false, paid_checks: 0 })
          assert.deepStrictEqual(completed_signals, [])
          assert.deepStrictEqual(unavailable_signals, [{ signal: "hiring", reason: "invalid_request" }])
        }
        yield* assertBalance(client, "289.5")
      })
    )

    it.effect("where no company could be checked, the call fails only if another try may help", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const alone = yield* read(client, ["unavailable-1.test"], { signals: ["hiring", "news"] }, "0")
        assert.deepInclude(alone.domain_status[0], {
          status: "unavailable",
          completed_signals: [],
          charge: { credits: "0", signal: false, paid_checks: 0 }
        })
        assert.deepStrictEqual([alone.signals, alone.historical, alone.next], [[], [], []])
        assert.strictEqual((yield* read(client, numbered("unavailable", 3), {}, "0")).domain_status.length, 3)
        const some = client.call("find_intent", {
          company_domains: ["unavailable-1.test"],
          signals: ["hiring", "news"]
        })
        const down = yield* whileSources([WATCH_SOURCE], Behaviour.Fail({ reason: "transient" }), some)
        assertRefused(down, "provider_unavailable", { retry_after_seconds: 5 })
        yield* assertBalance(client, "300")
      })
    )

    it.effect("each signal that can't be checked says why, and the others are answered and charged", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        for (const [reason, retryAfterSeconds, told] of REASONS) {
          const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
          const call = read(client, ["hiring-1.test"], { signals: ["hiring", "news"] }, "10")
          const { domain_status } = yield* whileSources([WATCH_SOURCE], Behaviour.Fail({ reason, ...wait }), call)
          assert.deepInclude(domain_status[0], {
            status: "partial",
            completed_signals: ["hiring"],
            unavailable_signals: [
              { signal: "news", reason: told, ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: 7 }) }
            ],
            charge: { credits: "10", signal: true, paid_checks: 1 }
          })
        }
        const quiet = read(client, ["quiet-1.test"], { signals: ["hiring", "news"] }, "0.5")
        yield* whileSources([WATCH_SOURCE], Behaviour.Fail({ reason: "transient" }), quiet)
      })
    )

    it.effect("the funding that comes with a hiring company may be missing, which is no failure", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = read(client, ["hiring-1.test"], {}, "10")
        const { domain_status } = yield* whileSources([WATCH_SOURCE], Behaviour.Fail({ reason: "transient" }), call)
        const [status] = domain_status
        assert.deepStrictEqual([status?.status, status?.unavailable_signals], ["complete", []])
        assert.strictEqual(status?.skipped_signals[0]?.signal, "funding")
      })
    )

    it.effect("a source that wants to be left alone is not asked about every other company", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1000" })
        const faults = yield* Faults
        yield* faults.forgetCalls
        const limited = Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds: 30 })
        const call = read(client, numbered("news", 50), { signals: ["hiring", "news"] }, "25")
        const { domain_status } = yield* whileSources([WATCH_SOURCE], limited, call)
        assert.isAtMost((yield* faults.calls(WATCH_SOURCE)).length, 10)
        assert.strictEqual((yield* faults.calls(JOBS_SOURCE)).length, 50)
        const reasons = domain_status.map(({ unavailable_signals }) => unavailable_signals[0])
        assert.deepInclude(reasons, { signal: "news", reason: "rate_limited", retry_after_seconds: 30 })
        assert.deepInclude(reasons, { signal: "news", reason: "temporarily_paused", retry_after_seconds: 30 })
        const all = client.call("find_intent", { company_domains: numbered("hiring", 20) })
        assertRefused(yield* whileSources([JOBS_SOURCE], limited, all), "provider_unavailable", {
          retry_after_seconds: 30
        })
      })
    )

    it.effect("where several sources want to be left alone, the call waits for the first that is back", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const [jobs, watch] of [
          [40, 20],
          [15, 35]
        ] as const) {
          yield* TestClock.adjust("10 minutes")
          const limited = (retryAfterSeconds: number) => Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds })
          const call = client.call("find_intent", { company_domains: ["hiring-1.test"], signals: ["hiring", "news"] })
          const watched = whileSources([WATCH_SOURCE], limited(watch), call)
          assertRefused(yield* whileSources([JOBS_SOURCE], limited(jobs), watched), "provider_unavailable", {
            retry_after_seconds: Math.min(jobs, watch)
          })
        }
        yield* TestClock.adjust("10 minutes")
      })
    )

    it.effect("a source that tells everything twice is believed once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = read(client, ["hiring-1.test", "news-1.test"], { signals: ["hiring", "news"] }, "20")
        const once = yield* call
        assert.deepStrictEqual(yield* whileSources([JOBS_SOURCE, WATCH_SOURCE], Behaviour.Twice(), call), once)
      })
    )

    it.effect("nonsense is not believed and costs nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = client.call("find_intent", { company_domains: ["hiring-1.test"], signals: ["hiring", "news"] })
        assertRefused(
          yield* whileSources([JOBS_SOURCE, WATCH_SOURCE], Behaviour.Garbage(), call),
          "provider_unavailable"
        )
        yield* assertBalance(client, "300")
      })
    )

    it.effect("a source that never answers is waited for for 7 seconds", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = read(client, ["hiring-1.test"], { signals: ["hiring", "news"] }, "10")
        const { domain_status } = yield* whileSources(
          [WATCH_SOURCE],
          Behaviour.Never(),
          afterWaiting(call, WATCH_SOURCE, "7 seconds")
        )
        assert.deepStrictEqual(domain_status[0]?.unavailable_signals, [{ signal: "news", reason: "upstream_error" }])
      })
    )

    it.effect("a workspace without a source is told so", () =>
      Effect.gen(function* () {
        const live = yield* makeClient({ kind: "live" })
        const refused = yield* live.call("find_intent", { company_domains: ["hiring-1.test"] })
        assertRefused(refused, "tool_unavailable", { tool: "find_intent" })
        yield* assertBalance(live, "300")
      })
    )
  })
}
