import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Answered, makeClient, makeKey } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import {
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

/** The bytes of `result` in an answer. */
const resultText = ({ text }: Answered): string => text.slice('{"result":'.length, text.lastIndexOf(',"svc":'))

const AT_ONCE = 20

/** What an Idempotency-Key guarantees (contract: credits, idempotency). */
export const idempotencyContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`idempotency of calls (${name})`, (it) => {
    it.effect("a repeat is answered as the first call was, asks nobody and costs nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const calls = [
          ["verify_email", { email: "valid@magic.test" }, "1"],
          ["enrich", { person: { email: "mobile-search@magic.test" }, want: ["mobile_phone"] }, "17"],
          ["find_leads", { audience: "anybody", limit: 3, route: "broadest" }, "0.6"],
          ["verify_email", { email: "unknown@magic.test" }, "0"]
        ] as const
        for (const [index, [verb, input, charge]] of calls.entries()) {
          const own = { key: `${index}`.padStart(200, "k") }
          const first = yield* client.call(verb, input, own)
          assert.strictEqual(resultOf(first) && first.svc.credits_charged, charge)
          assert.isUndefined(first.svc.replayed)
          for (const repeats of [1, 2]) {
            yield* TestClock.adjust("1 minutes")
            const [again, asked] = yield* asking(client.call(verb, input, own))
            assert.strictEqual(resultText(again), resultText(first))
            assert.strictEqual(again.requestId, first.requestId)
            assert.strictEqual(again.svc.replayed, true)
            assert.deepStrictEqual(again.svc.route, first.svc.route)
            assert.strictEqual(again.svc.credits_charged, charge)
            assert.strictEqual(again.svc.credits_available, first.svc.credits_available)
            assert.deepStrictEqual(asked, [])
            const record = resultOf(yield* client.call("get_request", { request_id: first.requestId }))
            assert.strictEqual(record.replayed_count, repeats)
          }
        }
        yield* assertBalance(client, "281.4")
      })
    )

    it.effect("another request under the same key is refused, whatever differs", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const key = { key: "mine" }
        const input = { person: { email: "email-only@magic.test" }, want: ["work_email", "profile"] }
        const first = yield* client.call("enrich", input, key)
        const others = [
          ["enrich", { ...input, person: { email: "email-only+2@magic.test" } }],
          ["enrich", { ...input, want: ["profile", "work_email"] }],
          ["enrich", { ...input, route: "balanced" }],
          ["enrich", { person: input.person }],
          ["verify_email", { email: "valid@magic.test" }]
        ] as const
        for (const [verb, other] of others) {
          const [answer, asked] = yield* asking(client.call(verb, other, key))
          assert.strictEqual(answer.status, 409)
          assertRefused(answer, "idempotency_conflict", { reason: "different_request" })
          assert.deepStrictEqual(asked, [])
        }
        const swapped = { want: ["work_email", "profile"], dry_run: false, person: { email: "email-only@magic.test" } }
        const again = yield* client.call("enrich", swapped, key)
        assert.strictEqual(again.svc?.replayed, true, again.text)
        assert.strictEqual(again.requestId, first.requestId)
        yield* assertBalance(client, "295")
      })
    )

    it.effect("a key of an API key is no other's, and a call without one never repeats", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const colleague = yield* makeKey(client.workspaceId, client.ownerEmail)
        const stranger = yield* makeClient()
        const email = "valid@magic.test"
        const ids = new Set<string>()
        for (const one of [client, colleague, stranger]) {
          const answer = yield* one.call("verify_email", { email }, { key: "same" })
          assert.isUndefined(resultOf(answer) && answer.svc.replayed)
          ids.add(answer.requestId)
        }
        for (let times = 0; times < 2; times++) ids.add((yield* client.call("verify_email", { email })).requestId)
        assert.strictEqual(ids.size, 5)
        yield* assertBalance(client, "296")
      })
    )

    it.effect("a key has 1 to 200 characters; reads don't look at it", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const key of ["", "k".repeat(201)]) {
          const answer = yield* client.call("verify_email", { email: "x" }, { key })
          assertIssues(answer, ["Idempotency-Key", "email"])
          assertIssues(yield* client.call("find_leads", { audience: "anybody", dry_run: true }, { key }), [
            "Idempotency-Key"
          ])
          resultOf(yield* client.call("get_me", {}, { key }))
          resultOf(yield* client.call("get_replies", {}, { key }))
        }
        assertIssues(yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k\u0000" }), [
          "Idempotency-Key"
        ])
        const usage = yield* client.call("get_usage", {}, { key: "same" })
        resultOf(yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "same" }))
        const later = yield* client.call("get_usage", {}, { key: "same" })
        assert.isUndefined(later.svc.replayed)
        assert.notStrictEqual(resultText(later), resultText(usage))
      })
    )

    it.effect("a key that is needed and not sent is named beside every other mistake", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = { recipients: [{ email: "silent@magic.test" }], sequence: [{ subject: "Hello", body: "Hi" }] }
        const named = { name: "First", ...input }
        assertIssues(yield* client.call("create_campaign", input), ["Idempotency-Key", "name"])
        assertIssues(yield* client.call("create_campaign", { ...input, dry_run: true }), ["name"])
        const alone = yield* client.call("create_campaign", named)
        assertRefused(alone, "invalid_request", { reason: "idempotency_key_required" })
        resultOf(yield* client.call("create_campaign", { ...named, dry_run: true }))
      })
    )

    it.effect("of identical calls at once one is performed, the others wait for it, and each counts once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = client.call("verify_email", { email: "risky@magic.test" }, { key: "at once" })
        const [answers, asked] = yield* asking(
          Effect.all(new Array<typeof call>(AT_ONCE).fill(call), { concurrency: "unbounded" })
        )
        assert.deepStrictEqual(asked, [PROBE])
        assert.strictEqual(new Set(answers.map(resultText)).size, 1)
        assert.strictEqual(new Set(answers.map((answer) => answer.requestId)).size, 1)
        assert.strictEqual(answers.filter((answer) => answer.svc.replayed === true).length, AT_ONCE - 1)
        const me = resultOf(yield* client.call("get_me"))
        assert.strictEqual(me.rate_limit.remaining, 300 - AT_ONCE - 1)
        yield* assertBalance(client, "299")
      })
    )

    it.effect("of different calls at once under one key the first to come is performed, the others refused", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const emails = Array.from({ length: AT_ONCE }, (_, index) => `valid+${index}@magic.test`)
        const answers = yield* Effect.forEach(
          emails,
          (email) => client.call("verify_email", { email }, { key: "at once" }),
          { concurrency: "unbounded" }
        )
        const refused = answers.filter((answer) => answer.status !== 200)
        assert.strictEqual(refused.length, AT_ONCE - 1)
        for (const answer of refused) assertRefused(answer, "idempotency_conflict", { reason: "different_request" })
        yield* assertBalance(client, "299")
      })
    )

    it.effect("where the first of identical calls fails, one of those who waited is performed", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        for (const source of VERIFIERS) yield* faults.script(source, [Behaviour.Fail({ reason: "account" })])
        const call = client.call("verify_email", { email: "risky@magic.test" }, { key: "at once" })
        const [answers, asked] = yield* asking(
          Effect.all(new Array<typeof call>(AT_ONCE).fill(call), { concurrency: "unbounded" })
        )
        assert.deepStrictEqual(asked, [PROBE, DEEP, PROBE])
        const failed = answers.filter((answer) => answer.status !== 200)
        assert.deepStrictEqual(
          failed.map((answer) => answer.error?.code),
          ["provider_unavailable"]
        )
        assert.strictEqual(answers.filter((answer) => answer.svc?.replayed === true).length, AT_ONCE - 2)
        yield* assertBalance(client, "299")
      })
    )

    it.effect("what may be tried again leaves the key free: failures, and refusals before any effect", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "0.5" })
        const admin = yield* Admin
        const key = { key: "mine" }
        const call = client.call("verify_email", { email: "valid@magic.test" }, key)
        assertIssues(yield* client.call("verify_email", { email: "x" }, key), ["email"])
        assertRefused(yield* call, "insufficient_credits", { required: "1", credits_available: "0.5" })
        yield* admin.grantCredits(client.workspaceId, credits("1"))
        yield* admin.setKey(client.keyId, { capabilities: [{ name: "ceilings", on: false }] })
        const ceiling = client.call("verify_email", { email: "valid@magic.test", budget_credits: 1 }, key)
        assertRefused(yield* ceiling, "forbidden")
        const down = Behaviour.Fail({ reason: "account" })
        assertRefused(yield* whileSources(VERIFIERS, down, call), "provider_unavailable")
        // Also for another request: nothing is bound yet.
        const other = yield* client.call("verify_email", { email: "risky@magic.test" }, key)
        assert.strictEqual(resultOf(other).status, "risky")
        assertRefused(yield* call, "idempotency_conflict")
        yield* assertBalance(client, "0.5")
      }).pipe(Effect.orDie)
    )

    it.effect("a repeat needs no credits, and is refused to a key that may not ask any more", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "1" })
        const admin = yield* Admin
        const call = client.call("verify_email", { email: "valid@magic.test" }, { key: "mine" })
        resultOf(yield* call)
        yield* assertBalance(client, "0")
        const again = yield* call
        assert.strictEqual(resultOf(again) && again.svc.credits_available, "0")
        yield* admin.changeKeyState(client.keyId, "pause")
        assertRefused(yield* call, "agent_paused")
        yield* admin.changeKeyState(client.keyId, "resume")
        assert.strictEqual((yield* call).svc.replayed, true)
        yield* admin.setKey(client.keyId, { ratePerMinute: 1 })
        assertRefused(yield* call, "rate_limited")
      }).pipe(Effect.orDie)
    )
  })
}

/** The same, where the waiting itself passes on the virtual clock. */
export const waitingContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`waiting for an identical call (${name})`, (it) => {
    it.effect("after 30 seconds a repeat is told that the first call still runs", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        const call = client.call("verify_email", { email: "valid@magic.test" }, { key: "slow" })
        yield* faults.script(PROBE, [Behaviour.Never()])
        yield* faults.script(DEEP, [Behaviour.Late({ after: "15 seconds" })])
        const first = yield* Effect.forkChild(call)
        yield* untilAsked(PROBE, 1)
        const waiting = yield* Effect.forkChild(call)
        yield* TestClock.adjust("20 seconds")
        yield* TestClock.adjust("9999 millis")
        assert.isUndefined(waiting.pollUnsafe())
        yield* TestClock.adjust("1 millis")
        const told = yield* Fiber.join(waiting)
        assert.strictEqual(told.status, 409)
        assertRefused(told, "idempotency_conflict", { reason: "in_progress" })
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(resultOf(yield* Fiber.join(first)).status, "valid")
        assert.strictEqual((yield* call).svc.replayed, true)
        yield* assertBalance(client, "299")
      })
    )
  })
}
