import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Option, Result, type Scope } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { servingAside, turns } from "../../kernel/rounds.js"
import { WorkSignals } from "../../kernel/ports/WorkSignals.js"
import { WebhookFailure, WebhookSender } from "./WebhookSender.js"
import { about, inSpan } from "../../kernel/telemetry.js"
import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { wireEvent } from "../../kernel/trail/wireEvent.js"
import { retryOf } from "./schedule.js"
import { secretsOf } from "./Webhooks.js"
import { type ClaimedDelivery, type DeliveryAttempt, WebhookStore } from "../../control/webhooks/WebhookStore.js"

const plain = (uuid: string): string => uuid.replaceAll("-", "")

/** `webhook-id`: unique per event and endpoint, the same for each attempt. */
const webhookId = (endpointId: string, eventId: string): string => `msg_${plain(eventId)}_${plain(endpointId)}`

/** The message's `type`. */
const webhookType = ({ kind }: Pick<TrailEvent, "kind">): string => `trail.${kind}`

/** The body: the event as the trail verb returns it, plus its type. */
const webhookBody = (event: TrailEvent): string => JSON.stringify({ type: webhookType(event), ...wireEvent(event) })

/** How many endpoints one host sends to at once. */
export const ENDPOINTS_AT_ONCE_MAX = 16

/** Most events that one claim sends in a row, so that a backlog can't starve other endpoints. */
export const BURST_MAX = 50

/** How long a claim lasts without renewal; each event renews it. Several times the longest attempt. */
export const CLAIM_LEASE_MILLIS = 60_000

/** Upper limit for one attempt, in case the sender itself hangs. */
const SEND_MILLIS_MAX = 20_000

/** The least pause between searches when nothing was due. */
const IDLE_MILLIS = 1_000

/** How long deliveries are kept, and how many one round deletes. */
export const DELIVERIES_KEPT_MILLIS = 30 * DAY_MILLIS
export const DELIVERIES_PURGE_MAX = 1_000

/** Deletes old deliveries, a bounded number. Returns how many. */
export const makeDeliveryPurge = Effect.gen(function* () {
  const store = yield* WebhookStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(store.purge(nowMillis - DELIVERIES_KEPT_MILLIS, DELIVERIES_PURGE_MAX))
  )
})

/**
 * Sends webhooks. Each endpoint gets one event at a time, the oldest due first. A failed event waits for its retry
 * while later ones continue. If a host dies, its claim expires and another host resends the event with the same
 * `webhook-id`.
 */
export class Deliveries extends Context.Service<
  Deliveries,
  {
    /** Sends what is due, at most `BURST_MAX` events per claimed endpoint. Returns the number of attempts. */
    readonly round: FromStore<number>
    /** Runs rounds forever. Endpoints never wait for each other. */
    readonly run: Effect.Effect<never, never, Scope.Scope>
  }
>()("@outbound/domain/wings/webhooks/Deliveries") {}

const makeDeliveries = Effect.gen(function* () {
  const store = yield* WebhookStore
  const sender = yield* WebhookSender
  const crypto = yield* Crypto
  const ids = yield* Ids
  const { atomically } = yield* UnitOfWork
  const { rest } = yield* WorkSignals

  const send = ({ endpoint, event, workspaceKind }: ClaimedDelivery, nowMillis: number) => {
    const secrets = secretsOf(crypto, endpoint, nowMillis)
    const none = { status: null, retryAfterMillis: null }
    // The secret was sealed with another server secret. We never send unsigned.
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
        Effect.timeoutOrElse({
          duration: SEND_MILLIS_MAX,
          orElse: () => Effect.fail(new WebhookFailure({ reason: "timeout", ...none }))
        })
      )
  }

  const attemptOf = (
    claimed: ClaimedDelivery,
    sent: Result.Result<number, WebhookFailure>,
    tookMillis: number
  ): DeliveryAttempt => {
    if (Result.isSuccess(sent)) {
      return { state: "delivered", status: sent.success, failure: null, tookMillis, retryInMillis: 0, restMillis: 0 }
    }
    const { reason, retryAfterMillis, status } = sent.failure
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

  /** Makes one attempt and returns the endpoint's next due event. */
  const attempt = (claimed: ClaimedDelivery, isLast: boolean) =>
    Effect.gen(function* () {
      const beganAt = yield* Clock.currentTimeMillis
      const sent = yield* Effect.result(
        inSpan("webhook.deliver", {
          kind: "client",
          attributes: () => ({ "outbound.attempt": claimed.attempts + 1 }),
          ended: (status: number) => ({ "http.response.status_code": status })
        })(send(claimed, beganAt))
      )
      const made = attemptOf(claimed, sent, (yield* Clock.currentTimeMillis) - beganAt)
      return yield* Effect.gen(function* () {
        const isOurs = yield* store.record(claimed, made)
        if (isOurs && !isLast) return yield* store.next(claimed, CLAIM_LEASE_MILLIS)
        return yield* Effect.as(store.release(claimed), Option.none<ClaimedDelivery>())
      }).pipe(atomically)
    }).pipe(about({ event_id: claimed.event.eventId }))

  /** Sends up to `BURST_MAX` events of one endpoint. Returns the number of attempts. */
  const serve = (first: ClaimedDelivery): FromStore<number> =>
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

  const run = Effect.flatMap(
    servingAside({
      most: ENDPOINTS_AT_ONCE_MAX,
      look: (limit) => Effect.map(claim(limit), (claimed) => ({ claimed, ended: 0 })),
      serve,
      trouble: ({ endpoint, event }, cause) =>
        Effect.logWarning("delivering to a webhook endpoint failed", cause).pipe(
          about({ workspace_id: event.workspaceId, endpoint_id: endpoint.endpointId })
        )
    }),
    (round) => turns("webhooks", round, rest("webhooks", IDLE_MILLIS))
  )

  return Deliveries.of({ round, run })
})

export const layer = Layer.effect(Deliveries, makeDeliveries)

/** What every host does for as long as it lives. */
export const makeDelivering = Effect.map(makeDeliveries, ({ run }) => run)
