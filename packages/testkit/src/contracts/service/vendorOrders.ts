import { assert, layer as describeLayer } from "@effect/vitest"
import { Admin } from "@outbound/domain/Admin.js"
import { credits } from "@outbound/domain/money/Credits.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/ports/providers/ProviderFailure.js"
import type { SendingCapacity } from "@outbound/domain/ports/providers/SendingProvider.js"
import { Effect, type Layer, TestClock } from "effect"
import { makeKey } from "../../service/Client.js"
import { buy, PURCHASE, refused, SCOPES, SUITE } from "./stories.js"
import { MONDAY, type VendorService, vendorTeam } from "./vendorStories.js"

/** A vendor's shop: it does not know an order by our marker. */
export interface Shop {
  readonly capacity: SendingCapacity
  orders: number
  /** Whether an order of it stands, and shows. */
  placed: boolean
  /** How the next order fails, and whether it was placed all the same. */
  fails: { readonly reason: ProviderFailureReason; readonly acts: boolean } | null
  ready: boolean
}

export const makeShop = (): Shop => {
  const shop: Shop = {
    orders: 0,
    placed: false,
    fails: null,
    ready: false,
    capacity: {
      readyEstimate: "soon",
      suggestDomains: (brand, count) =>
        Effect.succeed(Array.from({ length: count }, (_, index) => `try-${brand}-${index}.com`)),
      order: () =>
        Effect.suspend(() => {
          shop.orders += 1
          const { fails } = shop
          shop.fails = null
          shop.placed = fails === null || fails.acts
          return fails === null
            ? Effect.void
            : Effect.fail(new ProviderFailure({ provider: "fake_vendor", reason: fails.reason }))
        }),
      placed: () => Effect.sync(() => shop.placed),
      progress: ({ domains }) =>
        Effect.sync(() => {
          const status = shop.ready ? ("active" as const) : ("pending" as const)
          return {
            domains: domains.map(({ domain, mailboxes }) => ({
              domain,
              status,
              detail: null,
              mailboxes: mailboxes.map((address) => ({ address, status }))
            }))
          }
        })
    }
  }
  return shop
}

/** Mailboxes bought at a vendor that does not know our orders. */
export const vendorOrdersContract = <E>(name: string, service: Layer.Layer<VendorService, E>, shop: Shop) => {
  const buyer = Effect.gen(function* () {
    yield* TestClock.setTime(MONDAY)
    const admin = yield* Admin
    const { client } = yield* vendorTeam(0)
    yield* admin.grantCredits(client.workspaceId, credits("200000"))
    const key = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES })
    Object.assign(shop, { orders: 0, placed: false, fails: null, ready: false })
    return key
  }).pipe(Effect.orDie)

  const pass = (seconds: number) =>
    Effect.gen(function* () {
      const step = Math.max(5, seconds / 40)
      for (let at = 0; at < seconds; at += step) yield* TestClock.adjust(step * 1_000)
    })

  describeLayer(service, SUITE)(`orders at a vendor that does not know our marker (${name})`, (it) => {
    it.effect("are placed once, also where the answer was lost", () =>
      Effect.gen(function* () {
        for (const acts of [true, false]) {
          const client = yield* buyer
          shop.fails = { reason: "unknown_outcome", acts }
          const bought = yield* buy(client, PURCHASE)
          const { operation_id } = bought.result
          yield* pass(120)
          assert.strictEqual(shop.orders, 1)
          const statusOf = Effect.map(client.call("get_operation", { operation_id }), ({ result }) => result.status)
          assert.notStrictEqual(yield* statusOf, "failed")
          shop.ready = true
          yield* pass(acts ? 120 : 2_000)
          assert.strictEqual(yield* statusOf, acts ? "succeeded" : "failed")
          assert.strictEqual(shop.orders, 1)
        }
      })
    )

    it.effect("are placed again only where the vendor said that nothing happened", () =>
      Effect.gen(function* () {
        const client = yield* buyer
        shop.fails = { reason: "transient", acts: false }
        shop.ready = true
        const { result } = yield* buy(client, PURCHASE)
        yield* pass(120)
        assert.strictEqual(shop.orders, 2)
        const operation = yield* client.call("get_operation", { operation_id: result.operation_id })
        assert.strictEqual(operation.result.status, "succeeded")
        const refusing = yield* buyer
        shop.fails = { reason: "invalid", acts: false }
        const no = yield* buy(refusing, PURCHASE)
        yield* pass(60)
        assert.strictEqual(shop.orders, 1)
        const failed = yield* refusing.call("get_operation", { operation_id: no.result.operation_id })
        assert.strictEqual(failed.result.status, "failed")
      })
    )
  })
}

/** A vendor that sells nothing says so. */
export const withoutShopContract = <E>(name: string, service: Layer.Layer<VendorService, E>) => {
  describeLayer(service, SUITE)(`a vendor that sells no mailboxes (${name})`, (it) => {
    it.effect("has no tool to buy them", () =>
      Effect.gen(function* () {
        const { client } = yield* vendorTeam()
        refused(yield* client.call("setup_sending", PURCHASE), 503, "tool_unavailable")
      })
    )
  })
}
