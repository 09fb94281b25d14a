import { Array as Arr, Context, Effect, Schema } from "effect"
import { Ids } from "../ports/Ids.js"
import type { FromStore, InTx } from "../ports/UnitOfWork.js"

export interface TrailFilter {
  readonly workspaceId: string
  readonly campaignId: string | null
  /** Normalised. An unknown address matches nothing. */
  readonly email: string | null
  /** Empty: every kind. */
  readonly kinds: ReadonlyArray<TrailKind>
  readonly sinceMillis: number | null
  readonly untilMillis: number | null
  readonly limit: number
  /** The last event of the page before; null for the first page. */
  readonly after: { readonly observedAtMillis: number; readonly eventId: string } | null
}

export class TrailStore extends Context.Service<
  TrailStore,
  {
    /** Appends events in one round trip. Restarts the 24 months for which their persons' addresses are kept. */
    readonly append: (events: ReadonlyArray<TrailEvent>) => InTx<void>
    /** Newest first, by `observedAtMillis`, then by id. `email` is null after its retention. */
    readonly page: (filter: TrailFilter) => FromStore<ReadonlyArray<TrailEvent>>
    /** Events up to this time may be in an archive, and on no page; null if there is none. */
    readonly archivedUntil: (workspaceId: string) => FromStore<number | null>
  }
>()("@outbound/domain/kernel/trail/TrailEvent/TrailStore") {}

/** Every kind of event (contract: trail, events). */
export const TRAIL_KINDS = [
  "admitted",
  "removed",
  "launch_requested",
  "launched",
  "sent",
  "reply",
  "bounce",
  "unsubscribe",
  "complaint",
  "stop",
  "status_set",
  "suppressed",
  "reply_requested",
  "reply_sent",
  "approval_requested",
  "approved",
  "declined",
  "approval_expired",
  "approval_cancelled",
  "purchase_requested",
  "purchased",
  "mailbox_active",
  "mailbox_paused",
  "pause_requested",
  "paused",
  "resumed",
  "completed",
  "killed",
  "suspension_cleared",
  "erased"
] as const

export const TrailKind = Schema.Literals(TRAIL_KINDS).annotate({ identifier: "TrailKind" })
export type TrailKind = typeof TrailKind.Type

export const TRAIL_SOURCES = ["api", "console", "provider_webhook", "provider_poll", "system"] as const
export type TrailSource = (typeof TRAIL_SOURCES)[number]

/** One contact of a machine with a human for the workspace, written in the transaction of the change it reports. */
export interface TrailEvent {
  readonly eventId: string
  readonly workspaceId: string
  readonly kind: TrailKind
  readonly source: TrailSource
  readonly observedAtMillis: number
  readonly campaignId: string | null
  readonly campaignLeadId: string | null
  readonly replyId: string | null
  readonly requestId: string | null
  readonly operationId: string | null
  /** The person's normalised address. Stored apart from the event, for 24 months after the person was last seen. */
  readonly email: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The fields a caller sets. The rest is empty. */
export type Told = Pick<TrailEvent, "workspaceId" | "kind" | "source"> & Partial<TrailEvent>

/** An event of now. An erased person has no address. */
export const eventOf = (ids: Ids["Service"], atMillis: number, { email, ...event }: Told): TrailEvent => ({
  eventId: ids.next(atMillis),
  observedAtMillis: atMillis,
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: null,
  operationId: null,
  email: email === undefined || email === "" ? null : email,
  detail: {},
  ...event
})

/** The lead that an event is about. */
export const ofLead = (lead: Readonly<Record<"workspaceId" | "campaignId" | "campaignLeadId" | "email", string>>) => {
  const { campaignId, campaignLeadId, email, workspaceId } = lead
  return { workspaceId, campaignId, campaignLeadId, email }
}

/** Appends events of now to the trail, in the caller's transaction. */
export const makeTell = Effect.gen(function* () {
  const trail = yield* TrailStore
  const ids = yield* Ids
  return (atMillis: number, told: Told | ReadonlyArray<Told>) =>
    trail.append(Arr.ensure(told).map((event) => eventOf(ids, atMillis, event)))
})
