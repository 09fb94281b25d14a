import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type TrailEvent, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import {
  type ClaimedDelivery,
  type DeliveryAttempt,
  type Endpoint,
  WebhookStore
} from "@outbound/domain/control/webhooks/WebhookStore.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Clock, Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, HOUR, MINUTE, NOON, SUITE } from "./fixtures.js"

const TAKEN: DeliveryAttempt = {
  state: "delivered",
  status: 204,
  failure: null,
  tookMillis: 12,
  retryInMillis: 0,
  restMillis: 0
}
const FAILED: DeliveryAttempt = { ...TAKEN, state: "pending", status: 500, failure: "status", retryInMillis: HOUR }
const AT_ONCE = 12

/** What every store of webhooks guarantees, with the trail that writes their deliveries. */
export const webhooksContract = <E>(
  name: string,
  adapter: Layer.Layer<TrailStore | UnitOfWork | WebhookStore | WorkspaceStore, E>
): void => {
  const anEndpoint = (workspaceId: string, given: Partial<Endpoint> = {}): Endpoint => ({
    workspaceId,
    endpointId: freshId(),
    url: "https://example.com/events",
    kinds: [],
    state: "enabled",
    sealedSecret: "sealed",
    previous: null,
    createdAtMillis: NOON,
    ...given
  })

  const given = (endpoint: Partial<Endpoint> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* WebhookStore
      const workspaceId = endpoint.workspaceId ?? (yield* givenWorkspace()).workspaceId
      const made = anEndpoint(workspaceId, endpoint)
      yield* atomically(store.insert(made))
      return made
    })

  const happen = (workspaceId: string, events: ReadonlyArray<Partial<TrailEvent>>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const trail = yield* TrailStore
      const made = events.map((event): TrailEvent => ({
        eventId: freshId(),
        workspaceId,
        kind: "sent",
        source: "api",
        observedAtMillis: NOON,
        campaignId: null,
        campaignLeadId: null,
        replyId: null,
        requestId: null,
        operationId: null,
        email: null,
        detail: {},
        ...event
      }))
      yield* atomically(trail.append(made))
      return made
    })

  const logOf = ({ endpointId, workspaceId }: Endpoint) =>
    Effect.flatMap(WebhookStore, (store) =>
      store.log({ workspaceId, endpointId, state: null, limit: 100, before: null })
    )

  /** Claims until only this workspace's endpoints are seen: other tests share the store. */
  const claim = (of: Endpoint, leaseMillis = MINUTE) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* WebhookStore
      const claimed = yield* atomically(store.claim({ claimId: freshId(), leaseMillis, limit: 1_000 }))
      for (const other of claimed) {
        if (other.endpoint.endpointId !== of.endpointId) yield* atomically(store.release(other))
      }
      return Option.fromNullishOr(claimed.find(({ endpoint }) => endpoint.endpointId === of.endpointId))
    })

  const claimed = (of: Endpoint, leaseMillis?: number) => Effect.map(claim(of, leaseMillis), Option.getOrThrow)

  const record = (of: ClaimedDelivery, attempt: DeliveryAttempt) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* WebhookStore
      return yield* atomically(store.record(of, attempt))
    })

  const recordAndNext = (of: ClaimedDelivery, attempt: DeliveryAttempt) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* WebhookStore
      return yield* atomically(Effect.andThen(store.record(of, attempt), store.next(of, MINUTE)))
    })

  const change = (endpoint: Endpoint) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* WebhookStore
      yield* atomically(store.update(endpoint))
    })

  it.layer(adapter, SUITE)(`webhooks (${name})`, (it) => {
    it.effect("an endpoint comes back as it was written, to its own workspace alone, until it is removed", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const made = yield* given({
          kinds: ["reply", "sent"],
          previous: { sealedSecret: "older", untilMillis: NOON + DAY }
        })
        const found = Option.getOrThrow(yield* store.find(made.workspaceId, made.endpointId))
        assert.deepStrictEqual(found, {
          endpoint: made,
          failures: 0,
          failingSinceMillis: null,
          deliveredAtMillis: null,
          waiting: 0,
          failed: 0
        })
        assert.deepStrictEqual(yield* store.list(made.workspaceId), [found])
        assert.isTrue(Option.isNone(yield* store.find(freshId(), made.endpointId)))
        assert.isEmpty(yield* store.list(freshId()))
        const other: Endpoint = { ...made, kinds: [], sealedSecret: "newer", previous: null, state: "disabled" }
        yield* change(other)
        assert.deepStrictEqual(Option.getOrThrow(yield* store.find(made.workspaceId, made.endpointId)).endpoint, other)
        yield* change({ ...other, state: "removed" })
        assert.isTrue(Option.isNone(yield* store.find(made.workspaceId, made.endpointId)))
        assert.isEmpty(yield* store.list(made.workspaceId))
      })
    )

    it.effect("an event is to be told where its kind is wanted, and nowhere else", () =>
      Effect.gen(function* () {
        const all = yield* given()
        const { workspaceId } = all
        const some = yield* given({ workspaceId, kinds: ["reply"] })
        const off = yield* given({ workspaceId, state: "disabled" })
        const theirs = yield* given()
        const [sent, reply] = yield* happen(workspaceId, [{ kind: "sent" }, { kind: "reply" }])
        const toldTo = (of: Endpoint) => Effect.map(logOf(of), (log) => log.map(({ eventId }) => eventId))
        assert.deepStrictEqual(yield* toldTo(all), [reply!.eventId, sent!.eventId])
        assert.deepStrictEqual(yield* toldTo(some), [reply!.eventId])
        assert.isEmpty(yield* toldTo(off))
        assert.isEmpty(yield* toldTo(theirs))
      })
    )

    it.effect("an event that is taken back is told to nobody", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const endpoint = yield* given()
        yield* Effect.result(atomically(Effect.andThen(happen(endpoint.workspaceId, [{}]), Effect.fail("taken back"))))
        assert.isEmpty(yield* logOf(endpoint))
      })
    )

    it.effect("events are claimed one after the other, the oldest first, as the trail has them", () =>
      Effect.gen(function* () {
        const endpoint = yield* given()
        const [late, early] = yield* happen(endpoint.workspaceId, [
          { observedAtMillis: NOON + 2, email: "ann@example.com", detail: { step: 1 } },
          { observedAtMillis: NOON + 1 }
        ])
        const first = yield* claimed(endpoint)
        assert.deepStrictEqual(first.event, early)
        assert.deepStrictEqual([first.workspaceKind, first.attempts, first.failures], ["sandbox", 0, 0])
        assert.deepStrictEqual(first.endpoint, endpoint)
        assert.isTrue(Option.isNone(yield* claim(endpoint)))
        const second = Option.getOrThrow(yield* recordAndNext(first, TAKEN))
        assert.deepStrictEqual(second.event, late)
        assert.isTrue(Option.isNone(yield* recordAndNext(second, TAKEN)))
        const store = yield* WebhookStore
        const standing = Option.getOrThrow(yield* store.find(endpoint.workspaceId, endpoint.endpointId))
        assert.deepStrictEqual([standing.waiting, standing.failed, standing.failures], [0, 0, 0])
        assert.isNotNull(standing.deliveredAtMillis)
        const [entry] = yield* logOf(endpoint)
        assert.deepInclude(entry, { state: "delivered", attempts: 1, status: 204, failure: null, tookMillis: 12 })
        assert.isNull(entry!.nextAttemptAtMillis)
      })
    )

    it.effect("of many hosts that claim at once one gets an endpoint", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WebhookStore
        const endpoint = yield* given()
        yield* happen(endpoint.workspaceId, [{}, {}])
        const claims = yield* Effect.all(
          Array.from({ length: AT_ONCE }, () =>
            atomically(store.claim({ claimId: freshId(), leaseMillis: MINUTE, limit: 1_000 }))
          ),
          { concurrency: "unbounded" }
        )
        const ours = claims.flat().filter((one) => one.endpoint.endpointId === endpoint.endpointId)
        assert.lengthOf(ours, 1)
        for (const other of claims.flat()) if (other !== ours[0]) yield* atomically(store.release(other))
      })
    )

    it.effect("a claim that ran out is another host's, and what its holder then says changes nothing", () =>
      Effect.gen(function* () {
        const endpoint = yield* given()
        const [event] = yield* happen(endpoint.workspaceId, [{}])
        const dead = yield* claimed(endpoint, 0)
        const alive = yield* claimed(endpoint)
        assert.strictEqual(alive.event.eventId, event!.eventId)
        assert.isFalse(yield* record(dead, TAKEN))
        assert.strictEqual((yield* logOf(endpoint))[0]!.state, "pending")
        assert.isTrue(yield* record(alive, TAKEN))
        assert.strictEqual((yield* logOf(endpoint))[0]!.state, "delivered")
      })
    )

    it.effect("one that failed waits, while later ones go on", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const endpoint = yield* given()
        const [, later] = yield* happen(endpoint.workspaceId, [{}, { observedAtMillis: NOON + 1 }])
        const second = Option.getOrThrow(yield* recordAndNext(yield* claimed(endpoint), FAILED))
        assert.deepStrictEqual([second.event.eventId, second.failures], [later!.eventId, 1])
        assert.isTrue(Option.isNone(yield* recordAndNext(second, TAKEN)))
        assert.isTrue(Option.isNone(yield* claim(endpoint)))
        const [, waiting] = yield* logOf(endpoint)
        assert.deepInclude(waiting, { state: "pending", attempts: 1, status: 500, failure: "status" })
        const now = yield* Clock.currentTimeMillis
        assert.approximately(waiting!.nextAttemptAtMillis! - now, HOUR, MINUTE)
        const standing = Option.getOrThrow(yield* store.find(endpoint.workspaceId, endpoint.endpointId))
        assert.deepStrictEqual([standing.waiting, standing.failures], [1, 0])
      })
    )

    it.effect("an endpoint rests after failures, shows since when, and after an outage all that waited is due", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const endpoint = yield* given()
        const { endpointId, workspaceId } = endpoint
        yield* happen(workspaceId, [{}, { observedAtMillis: NOON + 1 }, { observedAtMillis: NOON + 2 }])
        const first = yield* claimed(endpoint)
        const second = Option.getOrThrow(yield* recordAndNext(first, FAILED))
        const third = Option.getOrThrow(yield* recordAndNext(second, FAILED))
        assert.isTrue(Option.isNone(yield* recordAndNext(third, { ...FAILED, restMillis: HOUR })))
        const failing = Option.getOrThrow(yield* store.find(workspaceId, endpointId))
        assert.deepStrictEqual([failing.failures, failing.waiting], [3, 3])
        assert.isNotNull(failing.failingSinceMillis)
        yield* happen(workspaceId, [{ observedAtMillis: NOON + 3 }])
        assert.isTrue(Option.isNone(yield* claim(endpoint)))
        // A human who switches it off and on has it tried at once.
        yield* change({ ...endpoint, state: "disabled" })
        assert.isTrue(Option.isNone(yield* claim(endpoint)))
        yield* change(endpoint)
        let next = Option.some(yield* claimed(endpoint))
        const order: Array<string> = []
        while (Option.isSome(next)) {
          order.push(next.value.event.eventId)
          next = yield* recordAndNext(next.value, TAKEN)
        }
        assert.lengthOf(order, 4)
        assert.deepStrictEqual(
          order.slice(1),
          [first, second, third].map(({ event }) => event.eventId)
        )
        const well = Option.getOrThrow(yield* store.find(workspaceId, endpointId))
        assert.deepStrictEqual([well.failures, well.failingSinceMillis, well.waiting], [0, null, 0])
      })
    )

    it.effect("an endpoint that is switched off on the way gets no further event, and keeps what waits", () =>
      Effect.gen(function* () {
        const endpoint = yield* given()
        yield* happen(endpoint.workspaceId, [{}, {}])
        const first = yield* claimed(endpoint)
        yield* change({ ...endpoint, state: "disabled" })
        assert.isTrue(Option.isNone(yield* recordAndNext(first, TAKEN)))
        assert.isTrue(Option.isNone(yield* claim(endpoint)))
        yield* happen(endpoint.workspaceId, [{}])
        yield* change(endpoint)
        yield* Effect.flatMap(claimed(endpoint), (second) => recordAndNext(second, TAKEN))
        assert.lengthOf(yield* logOf(endpoint), 2)
      })
    )

    it.effect("what was delivered or failed is sent again when asked for, with its schedule before it", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WebhookStore
        const endpoint = yield* given()
        const { endpointId, workspaceId } = endpoint
        const [event] = yield* happen(workspaceId, [{}])
        const again = (eventId: string, of = workspaceId) => atomically(store.sendAgain(of, endpointId, eventId))
        yield* Effect.flatMap(claimed(endpoint), (first) => recordAndNext(first, TAKEN))
        assert.isFalse(yield* again(freshId()))
        assert.isFalse(yield* again(event!.eventId, freshId()))
        assert.isTrue(yield* again(event!.eventId))
        const second = yield* claimed(endpoint)
        assert.deepStrictEqual([second.event.eventId, second.attempts], [event!.eventId, 0])
        yield* recordAndNext(second, { ...FAILED, state: "failed" })
        assert.isTrue(Option.isNone(yield* claim(endpoint)))
        const standing = Option.getOrThrow(yield* store.find(workspaceId, endpointId))
        assert.deepStrictEqual([standing.waiting, standing.failed], [0, 1])
        assert.strictEqual(yield* atomically(store.sendFailedAgain(workspaceId, endpointId, 10)), 1)
        assert.strictEqual(yield* atomically(store.sendFailedAgain(workspaceId, endpointId, 10)), 0)
        yield* Effect.flatMap(claimed(endpoint), (third) => recordAndNext(third, TAKEN))
      })
    )

    it.effect("the log is read page by page, newest first, and by state", () =>
      Effect.gen(function* () {
        const store = yield* WebhookStore
        const endpoint = yield* given()
        const { endpointId, workspaceId } = endpoint
        const [a, b, c] = yield* happen(workspaceId, [{}, {}, {}])
        const first = yield* claimed(endpoint)
        yield* recordAndNext(first, TAKEN)
        const idsOf = (of: { readonly limit: number; readonly before?: string; readonly state?: "pending" }) =>
          Effect.map(
            store.log({ workspaceId, endpointId, state: of.state ?? null, limit: of.limit, before: of.before ?? null }),
            (log) => log.map(({ eventId }) => eventId)
          )
        assert.deepStrictEqual(yield* idsOf({ limit: 2 }), [c!.eventId, b!.eventId])
        assert.deepStrictEqual(yield* idsOf({ limit: 2, before: b!.eventId }), [a!.eventId])
        assert.lengthOf(yield* idsOf({ limit: 10, state: "pending" }), 2)
      })
    )

    it.effect("what was made long ago is forgotten, no more at once than said", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* WebhookStore
        const endpoint = yield* given()
        yield* happen(endpoint.workspaceId, [{}, {}, {}])
        const now = yield* Clock.currentTimeMillis
        assert.strictEqual(yield* atomically(store.purge(now - HOUR, 100)), 0)
        assert.lengthOf(yield* logOf(endpoint), 3)
        assert.strictEqual(yield* atomically(store.purge(now + HOUR, 2)), 2)
        yield* atomically(store.purge(now + HOUR, 10_000))
        assert.isEmpty(yield* logOf(endpoint))
      })
    )
  })
}
