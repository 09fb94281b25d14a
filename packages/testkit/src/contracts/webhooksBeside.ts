import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import {
  type ClaimedDelivery,
  type DeliveryAttempt,
  type Endpoint,
  WebhookStore
} from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"

type Stores = TrailStore | UnitOfWork | WebhookStore | WorkspaceStore

const TAKEN: DeliveryAttempt = {
  state: "delivered",
  status: 204,
  failure: null,
  tookMillis: 12,
  retryInMillis: 0,
  restMillis: 0
}
const FAILED: DeliveryAttempt = { ...TAKEN, state: "pending", status: 500, failure: "status", retryInMillis: HOUR }
const EXHAUSTED: DeliveryAttempt = { ...FAILED, state: "failed" }

/** Of two endpoints that are told the same events, what becomes of one says nothing of the other. */
export const webhooksBesideContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  /** Two endpoints of one workspace, and its events. */
  const two = (events: number) =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const trail = yield* TrailStore
      const { workspaceId } = yield* givenWorkspace()
      const [one, other] = ["one", "other"].map((path): Endpoint => ({
        workspaceId,
        endpointId: freshId(),
        url: `https://example.com/${path}`,
        kinds: [],
        state: "enabled",
        sealedSecret: path,
        previous: null,
        createdAtMillis: NOON
      })) as [Endpoint, Endpoint]
      for (const endpoint of [one, other]) yield* within(store.insert(endpoint))
      const ids = Array.from({ length: events }, () => freshId())
      yield* within(
        trail.append(
          ids.map((eventId, index) => ({
            eventId,
            workspaceId,
            kind: "sent",
            source: "api",
            observedAtMillis: NOON + index,
            campaignId: null,
            campaignLeadId: null,
            replyId: null,
            requestId: null,
            operationId: null,
            email: null,
            detail: {}
          }))
        )
      )
      return { one, other, ids }
    })

  /** Claims until only this endpoint is held: other tests share the store. */
  const claim = (of: Endpoint, leaseMillis = MINUTE) =>
    Effect.gen(function* () {
      const store = yield* WebhookStore
      const claimed = yield* within(store.claim({ claimId: freshId(), leaseMillis, limit: 1_000 }))
      for (const each of claimed) if (each.endpoint.endpointId !== of.endpointId) yield* within(store.release(each))
      return Option.fromNullishOr(claimed.find(({ endpoint }) => endpoint.endpointId === of.endpointId))
    })

  const claimed = (of: Endpoint, leaseMillis?: number) => Effect.map(claim(of, leaseMillis), Option.getOrThrow)

  const record = (of: ClaimedDelivery, attempt: DeliveryAttempt) =>
    Effect.flatMap(WebhookStore, (store) => within(store.record(of, attempt)))

  const next = (of: ClaimedDelivery) => Effect.flatMap(WebhookStore, (store) => within(store.next(of, MINUTE)))

  const standing = ({ endpointId, workspaceId }: Endpoint) =>
    Effect.map(
      Effect.flatMap(WebhookStore, (store) => store.find(workspaceId, endpointId)),
      Option.getOrThrow
    )

  const statesOf = ({ endpointId, workspaceId }: Endpoint) =>
    Effect.map(
      Effect.flatMap(WebhookStore, (store) =>
        store.log({ workspaceId, endpointId, state: null, limit: 100, before: null })
      ),
      (log) => log.map(({ state }) => state).toReversed()
    )

  it.layer(adapter, SUITE)(`webhooks side by side (${name})`, (it) => {
    it.effect("an attempt is recorded of its endpoint's event, and counts for that endpoint alone", () =>
      Effect.gen(function* () {
        const { one, other } = yield* two(2)
        const first = yield* claimed(one)
        assert.isTrue(yield* record(first, FAILED))
        const second = Option.getOrThrow(yield* next(first))
        assert.isTrue(yield* record(second, TAKEN))
        assert.deepStrictEqual(yield* statesOf(one), ["pending", "delivered"])
        assert.deepStrictEqual(yield* statesOf(other), ["pending", "pending"])
        const [ours, theirs] = [yield* standing(one), yield* standing(other)]
        assert.deepStrictEqual([ours.waiting, ours.failed, theirs.waiting, theirs.failed], [1, 0, 2, 0])
        assert.isNotNull(ours.deliveredAtMillis)
        assert.deepStrictEqual([theirs.failures, theirs.failingSinceMillis, theirs.deliveredAtMillis], [0, null, null])
        assert.deepStrictEqual((yield* claimed(other)).endpoint, other)
      })
    )

    it.effect("what is sent again is the event of one endpoint, and of many the oldest, no more than said", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const { ids, one, other } = yield* two(3)
        const { endpointId, workspaceId } = one
        for (const endpoint of [one, other]) {
          let at = Option.some(yield* claimed(endpoint))
          while (Option.isSome(at)) {
            yield* record(at.value, EXHAUSTED)
            at = yield* next(at.value)
          }
        }
        assert.isTrue(yield* within(store.sendAgain(workspaceId, endpointId, ids[2]!)))
        assert.deepStrictEqual(yield* statesOf(one), ["failed", "failed", "pending"])
        assert.strictEqual(yield* within(store.sendFailedAgain(workspaceId, endpointId, 1)), 1)
        assert.deepStrictEqual(yield* statesOf(one), ["pending", "failed", "pending"])
        assert.deepStrictEqual(yield* statesOf(other), ["failed", "failed", "failed"])
        const [ours, theirs] = [yield* standing(one), yield* standing(other)]
        assert.deepStrictEqual([ours.waiting, ours.failed, theirs.waiting, theirs.failed], [2, 1, 0, 3])
      })
    )

    it.effect("an outcome counts once, also from the host that holds the claim", () =>
      Effect.gen(function* () {
        const { one } = yield* two(1)
        const first = yield* claimed(one)
        assert.isTrue(yield* record(first, TAKEN))
        assert.isFalse(yield* record(first, EXHAUSTED))
        assert.deepStrictEqual(yield* statesOf(one), ["delivered"])
      })
    )

    it.effect("who lost a claim neither gives the new holder's back, nor gets a further event", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const { one } = yield* two(2)
        const lost = yield* claimed(one, 0)
        const held = yield* claimed(one)
        yield* within(store.release(lost))
        assert.isTrue(Option.isNone(yield* claim(one)))
        assert.isTrue(Option.isNone(yield* next(lost)))
        assert.isTrue(Option.isNone(yield* claim(one)))
        assert.isTrue(yield* record(held, TAKEN))
        assert.isTrue(Option.isSome(yield* next(held)))
        yield* within(store.release(held))
        assert.isTrue(Option.isSome(yield* claim(one)))
      })
    )

    it.effect("a claim takes as many endpoints as its host asks for", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        yield* two(1)
        const taken = yield* within(store.claim({ claimId: freshId(), leaseMillis: MINUTE, limit: 1 }))
        assert.lengthOf(taken, 1)
        for (const each of taken) yield* within(store.release(each))
      })
    )

    it.effect("an endpoint fails since its first failure, and rests on where only its kinds change", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const { one } = yield* two(2)
        const first = yield* claimed(one)
        yield* record(first, FAILED)
        const { failingSinceMillis } = yield* standing(one)
        const second = Option.getOrThrow(yield* next(first))
        yield* record(second, { ...FAILED, retryInMillis: 0, restMillis: HOUR })
        yield* within(store.release(second))
        const after = yield* standing(one)
        assert.deepStrictEqual([after.failures, after.failingSinceMillis], [2, failingSinceMillis])
        yield* within(store.update({ ...one, kinds: ["reply"] }))
        assert.isTrue(Option.isNone(yield* claim(one)))
        for (const state of ["disabled", "enabled"] as const) yield* within(store.update({ ...one, state }))
        assert.isTrue(Option.isSome(yield* claim(one)))
      })
    )
  })
}
