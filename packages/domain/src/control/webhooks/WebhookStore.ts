import { Context, type Option } from "effect"
import type { WebhookFailureReason } from "./failures.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { TrailEvent, TrailKind } from "../../kernel/trail/TrailEvent.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import type { DeliveryState } from "./DeliveryMachine.js"
import type { EndpointState } from "./EndpointMachine.js"

/** A URL that receives a workspace's trail events. */
export interface Endpoint {
  readonly workspaceId: string
  readonly endpointId: string
  readonly url: string
  /** Empty: every kind. */
  readonly kinds: ReadonlyArray<TrailKind>
  readonly state: EndpointState
  /** `whsec_…`, sealed for `webhook_secret` and bound to this endpoint. */
  readonly sealedSecret: string
  /** The secret before the last rotation; it also signs until `untilMillis`. */
  readonly previous: { readonly sealedSecret: string; readonly untilMillis: number } | null
  readonly createdAtMillis: number
}

/** How an endpoint fares. */
export interface EndpointHealth {
  /** Consecutive failed attempts. */
  readonly failures: number
  /** Null: the last attempt succeeded. */
  readonly failingSinceMillis: number | null
  readonly deliveredAtMillis: number | null
}

export interface EndpointStanding extends EndpointHealth {
  readonly endpoint: Endpoint
  /** Waiting events, counted up to `WAITING_COUNTED_MAX`. */
  readonly waiting: number
  /** Exhausted events, counted up to the same limit. */
  readonly failed: number
}

/** After at least this many consecutive failures, the first success makes all waiting events due at once. */
export const OUTAGE_FAILURES = 3

export const WAITING_COUNTED_MAX = 1_000

/** One event for one endpoint, as the log shows it. */
export interface Delivery {
  readonly eventId: string
  readonly kind: TrailKind
  readonly observedAtMillis: number
  readonly state: DeliveryState
  /** Since it was first sent or last resent. */
  readonly attempts: number
  readonly createdAtMillis: number
  readonly attemptedAtMillis: number | null
  /** Null: no further attempt. */
  readonly nextAttemptAtMillis: number | null
  /** Of the last attempt; null: no answer, or no attempt yet. */
  readonly status: number | null
  readonly failure: WebhookFailureReason | null
  readonly tookMillis: number | null
}

/** An event to send now, with the claim of its endpoint. */
export interface ClaimedDelivery {
  readonly claimId: string
  readonly endpoint: Endpoint
  readonly workspaceKind: WorkspaceKind
  readonly event: TrailEvent
  /** Earlier attempts. */
  readonly attempts: number
  /** The endpoint's consecutive failures. */
  readonly failures: number
}

/** The result of an attempt. */
export interface DeliveryAttempt {
  readonly state: DeliveryState
  readonly status: number | null
  readonly failure: WebhookFailureReason | null
  readonly tookMillis: number
  /** For `pending`: time until the next attempt. */
  readonly retryInMillis: number
  /** How long the endpoint gets no messages at all. */
  readonly restMillis: number
}

export interface LogFilter {
  readonly workspaceId: string
  readonly endpointId: string
  /** Null: every state. */
  readonly state: DeliveryState | null
  readonly limit: number
  /** The last event of the previous page; null for the first page. */
  readonly before: string | null
}

/**
 * Endpoints and their deliveries. `TrailStore.append` writes a delivery for every enabled endpoint that wants the
 * event, in the same transaction. Due times and claims use the store's clock, so hosts' clocks need not agree.
 */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    readonly insert: (endpoint: Endpoint) => InTx<void>
    /** Locked. None: removed. */
    readonly lock: (workspaceId: string, endpointId: string) => InTx<Option.Option<Endpoint>>
    /** Writes kinds, state and secrets. Enabling an endpoint ends its rest. */
    readonly update: (endpoint: Endpoint) => InTx<void>
    /** Excludes removed ones. Oldest first. */
    readonly list: (workspaceId: string) => FromStore<ReadonlyArray<EndpointStanding>>
    readonly find: (workspaceId: string, endpointId: string) => FromStore<Option.Option<EndpointStanding>>

    /** Newest first. */
    readonly log: (filter: LogFilter) => FromStore<ReadonlyArray<Delivery>>
    /** Makes a delivery due now with a fresh schedule. False: no such delivery. */
    readonly sendAgain: (workspaceId: string, endpointId: string, eventId: string) => InTx<boolean>
    /** The same for up to `limit` exhausted ones, oldest first. Returns how many. */
    readonly sendFailedAgain: (workspaceId: string, endpointId: string, limit: number) => InTx<number>

    /**
     * Claims up to `limit` enabled, unclaimed endpoints that don't rest and have a due event. Returns the oldest due
     * event of each. A claim lasts `leaseMillis`.
     */
    readonly claim: (options: {
      readonly claimId: string
      readonly leaseMillis: number
      readonly limit: number
    }) => InTx<ReadonlyArray<ClaimedDelivery>>
    /** Records an attempt. False, without changes: the claim was lost, and the new holder resends the event. */
    readonly record: (claimed: ClaimedDelivery, attempt: DeliveryAttempt) => InTx<boolean>
    /** The next due event of a claimed endpoint; renews the claim. None: releases it. */
    readonly next: (claimed: ClaimedDelivery, leaseMillis: number) => InTx<Option.Option<ClaimedDelivery>>
    readonly release: (claimed: ClaimedDelivery) => InTx<void>

    /** Deletes up to `limit` deliveries created before then. Returns how many. */
    readonly purge: (beforeMillis: number, limit: number) => InTx<number>
  }
>()("@outbound/domain/control/webhooks/WebhookStore") {}
