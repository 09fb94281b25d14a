import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { makeClient } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import {
  afterWaiting,
  asking,
  assertBalance,
  assertIssues,
  assertRefused,
  resultOf,
  SUITE,
  untilAsked,
  VERIFIERS,
  whileSources
} from "./support.js"

const [PROBE, DEEP] = VERIFIERS

const OUTCOMES = [
  ["valid", "1", false],
  ["invalid", "1", false],
  ["catch_all_valid", "1", true],
  ["catch_all_unknown", "1", true],
  ["risky", "1", false],
  ["unknown", "0", false]
] as const

/** What `verify_email` guarantees (contract: data, verify email). */
export const verifyEmailContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`verify_email (${name})`, (it) => {
    it.effect("every status has its price, and an unknown one is free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "10" })
        for (const [status, price, isCatchAll] of OUTCOMES) {
          const before = yield* Clock.currentTimeMillis
          const answer = yield* client.call("verify_email", { email: `${status}+7@magic.test` })
          assert.deepStrictEqual(resultOf(answer), {
            email: `${status}+7@magic.test`,
            status,
            is_catch_all_domain: isCatchAll,
            checked_at: new Date(before).toISOString()
          })
          assert.strictEqual(answer.svc.credits_charged, price, status)
        }
        yield* assertBalance(client, "5")
      })
    )

    it.effect("an impossible address is an ordinary invalid one, for which nobody is asked", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const impossible = [
          "no-at-sign",
          "@magic.test",
          "two@@magic.test",
          "valid@",
          "valid@localhost",
          "a b@magic.test",
          ".dot@magic.test",
          "dot..dot@magic.test",
          `${"x".repeat(65)}@magic.test`,
          `x@${"y".repeat(64)}.test`,
          "\u{1F4EC}\u{1F4EC} @magic.test",
          "   "
        ]
        for (const email of impossible) {
          const [answer, asked] = yield* asking(client.call("verify_email", { email }))
          assert.strictEqual(resultOf(answer).status, "invalid", email)
          assert.strictEqual(answer.result.is_catch_all_domain, false)
          assert.strictEqual(answer.svc.credits_charged, "1")
          assert.deepStrictEqual(asked, [])
        }
      })
    )

    it.effect("an address is asked for and answered in its canonical form", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        const forms = [
          ["  Valid@MAGIC.test\n", "valid@magic.test"],
          ["VALID+Tag@Magic.Test", "valid+tag@magic.test"],
          ["info@MÜNCHEN.example", "info@xn--mnchen-3ya.example"],
          ["info@xn--mnchen-3ya.example", "info@xn--mnchen-3ya.example"],
          ["Jose\u0301@magic.test", "jos\u00e9@magic.test"]
        ] as const
        for (const [given, canonical] of forms) {
          yield* faults.forgetCalls
          const answer = yield* client.call("verify_email", { email: given })
          assert.strictEqual(resultOf(answer).email, canonical)
          for (const { request } of yield* faults.calls()) assert.strictEqual(request, canonical)
        }
      })
    )

    it.effect("an address has 3 to 320 characters, and a call nothing but its fields", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const longest = `${"x".repeat(320 - "@magic.test".length)}@magic.test`
        assert.strictEqual(resultOf(yield* client.call("verify_email", { email: "a@b" })).status, "invalid")
        assert.strictEqual(resultOf(yield* client.call("verify_email", { email: longest })).status, "invalid")
        assertIssues(yield* client.call("verify_email", { email: "ab" }), ["email"])
        assertIssues(yield* client.call("verify_email", { email: `x${longest}` }), ["email"])
        assertIssues(yield* client.call("verify_email", {}), ["email"])
        assertIssues(yield* client.call("verify_email", { email: null }), ["email"])
        assertIssues(yield* client.call("verify_email", { email: ["valid@magic.test"] }), ["email"])
        assertIssues(yield* client.call("verify_email", { email: "a", route: "balanced", dry_run: "yes" }), [
          "email",
          "route",
          "dry_run"
        ])
        yield* assertBalance(client, "298")
      })
    )

    it.effect("a ceiling below the price refuses the call with nothing done; one at the price does not", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const email = "valid@magic.test"
        for (const budget_credits of [0.000001, 0.5, 0.999999]) {
          const [answer, asked] = yield* asking(client.call("verify_email", { email, budget_credits }))
          assert.strictEqual(answer.status, 400)
          assertRefused(answer, "invalid_request", { reason: "budget_too_low", minimum_credits: "1" })
          assert.deepStrictEqual(asked, [])
        }
        for (const budget_credits of [1, 2000]) {
          const answer = yield* client.call("verify_email", { email, budget_credits })
          assert.strictEqual(resultOf(answer) && answer.svc.credits_charged, "1")
        }
        for (const budget_credits of [0, -1, 2000.01, "1", null]) {
          assertIssues(yield* client.call("verify_email", { email, budget_credits }), ["budget_credits"])
        }
        yield* assertBalance(client, "298")
      })
    )

    it.effect("where every source fails the call fails, refunded, and says when to try again", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const magic = yield* client.call("verify_email", { email: "unavailable@magic.test" }, { key: "again" })
        assert.strictEqual(magic.status, 503)
        assertRefused(magic, "provider_unavailable", { retry_after_seconds: 5 })
        const faults = yield* Faults
        const busy = (retryAfterSeconds: number) => [Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds })]
        yield* faults.script(PROBE, busy(30))
        yield* faults.script(DEEP, busy(11.2))
        const told = yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "again-2" })
        assertRefused(told, "provider_unavailable", { retry_after_seconds: 12 })
        yield* assertBalance(client, "300")
        const [later, asked] = yield* asking(
          client.call("verify_email", { email: "valid@magic.test" }, { key: "again-2" })
        )
        assert.strictEqual(resultOf(later).status, "valid")
        assert.deepStrictEqual(asked, [PROBE])
      })
    )

    it.effect("one source that answers is enough, whatever becomes of the others", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        for (const reason of ["invalid", "rate_limited", "account", "transient"] as const) {
          yield* faults.script(PROBE, [Behaviour.Fail({ reason })])
          const [answer, asked] = yield* asking(client.call("verify_email", { email: "valid@magic.test" }))
          assert.strictEqual(resultOf(answer).status, "valid", reason)
          assert.deepStrictEqual(asked, [PROBE, DEEP])
        }
        // One could not establish it, the other failed: that is an answer, and free.
        yield* faults.script(DEEP, [Behaviour.Fail({ reason: "transient" })])
        const unsure = yield* client.call("verify_email", { email: "unknown@magic.test" })
        assert.strictEqual(resultOf(unsure).status, "unknown")
        assert.strictEqual(unsure.svc.credits_charged, "0")
      })
    )

    it.effect("a second source is asked where the first could not establish it, and only then", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const [, sure] = yield* asking(client.call("verify_email", { email: "risky@magic.test" }))
        assert.deepStrictEqual(sure, [PROBE])
        const [, unsure] = yield* asking(client.call("verify_email", { email: "unknown@magic.test" }))
        assert.deepStrictEqual(unsure, [PROBE, DEEP])
      })
    )

    it.effect("a source that answers nonsense is not believed", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const email = "risky@magic.test"
        const one = yield* whileSources([PROBE], Behaviour.Garbage(), client.call("verify_email", { email }))
        assert.strictEqual(resultOf(one).status, "risky")
        const all = yield* whileSources(VERIFIERS, Behaviour.Garbage(), client.call("verify_email", { email }))
        assertRefused(all, "provider_unavailable")
        yield* assertBalance(client, "299")
      })
    )

    it.effect("a slow source is waited for", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const answer = yield* afterWaiting(
          client.call("verify_email", { email: "slow@magic.test" }),
          PROBE,
          "3 seconds"
        )
        assert.strictEqual(resultOf(answer).status, "valid")
      })
    )

    it.effect("a source that never answers is left after 20 seconds for the next one", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.script(PROBE, [Behaviour.Never()])
        const answer = yield* afterWaiting(
          client.call("verify_email", { email: "valid@magic.test" }),
          PROBE,
          "20 seconds"
        )
        assert.strictEqual(resultOf(answer).status, "valid")
        assert.strictEqual((yield* faults.calls(DEEP)).length, 1)
      })
    )

    it.effect("where no source ever answers the call ends, refunded", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        const call = whileSources(
          VERIFIERS,
          Behaviour.Never(),
          Effect.gen(function* () {
            const fiber = yield* Effect.forkChild(client.call("verify_email", { email: "valid@magic.test" }))
            for (const source of VERIFIERS) {
              yield* untilAsked(source, 1)
              yield* TestClock.adjust("20 seconds")
            }
            return yield* Fiber.join(fiber)
          })
        )
        assertRefused(yield* call, "provider_unavailable")
        yield* assertBalance(client, "300")
      })
    )

    it.effect("a call whose client hangs up runs to its end, and is charged once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        const fiber = yield* Effect.forkChild(
          client.call("verify_email", { email: "slow@magic.test" }, { key: "gone" })
        )
        yield* untilAsked(PROBE, 1)
        fiber.interruptUnsafe()
        yield* TestClock.adjust("3 seconds")
        yield* Fiber.await(fiber)
        const again = yield* client.call("verify_email", { email: "slow@magic.test" }, { key: "gone" })
        assert.strictEqual(resultOf(again).status, "valid")
        assert.strictEqual(again.svc.replayed, true)
        yield* assertBalance(client, "299")
      })
    )
  })
}
