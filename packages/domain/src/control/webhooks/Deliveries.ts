import { Clock, Context, Duration, Effect, Either, FiberSet, Layer, Option, type Scope } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type StoreUnavailable, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { WebhookFailure, WebhookSender } from "./WebhookSender.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { wireEvent } from "../../kernel/trail/wireEvent.js"
import { retryOf } from "./schedule.js"
import { secretsOf } from "./secret.js"
import { type ClaimedDelivery, type DeliveryAttempt, WebhookStore } from "./WebhookStore.js"

const plain = (uuid: string): string => uuid.replaceAll("-", "")

/** `webhook-id`: one for each event and endpoint, the same however often it is sent. */
const webhookId = (endpointId: string, eventId: string): string => `msg_${plain(eventId)}_${plain(endpointId)}`

/** `type` of a message, as its receiver tells kinds apart. */
const webhookType = ({ kind }: Pick<TrailEvent, "kind">): string => `trail.${kind}`

/** The body of a message: the event as the trail's verb shows it, with its type. */
const webhookBody = (event: TrailEvent): string => JSON.stringify({ type: webhookType(event), ...wireEvent(event) })

/** How many endpoints one host sends to at once. */
export const ENDPOINTS_AT_ONCE_MAX = 16

/** How many events in a row one claim sends, so that no backlog keeps the others from their turn. */
export const BURST_MAX = 50

/** How long an endpoint is this host's, from one event to the next: several times what an attempt may take. */
export const CLAIM_LEASE_MILLIS = 60_000

/** A sender that does not end by itself is left. */
const SEND_MILLIS_MAX = 20_000

/** How soon again endpoints are looked for where nothing was due. */
const IDLE = Duration.seconds(1)
const TROUBLE_PAUSE = Duration.seconds(2)

/** How long deliveries are kept, and how many one round forgets. */
export const DELIVERIES_KEPT_MILLIS = 30 * 24 * 60 * 60_000
export const DELIVERIES_PURGE_MAX = 1_000

/**
 * Tells endpoints what they asked to be told. One event at a time goes to each endpoint, the oldest that is due first;
 * one that fails waits as its schedule says, while later ones go on. A host that dies on the way leaves its claim to
 * run out: another sends the event again, with the same `webhook-id`.
 */
export class Deliveries extends Context.Tag("@outbound/domain/control/webhooks/Deliveries")<
  Deliveries,
  {
    /** Sends what is due, at most `BURST_MAX` events to each endpoint claimed. How many attempts there were. */
    readonly round: Effect.Effect<number, StoreUnavailable>
    /** Rounds without end, in which no endpoint waits for another. */
    readonly run: Effect.Effect<never, never, Scope.Scope>
    /** Forgets old deliveries, a bounded number. How many there were. */
    readonly purge: Effect.Effect<number, StoreUnavailable>
  }
>() {}

export const layer = Layer.effect(
  Deliveries,
  Effect.gen(function* () {
    const store = yield* WebhookStore
    const sender = yield* WebhookSender
    const crypto = yield* Crypto
    const ids = yield* Ids
    const { atomically } = yield* UnitOfWork

    const send = ({ endpoint, event, workspaceKind }: ClaimedDelivery, nowMillis: number) => {
      const secrets = secretsOf(crypto, endpoint, nowMillis)
      const none = { status: null, retryAfterMillis: null }
      // Its secret opens under another server's secret alone: nothing goes out unsigned.
      if (secrets.length === 0) return Effect.fail(new WebhookFailure({ reason: "unreachable", ...none }))
      return sender
        .send({
          url: endpoint.url,
          workspaceKind,
          id: webhookId(endpoint.endpointId, event.eventId),
          sentAtMillis: nowMillis,
          body: webhookBody(event),
          secrets
        })
        .pipe(
          Effect.timeoutFail({
            duration: SEND_MILLIS_MAX,
            onTimeout: () => new WebhookFailure({ reason: "timeout", ...none })
          })
        )
    }

    const attemptOf = (
      claimed: ClaimedDelivery,
      sent: Either.Either<number, WebhookFailure>,
      tookMillis: number
    ): DeliveryAttempt => {
      if (Either.isRight(sent)) {
        return { state: "delivered", status: sent.right, failure: null, tookMillis, retryInMillis: 0, restMillis: 0 }
      }
      const { reason, retryAfterMillis, status } = sent.left
      const { restMillis, retryInMillis } = retryOf(claimed.attempts + 1, claimed.failures + 1, retryAfterMillis)
      return {
        state: retryInMillis === null ? "failed" : "pending",
        status,
        failure: reason,
        tookMillis,
        retryInMillis: retryInMillis ?? 0,
        restMillis
      }
    }

    /** One attempt, and what is due next at that endpoint. */
    const attempt = (claimed: ClaimedDelivery, isLast: boolean) =>
      Effect.gen(function* () {
        const beganAt = yield* Clock.currentTimeMillis
        const sent = yield* Effect.either(
          inSpan("webhook.deliver", {
            kind: "client",
            attributes: () => ({ "outbound.attempt": claimed.attempts + 1 }),
            ended: (status: number) => ({ "http.response.status_code": status })
          })(send(claimed, beganAt))
        )
        const made = attemptOf(claimed, sent, (yield* Clock.currentTimeMillis) - beganAt)
        return yield* atomically(
          Effect.gen(function* () {
            const isOurs = yield* store.record(claimed, made)
            if (isOurs && !isLast) return yield* store.next(claimed, CLAIM_LEASE_MILLIS)
            return yield* Effect.as(store.release(claimed), Option.none<ClaimedDelivery>())
          })
        )
      }).pipe(about({ event_id: claimed.event.eventId }))

    /** As many attempts as the endpoint's turn holds. How many there were. */
    const serve = (first: ClaimedDelivery): Effect.Effect<number, StoreUnavailable> =>
      Effect.gen(function* () {
        let claimed = Option.some(first)
        let made = 0
        while (Option.isSome(claimed) && made < BURST_MAX) {
          made += 1
          claimed = yield* attempt(claimed.value, made === BURST_MAX)
        }
        return made
      }).pipe(about({ workspace_id: first.event.workspaceId, endpoint_id: first.endpoint.endpointId }))

    const claim = (limit: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
        atomically(store.claim({ claimId: ids.next(nowMillis), leaseMillis: CLAIM_LEASE_MILLIS, limit }))
      )

    const round = Effect.gen(function* () {
      const made = yield* Effect.forEach(yield* claim(ENDPOINTS_AT_ONCE_MAX), serve, { concurrency: "unbounded" })
      return made.reduce((sum, one) => sum + one, 0)
    })

    const run = Effect.gen(function* () {
      const fibers = yield* FiberSet.make<void>()
      const serveAside = (claimed: ClaimedDelivery) =>
        FiberSet.run(
          fibers,
          serve(claimed).pipe(
            Effect.catchAllCause((cause) => Effect.logWarning("delivering to a webhook endpoint failed", cause)),
            about({ workspace_id: claimed.event.workspaceId, endpoint_id: claimed.endpoint.endpointId }),
            Effect.asVoid
          )
        )
      const tick = Effect.gen(function* () {
        const free = ENDPOINTS_AT_ONCE_MAX - (yield* FiberSet.size(fibers))
        const claimed = free > 0 ? yield* claim(free) : []
        yield* Effect.forEach(claimed, serveAside, { discard: true })
        yield* claimed.length > 0 ? Effect.yieldNow() : Effect.sleep(IDLE)
      }).pipe(
        Effect.catchAllCause((cause) =>
          Effect.zipRight(Effect.logWarning("webhooks: a round failed", cause), Effect.sleep(TROUBLE_PAUSE))
        )
      )
      return yield* Effect.forever(tick)
    })

    const purge = Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      atomically(store.purge(nowMillis - DELIVERIES_KEPT_MILLIS, DELIVERIES_PURGE_MAX))
    )

    return Deliveries.of({ round, run, purge })
  })
)
