import { assert, layer as describeLayer } from "@effect/vitest"
import { Clock, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Client, decide } from "../../service/Client.js"
import {
  buy,
  ended,
  freshKey,
  grant,
  member,
  ok,
  PURCHASE,
  type ServiceOnStores,
  SUITE,
  trailOf,
  whileSending
} from "./stories.js"

const available = (client: Client) =>
  Effect.map(client.call("get_usage"), (answer) => Number(ok(answer).result.credits_available))

const usageOf = (client: Client) =>
  Effect.map(client.call("get_usage"), (answer) =>
    Object.fromEntries(
      (ok(answer).result.last_30_days as ReadonlyArray<{ verb: string; calls: number; credits_charged: string }>).map(
        ({ calls, credits_charged, verb }) => [verb, [calls, credits_charged]]
      )
    )
  )

/** A workspace with 20,000 credits that buys. */
const buyer = Effect.gen(function* () {
  const client = yield* member({ credits: "0" })
  yield* grant(client, "20000")
  return client
})

/** What becomes of a purchase. */
export const provisioningContract = <E>(name: string, service: Layer.Layer<ServiceOnStores, E>) => {
  describeLayer(service, SUITE)(`provisioning (${name})`, (it) => {
    it.effect("it takes less than two seconds, or ten where the brand is slow, and begins upkeep", () =>
      Effect.gen(function* () {
        for (const [brand, least, most] of [
          ["acme", 0, 2_000],
          ["slow-acme", 9_000, 11_000]
        ] as const) {
          const client = yield* buyer
          const before = yield* Clock.currentTimeMillis
          const bought = yield* buy(client, { ...PURCHASE, brand, daily_sends: 50 })
          const { operation_id } = bought.result
          const early = ok(yield* client.call("get_operation", { operation_id })).result
          assert.include(["queued", "running", "waiting_external"], early.status)
          assert.deepStrictEqual([early.kind, early.finished_at, early.error], ["setup_sending", null, null])
          assert.deepStrictEqual(early.progress, { done: 0, total: 3 })
          const operation = yield* ended(client, operation_id)
          const took = Date.parse(operation.finished_at) - before
          assert.isTrue(took >= least && took <= most, `${brand} took ${took} ms`)
          assert.strictEqual(operation.status, "succeeded")
          assert.isTrue(operation.items.every((item: { status: string }) => item.status === "active"))
          assert.strictEqual(yield* available(client), 20_000 - 1500 - 2 * 750)
          const active = yield* trailOf(client, { kind: "mailbox_active" })
          assert.lengthOf(active, 2)
          assert.isTrue(active.every((event) => event.operation_id === operation_id && event.source === "system"))
          assert.deepStrictEqual(yield* usageOf(client), { setup_sending: [2, "1500"], upkeep: [2, "1500"] })
          const me = ok(yield* client.call("get_me"))
          assert.strictEqual(me.result.spent_this_month, "1500", "upkeep counts for no key")
        }
      })
    )

    it.effect("what fails is refunded in full, and its record still says what was charged", () =>
      Effect.gen(function* () {
        const client = yield* buyer
        const request = { ...PURCHASE, brand: "fail-acme", daily_sends: 126 }
        const bought = yield* buy(client, request)
        assert.strictEqual(bought.svc.credits_charged, "3000")
        assert.strictEqual(yield* available(client), 17_000)
        const operation = yield* ended(client, bought.result.operation_id)
        assert.strictEqual(operation.status, "failed")
        assert.strictEqual(typeof operation.error.code, "string")
        assert.isTrue(operation.items.every((item: { status: string }) => item.status === "failed"))
        assert.strictEqual(yield* available(client), 20_000)
        const record = ok(yield* client.call("get_request", { request_id: bought.svc.request_id }))
        assert.strictEqual(record.result.credits_charged, "3000")
        assert.isEmpty(yield* trailOf(client, { kind: "mailbox_active" }))
      })
    )

    it.effect("what was not delivered is refunded, the rest is there", () =>
      Effect.gen(function* () {
        const client = yield* buyer
        const request = { ...PURCHASE, brand: "partial-acme", daily_sends: 126 }
        const bought = yield* buy(client, request)
        const operation = yield* ended(client, bought.result.operation_id)
        assert.strictEqual(operation.status, "partially_succeeded")
        assert.strictEqual(operation.error, null)
        assert.deepStrictEqual(operation.progress, { done: 8, total: 8 })
        assert.strictEqual(yield* available(client), 20_000 - 3000 + 1500 - 5 * 750)
      })
    )

    it.effect("the same purchase under its key is the same purchase, with its own charge told again", () =>
      Effect.gen(function* () {
        const client = yield* buyer
        const request = { ...PURCHASE, brand: "fail-again" }
        const key = freshKey()
        const quote = ok(yield* client.call("setup_sending", request, { key }))
        const again = ok(yield* client.call("setup_sending", request, { key }))
        assert.deepStrictEqual(again.result, quote.result)
        yield* decide(client, quote.result.approval_url, "approve")
        const confirmed = { ...request, confirmation_token: quote.result.confirmation_token as string }
        const bought = ok(yield* client.call("setup_sending", confirmed, { key }))
        yield* ended(client, bought.result.operation_id)
        const replay = ok(yield* client.call("setup_sending", confirmed, { key }))
        assert.deepStrictEqual(replay.result, bought.result)
        assert.deepStrictEqual(
          [replay.svc.replayed, replay.svc.credits_charged, replay.svc.request_id, replay.svc.credits_available],
          [true, "1500", bought.svc.request_id, "20000"]
        )
      })
    )

    it.effect("whatever the provider answers, nothing is delivered or refunded that was not ordered", () =>
      Effect.gen(function* () {
        for (const behaviour of [
          Behaviour.Garbage(),
          Behaviour.Twice(),
          Behaviour.Fail({ reason: "transient" }),
          Behaviour.Die({ defect: new Error("broken") }),
          Behaviour.Never()
        ]) {
          const client = yield* buyer
          const request = { ...PURCHASE, brand: "partial-odd", daily_sends: 126 }
          const quote = ok(yield* client.call("setup_sending", request))
          yield* decide(client, quote.result.approval_url, "approve")
          const confirmed = { ...request, confirmation_token: quote.result.confirmation_token as string }
          const bought = yield* client.call("setup_sending", confirmed, { key: freshKey() }).pipe(
            Effect.tap(() => Effect.replicateEffect(TestClock.adjust("1 second"), 3)),
            whileSending(behaviour)
          )
          yield* TestClock.adjust("1 minute")
          const operation = yield* ended(client, ok(bought).result.operation_id)
          assert.strictEqual(operation.status, "partially_succeeded", behaviour._tag)
          assert.lengthOf(operation.items, 8)
          assert.strictEqual(yield* available(client), 20_000 - 3000 + 1500 - 5 * 750, behaviour._tag)
        }
      })
    )

    it.effect("an order that the provider refuses for good has failed, and is refunded", () =>
      Effect.gen(function* () {
        const client = yield* buyer
        const quote = ok(yield* client.call("setup_sending", PURCHASE))
        yield* decide(client, quote.result.approval_url, "approve")
        const confirmed = { ...PURCHASE, confirmation_token: quote.result.confirmation_token as string }
        const operation = yield* client.call("setup_sending", confirmed, { key: freshKey() }).pipe(
          Effect.flatMap((bought) => ended(client, ok(bought).result.operation_id)),
          whileSending(Behaviour.Fail({ reason: "invalid" }))
        )
        assert.strictEqual(operation.status, "failed")
        assert.strictEqual(yield* available(client), 20_000)
      })
    )
  })
}
