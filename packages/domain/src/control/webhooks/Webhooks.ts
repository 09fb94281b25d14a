import { Context, type Effect } from "effect"
import type { ControlRefused } from "../Control.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { TrailKind } from "../../kernel/trail/TrailEvent.js"
import type { SignedIn } from "../users/UserStore.js"
import type { DeliveryState } from "./DeliveryMachine.js"
import type { Delivery, EndpointStanding } from "./WebhookStore.js"

/** How many endpoints a workspace has at most, those that were removed left out. */
export const ENDPOINTS_MAX = 10

/** How many entries of its log one read returns, and how many failed deliveries one press sends again. */
export const LOG_PAGE_MAX = 100
export const SEND_FAILED_MAX = 1_000

type Read<A> = Effect.Effect<A, StoreUnavailable>
type Act<A> = Effect.Effect<A, ControlRefused | StoreUnavailable>

/**
 * What signed-in humans do about webhooks. Any member reads, switches an endpoint off, takes kinds away and sends
 * something again; what lets more out of the workspace is for owners who signed in just now. Each change is one row in
 * the control log. What belongs to another workspace is `not_found`.
 */
export class Webhooks extends Context.Tag("@outbound/domain/control/webhooks/Webhooks")<
  Webhooks,
  {
    /** Oldest first. */
    readonly list: (by: SignedIn) => Read<ReadonlyArray<EndpointStanding>>
    readonly endpoint: (by: SignedIn, endpointId: string) => Act<EndpointStanding>
    /** Newest first, at most `LOG_PAGE_MAX`; `before`: the last event of the page before. */
    readonly log: (
      by: SignedIn,
      endpointId: string,
      of: { readonly state: DeliveryState | null; readonly before: string | null }
    ) => Act<ReadonlyArray<Delivery>>

    /** Owners, after a fresh sign-in. `secret` is shown once and can't be had again. No kinds: every kind. */
    readonly add: (
      by: SignedIn,
      endpoint: { readonly url: string; readonly kinds: ReadonlyArray<TrailKind> }
    ) => Act<{ readonly endpointId: string; readonly secret: string }>
    /** Owners, after a fresh sign-in. The secret before goes on signing for a day, beside the new one. */
    readonly rotate: (by: SignedIn, endpointId: string) => Act<{ readonly secret: string }>
    /** Fewer kinds: any member. Others: owners, after a fresh sign-in. */
    readonly setKinds: (by: SignedIn, endpointId: string, kinds: ReadonlyArray<TrailKind>) => Act<void>
    /** Any member. */
    readonly disable: (by: SignedIn, endpointId: string) => Act<void>
    /** Owners, after a fresh sign-in. What waited goes on at once. */
    readonly enable: (by: SignedIn, endpointId: string) => Act<void>
    /** Owners. For ever, with what waited. */
    readonly remove: (by: SignedIn, endpointId: string) => Act<void>
    /** Any member. Of one event, whatever became of it before. */
    readonly sendAgain: (by: SignedIn, endpointId: string, eventId: string) => Act<void>
    /** Any member. Of failed ones, oldest first, at most `SEND_FAILED_MAX`. How many there were. */
    readonly sendFailedAgain: (by: SignedIn, endpointId: string) => Act<number>
  }
>() {}
