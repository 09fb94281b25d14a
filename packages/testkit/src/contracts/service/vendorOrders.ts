import { assert } from "@effect/vitest"
import { Admin } from "@outbound/domain/app/Admin.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { provisioning } from "@outbound/domain/outreach/provisioning/Provisioning.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import type { SendingCapacity } from "@outbound/domain/sources/ports/SendingProvider.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { type Client, makeKey } from "../../service/Client.js"
import { describeStories } from "./describeStories.js"
import { eventLoopTurn, patience } from "../../service/patience.js"
import { buy, PURCHASE, refused, SCOPES } from "./stories.js"
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
  /** What another host does the next time that somebody looks whether the order was placed, and has seen that it was not. */
  meanwhile: Effect.Effect<void> | null
}

const EMPTY: Omit<Shop, "capacity"> = { orders: 0, placed: false, fails: null, ready: false, meanwhile: null }

export const makeShop = (): Shop => {
  const shop: Shop = {
    ...EMPTY,
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
      placed: () =>
        Effect.suspend(() => {
          const { meanwhile, placed } = shop
          shop.meanwhile = null
          return Effect.as(meanwhile ?? Effect.void, placed)
        }),
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
export const vendorOrdersContract = <E>(
  name: string,
  service: Layer.Layer<VendorService | CreditStore | OperationStore | WorkspaceStore, E>,
  shop: Shop
) => {
  const buyer = Effect.gen(function* () {
    yield* TestClock.setTime(MONDAY)
    const admin = yield* Admin
    const { client } = yield* vendorTeam(0)
    yield* admin.grantCredits(client.workspaceId, credits("200000"))
    const key = yield* makeKey(client.workspaceId, client.ownerEmail, { scopes: SCOPES })
    Object.assign(shop, EMPTY)
    return key
  }).pipe(Effect.orDie)

  /** An order that no host has looked at, and how one does. It was approved so long ago. */
  const unplaced = (agoMillis: number) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(MONDAY)
      const operations = yield* OperationStore
      const { atomically } = yield* UnitOfWork
      const advance = yield* provisioning
      const { client } = yield* vendorTeam(0)
      const { workspaceId } = client
      const atMillis = MONDAY - agoMillis
      const operationId = (yield* Ids).next(MONDAY)
      const domain = `acme-${operationId}.com`
      yield* atomically(
        operations.insert({
          workspaceId,
          operationId,
          kind: "setup_sending",
          status: "queued",
          requestId: operationId,
          order: {
            workspaceId,
            marker: operationId,
            brand: "acme",
            identity: { firstName: "Jo", lastName: "Doe" },
            domains: [{ domain, mailboxes: [`jo@${domain}`] }],
            orderedAtMillis: atMillis
          },
          creditsPerDomain: credits("1500"),
          items: [{ id: domain, kind: "domain", status: "pending", detail: null }],
          error: null,
          createdAtMillis: atMillis,
          updatedAtMillis: atMillis,
          finishedAtMillis: null
        })
      )
      Object.assign(shop, EMPTY)
      const read = Effect.map(operations.get(workspaceId, operationId), Option.getOrThrow)
      const host = Effect.flatMap(read, (operation) =>
        operation.kind === "setup_sending" ? advance(operation) : Effect.die(new Error("it is a purchase"))
      )
      return { host: Effect.orDie(Effect.asVoid(host)), status: Effect.map(read, ({ status }) => status) }
    }).pipe(Effect.orDie)

  /** Time passes until the hosts have ended what was bought. How it ended. */
  const ended = (client: Client, operation_id: unknown) =>
    Effect.gen(function* () {
      for (const isPatient = patience(); isPatient();) {
        const { result } = yield* client.call("get_operation", { operation_id: String(operation_id) })
        if (result.finished_at !== null) return result.status
        yield* TestClock.adjust("5 seconds")
        yield* eventLoopTurn
      }
      return "not ended"
    })

  describeStories(service)(`orders at a vendor that does not know our marker (${name})`, (it) => {
    it.effect("are placed once, also where the answer was lost", () =>
      Effect.gen(function* () {
        for (const acts of [true, false]) {
          const { host, status } = yield* unplaced(0)
          shop.fails = { reason: "unknown_outcome", acts }
          yield* host
          yield* TestClock.adjust("2 minutes")
          yield* host
          assert.notStrictEqual(yield* status, "failed")
          shop.ready = true
          yield* TestClock.adjust(acts ? "2 minutes" : "30 minutes")
          yield* host
          assert.strictEqual(yield* status, acts ? "succeeded" : "failed")
          assert.strictEqual(shop.orders, 1)
        }
      })
    )

    it.effect("are placed once, also where two hosts see at the same moment that none was", () =>
      Effect.gen(function* () {
        const { host, status } = yield* unplaced(0)
        shop.meanwhile = host
        yield* host
        assert.strictEqual(shop.orders, 1)
        shop.ready = true
        yield* host
        assert.strictEqual(yield* status, "succeeded")
        assert.strictEqual(shop.orders, 1)
      })
    )

    it.effect("are looked for from when they may have been placed, however long ago they were approved", () =>
      Effect.gen(function* () {
        const { host, status } = yield* unplaced(2 * 60 * 60_000)
        shop.fails = { reason: "unknown_outcome", acts: false }
        yield* host
        yield* TestClock.adjust("1 minute")
        yield* host
        assert.strictEqual(yield* status, "running")
        yield* TestClock.adjust("30 minutes")
        yield* host
        assert.strictEqual(yield* status, "failed")
        assert.strictEqual(shop.orders, 1)
      })
    )

    it.effect("are placed again only where the vendor said that nothing happened", () =>
      Effect.gen(function* () {
        const client = yield* buyer
        shop.fails = { reason: "transient", acts: false }
        shop.ready = true
        const bought = yield* buy(client, PURCHASE)
        assert.strictEqual(yield* ended(client, bought.result.operation_id), "succeeded")
        assert.strictEqual(shop.orders, 2)
        const refusing = yield* buyer
        shop.fails = { reason: "invalid", acts: false }
        const no = yield* buy(refusing, PURCHASE)
        assert.strictEqual(yield* ended(refusing, no.result.operation_id), "failed")
        assert.strictEqual(shop.orders, 1)
      })
    )
  })
}

/** A vendor that sells nothing says so. */
export const withoutShopContract = <E>(name: string, service: Layer.Layer<VendorService, E>) => {
  describeStories(service)(`a vendor that sells no mailboxes (${name})`, (it) => {
    it.effect("has no tool to buy them", () =>
      Effect.gen(function* () {
        const { client } = yield* vendorTeam()
        refused(yield* client.call("setup_sending", PURCHASE), 503, "tool_unavailable")
      })
    )
  })
}
