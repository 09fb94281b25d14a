import { Context, type Effect } from "effect"
import type { StoreUnavailable, Tx } from "../ports/UnitOfWork.js"
import type { TrailEvent, TrailKind } from "./TrailEvent.js"

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

export class TrailStore extends Context.Tag("@outbound/domain/kernel/trail/TrailStore")<
  TrailStore,
  {
    /** Appends events in one round trip. Restarts the 24 months for which their persons' addresses are kept. */
    readonly append: (events: ReadonlyArray<TrailEvent>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Newest first, by `observedAtMillis`, then by id. `email` is null after its retention. */
    readonly page: (filter: TrailFilter) => Effect.Effect<ReadonlyArray<TrailEvent>, StoreUnavailable>
    /** Events up to this time may be in an archive, and on no page; null if there is none. */
    readonly archivedUntil: (workspaceId: string) => Effect.Effect<number | null, StoreUnavailable>
  }
>() {}
