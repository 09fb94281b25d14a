import { Context, type Effect, type Option } from "effect"
import type { OperationRef } from "../kernel/ports/DurableEngine.js"
import type { StoreUnavailable, Tx } from "../kernel/ports/UnitOfWork.js"
import type { Actor } from "./ControlLog.js"

/** A stop of all sending. The first one stands until it is cleared; a later one tells what the first did. */
export interface Kill {
  readonly workspaceId: string
  /** Also the id under which the durable engine verifies its pauses. */
  readonly killId: string
  readonly reason: string
  readonly actor: Actor
  readonly suspendedAtMillis: number
  readonly campaignsPaused: number
  readonly approvalsCancelled: number
  /** As it was answered: the campaigns whose pause was not verified then. Null: not answered yet. */
  readonly unconfirmed: ReadonlyArray<string> | null
  readonly clearedAtMillis: number | null
}

/** A campaign whose pause is to be verified. */
export interface UnverifiedPause {
  readonly campaignId: string
  /** Whether the sending provider's mailboxes have a part in it: then only it can say what it still holds. */
  readonly atProvider: boolean
}

/** What a kill would reach now. */
export interface KillPreview {
  /** By name, at most as many as asked for. */
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
  readonly campaignsTotal: number
  readonly activeMailboxes: number
  readonly openApprovals: number
}

export class KillStore extends Context.Tag("@outbound/domain/control/KillStore")<
  KillStore,
  {
    /** With the campaigns it paused, none of them verified. */
    readonly insert: (kill: Kill, campaignIds: ReadonlyArray<string>) => Effect.Effect<void, StoreUnavailable, Tx>
    /** The one that stands. */
    readonly standing: (workspaceId: string) => Effect.Effect<Option.Option<Kill>, StoreUnavailable>
    readonly get: (workspaceId: string, killId: string) => Effect.Effect<Option.Option<Kill>, StoreUnavailable>
    /** Keeps what was answered, unless something was before; the kill as it then is. */
    readonly answer: (
      workspaceId: string,
      killId: string,
      unconfirmed: ReadonlyArray<string>
    ) => Effect.Effect<Kill, StoreUnavailable, Tx>
    readonly clear: (workspaceId: string, killId: string, atMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** The campaigns whose pause is not verified yet, by id. */
    readonly unverified: (
      workspaceId: string,
      killId: string
    ) => Effect.Effect<ReadonlyArray<UnverifiedPause>, StoreUnavailable>
    /** False: it was verified before. */
    readonly verify: (
      workspaceId: string,
      killId: string,
      campaignId: string,
      atMillis: number
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /**
     * The campaigns of which something may be leaving right now: a message that is claimed and has not ended, an answer
     * that passed its last check and has not either.
     */
    readonly inFlight: (workspaceId: string) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
    readonly reach: (workspaceId: string, limit: number) => Effect.Effect<KillPreview, StoreUnavailable>
    /** Kills with unverified pauses that the engine was not asked for yet, oldest first. The engine's outbox. */
    readonly unstarted: (limit: number) => Effect.Effect<ReadonlyArray<OperationRef>, StoreUnavailable>
    readonly markStarted: (kill: OperationRef, atMillis: number) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
