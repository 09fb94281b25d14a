import { Context, type Effect, type Option } from "effect"
import type { WebhookFailureReason } from "./WebhookSender.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { TrailEvent, TrailKind } from "../../kernel/trail/TrailEvent.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { DeliveryState } from "./DeliveryMachine.js"
import type { EndpointState } from "./EndpointMachine.js"

/** Where a workspace wants events of its trail told. */
export interface Endpoint {
  readonly workspaceId: string
  readonly endpointId: string
  readonly url: string
  /** Empty: every kind. */
  readonly kinds: ReadonlyArray<TrailKind>
  readonly state: EndpointState
  /** `whsec_…`, sealed for `webhook_secret` and bound to this endpoint. */
  readonly sealedSecret: string
  /** The secret before the last rotation: it signs as well, until then. */
  readonly previous: { readonly sealedSecret: string; readonly untilMillis: number } | null
  readonly createdAtMillis: number
}

/** How an endpoint fares. */
export interface EndpointHealth {
  /** Failed attempts in a row. */
  readonly failures: number
  /** Since when nothing was taken; null while it takes what it gets. */
  readonly failingSinceMillis: number | null
  readonly deliveredAtMillis: number | null
}

export interface EndpointStanding extends EndpointHealth {
  readonly endpoint: Endpoint
  /** How many events wait, counted up to `WAITING_COUNTED_MAX`. */
  readonly waiting: number
  /** How many events no attempt of the schedule brought through, counted likewise. */
  readonly failed: number
}

export const WAITING_COUNTED_MAX = 1_000

/** One event on its way to one endpoint, as the log shows it. */
export interface Delivery {
  readonly eventId: string
  readonly kind: TrailKind
  readonly observedAtMillis: number
  readonly state: DeliveryState
  /** Since it was first, or again, to be sent. */
  readonly attempts: number
  readonly createdAtMillis: number
  readonly attemptedAtMillis: number | null
  /** When it is sent again; null where it is not. */
  readonly nextAttemptAtMillis: number | null
  /** Of the last attempt; null where nothing was answered, or none was made. */
  readonly status: number | null
  readonly failure: WebhookFailureReason | null
  readonly tookMillis: number | null
}

/** An event that is to be sent now, by whoever holds the claim of its endpoint. */
export interface ClaimedDelivery {
  readonly claimId: string
  readonly endpoint: Endpoint
  readonly workspaceKind: WorkspaceKind
  readonly event: TrailEvent
  /** Made before. */
  readonly attempts: number
  /** Of the endpoint, in a row. */
  readonly failures: number
}

/** What became of an attempt. */
export interface DeliveryAttempt {
  readonly state: DeliveryState
  readonly status: number | null
  readonly failure: WebhookFailureReason | null
  readonly tookMillis: number
  /** For `pending`: when it is due again. */
  readonly retryInMillis: number
  /** For how long nothing is sent to the endpoint. */
  readonly restMillis: number
}

export interface LogFilter {
  readonly workspaceId: string
  readonly endpointId: string
  /** Null: every state. */
  readonly state: DeliveryState | null
  readonly limit: number
  /** The last event of the page before; null for the first page. */
  readonly before: string | null
}

/**
 * Endpoints, and the events that each is to be told. `TrailStore.append` writes a delivery for every enabled endpoint
 * that wants the event, in the same transaction. Due times and claims are decided by the store's own clock, so that
 * hosts need not agree on theirs.
 */
export class WebhookStore extends Context.Tag("@outbound/domain/control/webhooks/WebhookStore")<
  WebhookStore,
  {
    readonly insert: (endpoint: Endpoint) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locked; none that was removed. */
    readonly lock: (
      workspaceId: string,
      endpointId: string
    ) => Effect.Effect<Option.Option<Endpoint>, StoreUnavailable, Tx>
    /** Writes kinds, state and secrets. One that is enabled by it is tried at once, whatever rest it had. */
    readonly update: (endpoint: Endpoint) => Effect.Effect<void, StoreUnavailable, Tx>
    /** All but the removed, oldest first. */
    readonly list: (workspaceId: string) => Effect.Effect<ReadonlyArray<EndpointStanding>, StoreUnavailable>
    readonly find: (
      workspaceId: string,
      endpointId: string
    ) => Effect.Effect<Option.Option<EndpointStanding>, StoreUnavailable>

    /** Newest first. */
    readonly log: (filter: LogFilter) => Effect.Effect<ReadonlyArray<Delivery>, StoreUnavailable>
    /** Makes one delivery due now, with its schedule before it. False: there is no such one. */
    readonly sendAgain: (
      workspaceId: string,
      endpointId: string,
      eventId: string
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** The same for up to `limit` failed ones, oldest first. How many there were. */
    readonly sendFailedAgain: (
      workspaceId: string,
      endpointId: string,
      limit: number
    ) => Effect.Effect<number, StoreUnavailable, Tx>

    /**
     * Claims up to `limit` enabled endpoints that nobody holds, do not rest and have something due, each with its
     * oldest event that is due. The claim is over `leaseMillis` from now, and then anybody's.
     */
    readonly claim: (options: {
      readonly claimId: string
      readonly leaseMillis: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<ClaimedDelivery>, StoreUnavailable, Tx>
    /**
     * Writes down what became of an attempt. False, and nothing changed, where the claim is somebody else's by now: the
     * event is sent again.
     */
    readonly record: (
      claimed: ClaimedDelivery,
      attempt: DeliveryAttempt
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** The next event that is due at a claimed endpoint, with the claim renewed; none, and the claim given up. */
    readonly next: (
      claimed: ClaimedDelivery,
      leaseMillis: number
    ) => Effect.Effect<Option.Option<ClaimedDelivery>, StoreUnavailable, Tx>
    /** Gives a claim up. */
    readonly release: (claimed: ClaimedDelivery) => Effect.Effect<void, StoreUnavailable, Tx>

    /** Forgets up to `limit` deliveries that were made before then. How many there were. */
    readonly purge: (beforeMillis: number, limit: number) => Effect.Effect<number, StoreUnavailable, Tx>
  }
>() {}
