import { Context } from "effect"
import type { FromStore, InTx } from "../ports/UnitOfWork.js"
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
    readonly append: (events: ReadonlyArray<TrailEvent>) => InTx<void>
    /** Newest first, by `observedAtMillis`, then by id. `email` is null after its retention. */
    readonly page: (filter: TrailFilter) => FromStore<ReadonlyArray<TrailEvent>>
    /** Events up to this time may be in an archive, and on no page; null if there is none. */
    readonly archivedUntil: (workspaceId: string) => FromStore<number | null>
  }
>() {}
