import { assert, layer as describeLayer } from "@effect/vitest"
import { Control } from "@outbound/domain/control/Control.js"
import { credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { Effect, type Layer } from "effect"
import type { Client } from "../../service/Client.js"
import { type ControlOnStores, growStale, keyIn, office, refusedBy, signIn } from "./controlSupport.js"
import { freshKey, ok, refused, SUITE } from "./stories.js"

const patch = (client: Client, keyId: string, body: Readonly<Record<string, never | unknown>>, key = freshKey()) =>
  client.call("update_key", { key_id: keyId, ...(body as object) }, { key })

const asking = (client: Client, keyId: string, body: Readonly<Record<string, unknown>>) =>
  Effect.map(patch(client, keyId, body), (answer) => {
    refused(answer, 403, "owner_required")
    return answer.error?.details?.["change_request_id"] as string
  })

/** What keys ask of owners, and how a PATCH repeats. */
export const changeRequestsContract = <E>(name: string, service: Layer.Layer<ControlOnStores, E>) => {
  describeLayer(service, SUITE)(`change requests (${name})`, (it) => {
    it.effect("an identical request joins the open one, from any key and however it is written", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        const second = yield* keyIn(manager, { scopes: ["control:manage"] })
        const { keyId } = yield* keyIn(manager, { cap: credits("10"), scopes: ["data:read"] })
        const body = { monthly_spend_cap: "80", scopes: ["usage:read", "data:read"] }
        const first = yield* asking(manager, keyId, body)
        assert.strictEqual(yield* asking(manager, keyId, body), first)
        assert.strictEqual(
          yield* asking(second, keyId, { scopes: ["data:read", "usage:read"], monthly_spend_cap: "80.0" }),
          first
        )
        assert.lengthOf(yield* control.changeRequests(owner, "open"), 1)
        const other = yield* asking(manager, keyId, { monthly_spend_cap: "90" })
        assert.notStrictEqual(other, first)
        const [open] = yield* control.changeRequests(owner, "open")
        assert.strictEqual(open?.request.changeRequestId, other)
        const [closed] = yield* control.changeRequests(owner, "closed")
        assert.deepStrictEqual([closed?.request.changeRequestId, closed?.request.state], [first, "superseded"])
        yield* refusedBy("change_request_closed", control.decideChangeRequest(owner, first, "approve"))
        const third = yield* asking(second, keyId, { monthly_spend_cap: "100" })
        const all = yield* control.changeRequests(owner, "open")
        assert.deepStrictEqual(
          all.map(({ request }) => request.changeRequestId),
          [third, other]
        )
      }).pipe(Effect.orDie)
    )

    it.effect("an owner who signed in just now grants it, once; the log says who asked", () =>
      Effect.gen(function* () {
        const { manager, member, owner } = yield* office()
        const stranger = yield* office()
        const control = yield* Control
        const { keyId } = yield* keyIn(manager, { cap: credits("10"), scopes: ["data:read"] })
        const body = { monthly_spend_cap: "80", scopes: ["data:read", "trail:read"] }
        const asked = yield* asking(manager, keyId, body)
        yield* refusedBy("owner_required", control.decideChangeRequest(member, asked, "approve"))
        yield* refusedBy("owner_required", control.decideChangeRequest(member, asked, "decline"))
        yield* refusedBy("not_found", control.decideChangeRequest(stranger.owner, asked, "approve"))
        yield* refusedBy("not_found", control.decideChangeRequest(owner, "nothing", "approve"))
        yield* growStale
        yield* refusedBy("reauthentication_required", control.decideChangeRequest(owner, asked, "approve"))
        const fresh = yield* signIn(manager.ownerEmail)
        const tries = yield* Effect.all(
          Array.from({ length: 5 }, () => Effect.result(control.decideChangeRequest(fresh, asked, "approve"))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          tries.filter(({ _tag }) => _tag === "Success"),
          1
        )
        const { key } = yield* control.key(fresh, keyId)
        assert.deepStrictEqual([format(key.monthlySpendCap ?? 0n), key.scopes], ["80", ["data:read", "trail:read"]])
        const [entry] = yield* control.keyHistory(fresh, keyId, null)
        assert.deepInclude(entry, { direction: "loosen", changeRequestId: asked, keyId })
        assert.deepStrictEqual(entry?.before, { monthly_spend_cap: "10", scopes: ["data:read"] })
        const [closed] = yield* control.changeRequests(fresh, "closed")
        assert.deepStrictEqual(
          [closed?.request.state, closed?.decidedByEmail, closed?.requestedByName],
          ["approved", manager.ownerEmail, "test"]
        )
        // What was granted loosens nothing any more.
        assert.strictEqual(ok(yield* patch(manager, keyId, body)).result.monthly_spend_cap, "80")
      }).pipe(Effect.orDie)
    )

    it.effect("declined, it changes nothing, and the same may be asked anew; revoking the key cancels it", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        const { keyId } = yield* keyIn(manager, { autonomy: false })
        const body = { autonomous_external_actions: true }
        const first = yield* asking(manager, keyId, body)
        yield* growStale
        assert.isNull(yield* control.decideChangeRequest(owner, first, "decline"))
        yield* refusedBy("change_request_closed", control.decideChangeRequest(owner, first, "decline"))
        assert.isFalse((yield* control.key(owner, keyId)).key.autonomousExternalActions)
        assert.lengthOf(yield* control.keyHistory(owner, keyId, null), 1, "only its making")
        const second = yield* asking(manager, keyId, body)
        assert.notStrictEqual(second, first)
        yield* control.revokeKey(owner, keyId)
        assert.isEmpty(yield* control.changeRequests(owner, "open"))
        const fresh = yield* signIn(manager.ownerEmail)
        yield* refusedBy("change_request_closed", control.decideChangeRequest(fresh, second, "approve"))
        refused(yield* patch(manager, keyId, body), 404, "not_found")
      }).pipe(Effect.orDie)
    )

    it.effect("a PATCH repeats under its Idempotency-Key byte for byte, refusals that were kept included", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        const { keyId } = yield* keyIn(manager, { cap: credits("10") })
        const [tighten, loosen] = [freshKey(), freshKey()]
        const done = ok(yield* patch(manager, keyId, { monthly_spend_cap: "5" }, tighten))
        const asked = yield* patch(manager, keyId, { monthly_spend_cap: "50" }, loosen)
        refused(asked, 403, "owner_required")
        const request = asked.error?.details?.["change_request_id"] as string
        yield* control.decideChangeRequest(owner, request, "approve")

        const again = ok(yield* patch(manager, keyId, { monthly_spend_cap: "5" }, tighten))
        assert.deepStrictEqual(again.result, done.result)
        assert.deepStrictEqual([again.requestId, again.svc.replayed], [done.requestId, true])
        assert.strictEqual((yield* patch(manager, keyId, { monthly_spend_cap: "50" }, loosen)).text, asked.text)
        assert.strictEqual(format((yield* control.key(owner, keyId)).key.monthlySpendCap ?? 0n), "50")
        for (const key of [tighten, loosen]) {
          const other = yield* patch(manager, keyId, { monthly_spend_cap: "6" }, key)
          refused(other, 409, "idempotency_conflict", { reason: "different_request" })
        }
        const record = ok(yield* manager.call("get_request", { request_id: asked.requestId })).result
        assert.deepInclude(record, { status: "failed", http_status: 403, error_code: "owner_required" })
        assert.deepInclude(record, { credits_charged: "0", credits_reserved: "0" })
      }).pipe(Effect.orDie)
    )

    it.effect("what is no change is refused before anything else", () =>
      Effect.gen(function* () {
        const { manager } = yield* office()
        const { keyId } = yield* keyIn(manager)
        refused(yield* patch(manager, keyId, {}), 400, "invalid_request")
        refused(yield* patch(manager, keyId, { scopes: ["data:write"] }), 400, "invalid_request")
        refused(yield* patch(manager, keyId, { monthly_spend_cap: 5 }), 400, "invalid_request")
        refused(yield* patch(manager, keyId, { rate_per_minute: 5 }), 400, "invalid_request")
        refused(yield* patch(manager, manager.keyId, {}), 400, "invalid_request")
        refused(
          yield* manager.call("update_key", { key_id: keyId, autonomous_external_actions: false }),
          400,
          "invalid_request",
          { reason: "idempotency_key_required" }
        )
      }).pipe(Effect.orDie)
    )

    it.effect("twenty at once leave one policy, and a log that tells how it came about", () =>
      Effect.gen(function* () {
        const { manager, owner } = yield* office()
        const control = yield* Control
        const { keyId } = yield* keyIn(manager, { cap: credits("100") })
        const caps = Array.from({ length: 20 }, (_, index) => String(1 + ((index * 7) % 20)))
        const answers = yield* Effect.forEach(
          caps,
          (monthly_spend_cap) => patch(manager, keyId, { monthly_spend_cap }),
          { concurrency: "unbounded" }
        )
        for (const { status } of answers) assert.include([200, 403], status)
        const accepted = answers.filter(({ status }) => status === 200)
        assert.strictEqual(format((yield* control.key(owner, keyId)).key.monthlySpendCap ?? 0n), "1")
        const history = (yield* control.keyHistory(owner, keyId, null)).filter(({ action }) => action === "set_policy")
        assert.sameMembers(
          history.map(({ controlLogId }) => controlLogId),
          accepted.map(({ result }) => result.control_log_id)
        )
        const steps = history.toReversed()
        steps.reduce((cap, { after, before }) => {
          assert.strictEqual(before["monthly_spend_cap"], cap)
          return after["monthly_spend_cap"] as string
        }, "100")
        assert.lengthOf(
          yield* control.changeRequests(owner, "open"),
          Math.min(1, answers.length - accepted.length),
          "a key has one open ask about a key"
        )
      }).pipe(Effect.orDie)
    )
  })
}
