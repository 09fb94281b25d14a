import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import { Calls } from "@outbound/domain/calls/Calls.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { type AnyWireError, refuse, type WireCode } from "@outbound/domain/kernel/errors/Wire.js"
import type { Capability } from "@outbound/domain/verbs/Policy.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, type Layer } from "effect"
import { type Client, makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { assertBalance, assertRefused, resultOf, SUITE } from "./support.js"

const UNKNOWN_RUN = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

/** Something that refuses a call of `verify_email`. */
interface Hurdle {
  readonly name: string
  readonly code: WireCode
  readonly details?: Readonly<Record<string, unknown>>
  /** What the request holds for it. */
  readonly input?: JsonObject
  /** What an owner or the operator does for it. */
  readonly rise?: (client: Client) => Effect.Effect<unknown, unknown, Admin>
}

const capabilityOff = (name: Capability) => (client: Client) =>
  Effect.flatMap(Admin, (admin) => admin.setKey(client.keyId, { capabilities: [{ name, on: false }] }))

const changeTo = (event: "pause" | "revoke") => (client: Client) =>
  Effect.flatMap(Admin, (admin) => admin.changeKeyState(client.keyId, event))

/** In the order in which a call meets them (contract: calls, order of checks). */
const HURDLES: ReadonlyArray<Hurdle> = [
  { name: "revoked", code: "unauthorized", rise: changeTo("revoke") },
  { name: "malformed", code: "invalid_request", input: { email: "x" } },
  {
    name: "rate",
    code: "rate_limited",
    details: { limit: "key_rate" },
    rise: (client) => Effect.flatMap(Admin, (admin) => admin.setKey(client.keyId, { ratePerMinute: 1 }))
  },
  { name: "paused", code: "agent_paused", rise: changeTo("pause") },
  { name: "scope", code: "forbidden", details: { required_scope: "data:read" } },
  {
    name: "capability",
    code: "forbidden",
    details: { reason: "capability_not_enabled", capability: "ceilings" },
    input: { budget_credits: 5 },
    rise: capabilityOff("ceilings")
  },
  { name: "idempotency", code: "idempotency_conflict", details: { reason: "different_request" } },
  { name: "run", code: "run_unavailable", details: { run_id: UNKNOWN_RUN } },
  { name: "cap", code: "payment_required", details: { required: "1" } },
  { name: "balance", code: "insufficient_credits", details: { required: "1" } }
]

/** A call that meets these hurdles; what it has used up before, it used up well. */
const meeting = (hurdles: ReadonlyArray<Hurdle>) =>
  Effect.gen(function* () {
    const meets = (name: string) => hurdles.some((hurdle) => hurdle.name === name)
    // Without the scope nothing can be used up first.
    const little = meets("scope") ? "0.5" : "1"
    const client = yield* makeClient({
      credits: meets("balance") ? little : "10",
      ...(meets("scope") ? { scopes: ["usage:read" as const] } : {}),
      ...(meets("cap") ? { cap: credits(little) } : {})
    })
    const first = yield* client.call("verify_email", { email: "risky@magic.test" }, { key: "used" })
    assert.strictEqual(first.status, meets("scope") ? 403 : 200, first.text)
    // A revoked key can't be paused any more.
    yield* Effect.forEach([...hurdles].reverse(), ({ rise }) => rise?.(client) ?? Effect.void)
    return yield* client.call(
      "verify_email",
      hurdles.reduce((input, hurdle) => ({ ...input, ...hurdle.input }), { email: "valid@magic.test" }),
      { key: meets("idempotency") ? "used" : "fresh", ...(meets("run") ? { run: UNKNOWN_RUN } : {}) }
    )
  })

const REJECTS: ReadonlyArray<readonly [number, AnyWireError]> = [
  [404, refuse("not_found", {})],
  [405, refuse("invalid_request", { reason: "method_not_allowed" })],
  [413, refuse("invalid_request", { reason: "body_too_large", max_bytes: 4_194_304 })],
  [415, refuse("invalid_request", { reason: "unsupported_media_type" })],
  [400, refuse("invalid_request", { reason: "malformed_json" })]
]

/** The order of the checks: the first that fails answers (contract: calls, order of checks). */
export const orderContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`the order of the checks (${name})`, (it) => {
    it.effect("of any two checks that fail, the earlier one answers", () =>
      Effect.gen(function* () {
        for (const [index, first] of HURDLES.entries()) {
          for (const second of HURDLES.slice(index)) {
            // A key without the scope can't have used its Idempotency-Key.
            if (first.name === "scope" && second.name === "idempotency") continue
            const answer = yield* meeting(first === second ? [first] : [first, second])
            assert.strictEqual(answer.error?.code, first.code, `${first.name} and ${second.name}: ${answer.text}`)
            assertRefused(answer, first.code, first.details)
          }
        }
      }).pipe(Effect.orDie)
    )

    it.effect("a dry run names everything that speaks against the call, in this order", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({
          credits: "10",
          scopes: ["usage:read"],
          autonomy: false,
          cap: credits("5")
        })
        const order = { daily_sends: 50, brand: "acme", identity: { first_name: "A", last_name: "B" }, dry_run: true }
        const plan = yield* client.call("setup_sending", order, { run: UNKNOWN_RUN })
        assert.deepStrictEqual(resultOf(plan).plan.would_exceed, [
          "forbidden",
          "run_unavailable",
          "card_required",
          "payment_required",
          "insufficient_credits"
        ])
        yield* assertBalance(client, "10")
      })
    )

    it.effect("what the transport refused is answered once the key is known, and counts as a request", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const calls = yield* Calls
        const ids = yield* Ids
        const admin = yield* Admin
        const send = (bearer: string | null, reject: AnyWireError) =>
          Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
            calls.answer({
              requestId: ids.next(nowMillis),
              bearer,
              verb: reject.code === "not_found" ? null : verbs.verify_email,
              input: {},
              reject,
              idempotencyKey: null,
              runId: null
            })
          )
        for (const [index, [status, reject]] of REJECTS.entries()) {
          const answer = yield* send(client.apiKey, reject)
          assert.strictEqual(answer.status, status)
          assert.strictEqual(answer.rate?.remaining, 299 - index)
          assert.strictEqual((yield* send(null, reject)).status, 401)
          assert.strictEqual((yield* send(`svc_key_${"x".repeat(43)}`, reject)).status, 401)
        }
        yield* admin.setKey(client.keyId, { ratePerMinute: 1 })
        yield* admin.changeKeyState(client.keyId, "pause")
        for (const [status, reject] of REJECTS) {
          assert.strictEqual((yield* send(client.apiKey, reject)).status, status)
        }
        yield* admin.changeKeyState(client.keyId, "revoke")
        for (const [, reject] of REJECTS) assert.strictEqual((yield* send(client.apiKey, reject)).status, 401)
      }).pipe(Effect.orDie)
    )
  })
}
