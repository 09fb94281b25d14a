import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import type { ClaimedDelivery, DeliveryAttempt } from "../../../src/control/webhooks/WebhookStore.js"
import { WebhookStore } from "../../../src/control/webhooks/WebhookStore.js"
import { Crypto } from "../../../src/kernel/ports/Crypto.js"
import { Ids } from "../../../src/kernel/ports/Ids.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"
import { WorkSignals } from "../../../src/kernel/ports/WorkSignals.js"
import { wireEvent } from "../../../src/kernel/trail/wireEvent.js"
import {
  BURST_MAX,
  Deliveries,
  DELIVERIES_KEPT_MILLIS,
  DELIVERIES_PURGE_MAX,
  layer,
  makeDeliveryPurge
} from "../../../src/wings/webhooks/Deliveries.js"
import { RETRY_MILLIS, REST_MILLIS } from "../../../src/wings/webhooks/schedule.js"
import { WebhookFailure, type WebhookMessage, WebhookSender } from "../../../src/wings/webhooks/WebhookSender.js"

const NOW = Date.UTC(2027, 0, 4)

const claimed = (given: { readonly attempts?: number; readonly failures?: number } = {}): ClaimedDelivery => ({
  claimId: "claim",
  endpoint: {
    workspaceId: "w",
    endpointId: "e-1",
    url: "https://example.com/events",
    kinds: [],
    state: "enabled",
    sealedSecret: "sealed",
    previous: null,
    createdAtMillis: 0
  },
  workspaceKind: "live",
  event: {
    eventId: "a-b",
    workspaceId: "w",
    kind: "sent",
    source: "api",
    observedAtMillis: NOW,
    campaignId: null,
    campaignLeadId: null,
    replyId: null,
    requestId: null,
    operationId: null,
    email: null,
    detail: {}
  },
  attempts: 0,
  failures: 0,
  ...given
})

const failure = (reason: WebhookFailure["reason"], status: number | null = null) =>
  Effect.fail(new WebhookFailure({ reason, status, retryAfterMillis: null }))

/** One round over an endpoint with a backlog: what was sent, what was recorded, and whether the claim was given back. */
const round = (given: {
  readonly first?: ClaimedDelivery
  readonly send?: Effect.Effect<number, WebhookFailure>
  /** What opening the sealed secret gives. */
  readonly secret?: string | null
  readonly isOurs?: boolean
  readonly waiting?: number
}) =>
  Effect.gen(function* () {
    const {
      first = claimed(),
      isOurs = true,
      secret = "whsec_c2VjcmV0",
      send = Effect.succeed(204),
      waiting = 0
    } = given
    yield* TestClock.setTime(NOW)
    const sent: Array<WebhookMessage> = []
    const recorded: Array<DeliveryAttempt> = []
    let left = waiting
    let released = 0
    const store = {
      claim: () => Effect.succeed([first]),
      record: (_: unknown, attempt: DeliveryAttempt) => Effect.sync(() => recorded.push(attempt) > 0 && isOurs),
      next: () => Effect.sync(() => ((left -= 1) >= 0 ? Option.some(first) : Option.none())),
      release: () => Effect.sync(() => void (released += 1))
    }
    const stubs = Layer.mergeAll(
      Layer.succeed(WebhookStore, store as never),
      Layer.succeed(WebhookSender, {
        send: (message: WebhookMessage) =>
          Effect.suspend(() => {
            sent.push(message)
            return send
          })
      }),
      Layer.succeed(Crypto, { open: () => secret } as never),
      Layer.succeed(Ids, { next: () => "claim" } as never),
      Layer.succeed(UnitOfWork, { atomically: (body: unknown) => body } as never),
      Layer.succeed(WorkSignals, { rest: () => Effect.never } as never)
    )
    const running = Effect.flatMap(Deliveries, (deliveries) => deliveries.round).pipe(
      Effect.provide(Layer.provide(layer, stubs))
    )
    const fiber = yield* Effect.forkChild(running)
    yield* TestClock.adjust(30_000)
    const made = yield* Fiber.join(fiber)
    return { made, sent, recorded, released }
  })

it.effect("an event is sent signed, under an id of its own, and what came of it is recorded", () =>
  Effect.gen(function* () {
    const { made, recorded, sent } = yield* round({ first: claimed({ attempts: 3, failures: 7 }) })
    assert.deepStrictEqual([made, sent.length], [1, 1])
    const [message] = sent
    assert.deepInclude(message, { url: "https://example.com/events", workspaceKind: "live", id: "msg_ab_e1" })
    assert.deepStrictEqual(message?.secrets.map(Redacted.value), ["whsec_c2VjcmV0"])
    assert.deepStrictEqual(JSON.parse(message?.body ?? "{}"), { type: "trail.sent", ...wireEvent(claimed().event) })
    assert.deepStrictEqual(recorded, [
      { state: "delivered", status: 204, failure: null, tookMillis: 0, retryInMillis: 0, restMillis: 0 }
    ])
  })
)

it.effect("where no secret can be opened nothing is sent: never unsigned", () =>
  Effect.gen(function* () {
    const { recorded, sent } = yield* round({ secret: null })
    assert.isEmpty(sent)
    assert.deepInclude(recorded[0], { state: "pending", failure: "unreachable", status: null })
    assert.strictEqual(recorded[0]?.retryInMillis, RETRY_MILLIS[0])
  })
)

it.effect("a failure waits by how often the event was tried, and rests by how often the endpoint failed in a row", () =>
  Effect.gen(function* () {
    const { recorded } = yield* round({
      first: claimed({ attempts: 2, failures: 4 }),
      send: failure("status", 503)
    })
    assert.deepStrictEqual(recorded, [
      {
        state: "pending",
        status: 503,
        failure: "status",
        tookMillis: 0,
        retryInMillis: RETRY_MILLIS[2] ?? 0,
        restMillis: REST_MILLIS[4] ?? 0
      }
    ])
    const last = yield* round({ first: claimed({ attempts: RETRY_MILLIS.length }), send: failure("redirect", 302) })
    assert.deepInclude(last.recorded[0], { state: "failed", failure: "redirect", retryInMillis: 0 })
  })
)

it.effect("a receiver that does not answer is given up after twenty seconds, and that is how long it took", () =>
  Effect.gen(function* () {
    const { recorded } = yield* round({ send: Effect.never })
    assert.deepInclude(recorded[0], { state: "pending", failure: "timeout", status: null, tookMillis: 20_000 })
  })
)

it.effect("one endpoint is sent so many in a row, and is then given back, as is one whose claim was lost", () =>
  Effect.gen(function* () {
    const burst = yield* round({ waiting: 10 * BURST_MAX })
    assert.deepStrictEqual([burst.made, burst.sent.length, burst.released], [BURST_MAX, BURST_MAX, 1])
    const lost = yield* round({ waiting: 5, isOurs: false })
    assert.deepStrictEqual([lost.made, lost.released], [1, 1])
    const few = yield* round({ waiting: 2 })
    assert.deepStrictEqual([few.made, few.released], [3, 0])
  })
)

it.effect("a host rests once nothing is due, and looks at nothing more until it is woken", () =>
  Effect.gen(function* () {
    let looks = 0
    const isOver = yield* Deferred.make<void>()
    const over = Effect.andThen(Deferred.succeed(isOver, undefined), Effect.never)
    const store = { claim: () => Effect.suspend(() => ((looks += 1) > 3 ? over : Effect.succeed([]))) }
    const stubs = Layer.mergeAll(
      Layer.succeed(WebhookStore, store as never),
      Layer.succeed(WebhookSender, {} as never),
      Layer.succeed(Crypto, {} as never),
      Layer.succeed(Ids, { next: () => "claim" } as never),
      Layer.succeed(UnitOfWork, { atomically: (body: unknown) => body } as never),
      Layer.succeed(WorkSignals, { rest: () => over } as never)
    )
    const running = Effect.scoped(Effect.flatMap(Deliveries, ({ run }) => run)).pipe(
      Effect.provide(Layer.provide(layer, stubs))
    )
    const fiber = yield* Effect.forkChild(running)
    yield* Deferred.await(isOver)
    yield* Fiber.interrupt(fiber)
    assert.strictEqual(looks, 1)
  })
)

it.effect("deliveries are deleted once they are a month old, no more at once than said", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const purged: Array<readonly [number, number]> = []
    const store = { purge: (before: number, limit: number) => Effect.sync(() => purged.push([before, limit])) }
    yield* Effect.flatten(makeDeliveryPurge).pipe(
      Effect.provideService(WebhookStore, store as never),
      Effect.provideService(UnitOfWork, { atomically: (body: unknown) => body } as never)
    )
    assert.deepStrictEqual(purged, [[NOW - DELIVERIES_KEPT_MILLIS, DELIVERIES_PURGE_MAX]])
  })
)
