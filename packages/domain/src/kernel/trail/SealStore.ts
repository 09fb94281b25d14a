import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../ports/UnitOfWork.js"
import type { SealedEvent, SealedTotals, TrailSeal } from "./seals.js"

/** Events wait this long for others, so that one seal covers many. */
export const SEAL_AFTER_MILLIS = 60_000

/** The last seal of a workspace. */
export type TrailHead = Pick<TrailSeal, "workspaceId" | "number" | "hash" | "sealedAtMillis">

export class SealStore extends Context.Service<
  SealStore,
  {
    /**
     * Workspaces with events to seal: at least one is `SEAL_AFTER_MILLIS` old, or that far in the future. Locks their
     * chains until the transaction ends, and skips those that another host has locked. Makes nobody wait who appends.
     */
    readonly lockUnsealed: (nowMillis: number) => InTx<ReadonlyArray<string>>
    /**
     * One more seal for each of these locked workspaces, over its committed events that no seal covers yet, the oldest
     * `SEAL_EVENTS_MAX` of all together. Returns how many events were sealed. An event whose person's row somebody else has locked waits
     * for the next seal.
     */
    readonly seal: (workspaceIds: ReadonlyArray<string>, nowMillis: number) => InTx<number>
    /** The first seal after this number, and its events in order. */
    readonly next: (
      workspaceId: string,
      after: number
    ) => FromStore<Option.Option<{ readonly seal: TrailSeal; readonly events: ReadonlyArray<SealedEvent> }>>
    /** The first seals of a workspace, whose events are in an archive: zero of them if there is none. */
    readonly archived: (workspaceId: string) => FromStore<SealedTotals>
    /** The last seals of all workspaces, the latest first, at most `limit`; and how many workspaces have one. */
    readonly heads: (limit: number) => FromStore<{ readonly heads: ReadonlyArray<TrailHead>; readonly trails: number }>
  }
>()("@outbound/domain/kernel/trail/SealStore") {}
