import { Context } from "effect"
import type { ControlRefused } from "../Control.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { TrailKind } from "../../kernel/trail/TrailEvent.js"
import type { SignedIn } from "../users/UserStore.js"
import type { DeliveryState } from "./DeliveryMachine.js"
import type { Delivery, EndpointStanding } from "./WebhookStore.js"

/** Most endpoints of a workspace, removed ones excluded. */
export const ENDPOINTS_MAX = 10

/** Page size of the log, and most failed deliveries that one call resends. */
export const LOG_PAGE_MAX = 100
export const SEND_FAILED_MAX = 1_000

type Read<A> = FromStore<A>
type Act<A> = FromStore<A, ControlRefused>

/**
 * Webhook settings for signed-in people. Any member reads, disables an endpoint, removes kinds and resends events.
 * Sending more out of the workspace is for owners with a fresh sign-in. Each change writes one row to the control log.
 * Another workspace's endpoints are `not_found`.
 */
export class Webhooks extends Context.Tag("@outbound/domain/control/webhooks/Webhooks")<
  Webhooks,
  {
    /** Oldest first. */
    readonly list: (by: SignedIn) => Read<ReadonlyArray<EndpointStanding>>
    readonly endpoint: (by: SignedIn, endpointId: string) => Act<EndpointStanding>
    /** Newest first, at most `LOG_PAGE_MAX`. `before`: the last event of the previous page. */
    readonly log: (
      by: SignedIn,
      endpointId: string,
      of: { readonly state: DeliveryState | null; readonly before: string | null }
    ) => Act<ReadonlyArray<Delivery>>

    /** Owners, after a fresh sign-in. `secret` is returned only here. No kinds: every kind. */
    readonly add: (
      by: SignedIn,
      endpoint: { readonly url: string; readonly kinds: ReadonlyArray<TrailKind> }
    ) => Act<{ readonly endpointId: string; readonly secret: string }>
    /** Owners, after a fresh sign-in. The old secret also signs for one more day. */
    readonly rotate: (by: SignedIn, endpointId: string) => Act<{ readonly secret: string }>
    /** Removing kinds: any member. Adding kinds: owners, after a fresh sign-in. */
    readonly setKinds: (by: SignedIn, endpointId: string, kinds: ReadonlyArray<TrailKind>) => Act<void>
    /** Any member. */
    readonly disable: (by: SignedIn, endpointId: string) => Act<void>
    /** Owners, after a fresh sign-in. Waiting events are sent at once. */
    readonly enable: (by: SignedIn, endpointId: string) => Act<void>
    /** Owners. Permanent; waiting events are dropped. */
    readonly remove: (by: SignedIn, endpointId: string) => Act<void>
    /** Any member. Resends one event in any state. */
    readonly sendAgain: (by: SignedIn, endpointId: string, eventId: string) => Act<void>
    /** Any member. Resends exhausted events, oldest first, at most `SEND_FAILED_MAX`. Returns how many. */
    readonly sendFailedAgain: (by: SignedIn, endpointId: string) => Act<number>
  }
>() {}
