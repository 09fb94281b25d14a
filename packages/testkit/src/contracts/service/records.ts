import { DAY_MILLIS as DAY } from "@outbound/domain/kernel/durations.js"
import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { Clock, Effect, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, makeClient, makeKey } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { assertIssues, assertRefused, resultOf, SUITE, untilAsked, VERIFIERS, whileSources } from "./support.js"

const ID = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"
const CHAT = { model: "sandbox-mini", messages: [{ role: "user", content: "hi" }] }

const recordOf = (client: Client, requestId: string) =>
  Effect.map(client.call("get_request", { request_id: requestId }), resultOf)

const iso = (millis: number): string => new Date(millis).toISOString()

/** What is kept of calls: `get_request` and `get_usage` (contract: calls, records). */
export const recordsContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`records of calls (${name})`, (it) => {
    it.effect("every call has a record that says how it ended and what it cost", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "2" })
        const down = Behaviour.Fail({ reason: "transient" })
        const email = "valid@magic.test"
        const at = iso(yield* Clock.currentTimeMillis)
        const calls = [
          [client.call("verify_email", { email }), "verify_email", "act", 200, null, "1"],
          [client.call("verify_email", { email: "unknown@magic.test" }), "verify_email", "act", 200, null, "0"],
          [client.call("verify_email", { email, dry_run: true }), "verify_email", "dry_run", 200, null, "0"],
          [client.call("verify_email", {}), "verify_email", "act", 400, "invalid_request", "0"],
          [client.call("verify_email", { dry_run: true }), "verify_email", "dry_run", 400, "invalid_request", "0"],
          [client.call("llm_chat", { ...CHAT, dry_run: true }), "llm_chat", "act", 400, "invalid_request", "0"],
          [client.call("get_trail"), "get_trail", "read", 403, "forbidden", "0"],
          [client.call("find_leads", { audience: "x" }), "find_leads", "act", 402, "insufficient_credits", "0"],
          [
            whileSources(VERIFIERS, down, client.call("verify_email", { email })),
            "verify_email",
            "act",
            503,
            "provider_unavailable",
            "0"
          ],
          [client.call("get_usage"), "get_usage", "read", 200, null, "0"],
          [client.call("get_request", { request_id: ID }), "get_request", "read", 404, "not_found", "0"]
        ] as const
        for (const [call, verb, mode, http_status, error_code, credits_charged] of calls) {
          const answer = yield* call
          assert.strictEqual(answer.status, http_status, answer.text)
          assert.deepStrictEqual(yield* recordOf(client, answer.requestId), {
            request_id: answer.requestId,
            verb,
            mode,
            status: http_status === 200 ? "succeeded" : "failed",
            http_status,
            error_code,
            credits_reserved: "0",
            credits_charged,
            replayed_count: 0,
            interrupted: false,
            created_at: at,
            finished_at: at
          })
        }
      })
    )

    it.effect("a call under way is pending, with what it reserves", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const faults = yield* Faults
        yield* faults.forgetCalls
        const ids = yield* Ids
        const began = yield* Clock.currentTimeMillis
        const id = ids.next(began)
        const open = yield* Effect.forkChild(client.call("verify_email", { email: "slow@magic.test" }, { id }))
        yield* untilAsked(VERIFIERS[0], 1)
        yield* TestClock.adjust("1 seconds")
        const pending = yield* recordOf(client, id)
        assert.deepStrictEqual(pending, {
          request_id: id,
          verb: "verify_email",
          mode: "act",
          status: "pending",
          http_status: null,
          error_code: null,
          credits_reserved: "1",
          credits_charged: "0",
          replayed_count: 0,
          interrupted: false,
          created_at: iso(began),
          finished_at: null
        })
        assert.strictEqual(resultOf(yield* client.call("get_usage")).credits_reserved, "1")
        assert.deepStrictEqual(resultOf(yield* client.call("get_usage")).last_30_days, [])
        yield* TestClock.adjust("2 seconds")
        const done = yield* Fiber.join(open)
        const record = yield* recordOf(client, done.requestId)
        const ended = { status: "succeeded", http_status: 200, credits_reserved: "0", credits_charged: "1" }
        assert.deepStrictEqual(record, { ...pending, ...ended, finished_at: iso(began + 3000) })
      })
    )

    it.effect("a record is its workspace's, for any of its keys, and no other's", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const colleague = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: ["usage:read"] })
        const stranger = yield* makeClient()
        const { requestId } = yield* client.call("verify_email", { email: "valid@magic.test" })
        assert.strictEqual((yield* recordOf(colleague, requestId.toUpperCase())).request_id, requestId)
        const foreign = yield* stranger.call("get_request", { request_id: requestId })
        const missing = yield* stranger.call("get_request", { request_id: ID })
        assert.strictEqual(foreign.status, 404)
        assertRefused(foreign, "not_found")
        assert.deepStrictEqual({ ...foreign.error, request_id: "" }, { ...missing.error, request_id: "" })
        assertIssues(yield* client.call("get_request", { request_id: "x" }), ["request_id"])
        assertRefused(yield* client.call("get_operation", { operation_id: ID }), "not_found")
      })
    )

    it.effect("a refusal for the rate, and a repeat, leave no record of their own", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const other = yield* makeKey(client.workspaceId, client.ownerEmail)
        const admin = yield* Admin
        yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
        const again = yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
        assert.strictEqual((yield* recordOf(other, again.requestId)).replayed_count, 1)
        yield* admin.setKey(client.keyId, { ratePerMinute: 1 })
        const refused = yield* client.call("get_me")
        assertRefused(refused, "rate_limited")
        assertRefused(yield* other.call("get_request", { request_id: refused.requestId }), "not_found")
      }).pipe(Effect.orDie)
    )

    it.effect("usage lists what acted in the last 30 days, and neither reads nor dry runs nor refusals", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
        yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
        yield* client.call("verify_email", { email: "unknown@magic.test" })
        yield* client.call("verify_email", { email: "valid@magic.test", dry_run: true })
        yield* client.call("verify_email", { email: "x" })
        yield* client.call("get_replies")
        yield* client.call("get_me")
        yield* TestClock.adjust(10 * DAY)
        yield* client.call("find_leads", { audience: "anybody", limit: 3 })
        const usage = resultOf(yield* client.call("get_usage"))
        const verify = { verb: "verify_email", calls: 2, credits_charged: "1" }
        const find = { verb: "find_leads", calls: 1, credits_charged: "0.6" }
        assert.sameDeepMembers(usage.last_30_days, [find, verify])
        assert.deepStrictEqual(
          [usage.credits_balance, usage.credits_reserved, usage.credits_available],
          ["298.4", "0", "298.4"]
        )
        yield* TestClock.adjust(20 * DAY)
        assert.sameDeepMembers(resultOf(yield* client.call("get_usage")).last_30_days, [find, verify])
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(resultOf(yield* client.call("get_usage")).last_30_days, [find])
        const stranger = yield* makeClient()
        assert.deepStrictEqual(resultOf(yield* stranger.call("get_usage")).last_30_days, [])
      })
    )
  })
}
