import { Context, type Option } from "effect"
import { keyOf } from "../outreach/operations/OperationStore.js"
import type { Job } from "../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
import type { Actor } from "./ControlLog.js"

/** A stop of all sending. It applies until it is cleared; repeating it returns the first result. */
export interface Kill {
  readonly workspaceId: string
  /** Also in the key of the job that verifies the pauses. */
  readonly killId: string
  readonly reason: string
  readonly actor: Actor
  readonly suspendedAtMillis: number
  readonly campaignsPaused: number
  readonly approvalsCancelled: number
  /** The campaigns whose pause was unverified in the answer. Null: not answered yet. */
  readonly unconfirmed: ReadonlyArray<string> | null
  readonly clearedAtMillis: number | null
}

/** A campaign whose pause is to be verified. */
export interface UnverifiedPause {
  readonly campaignId: string
  /** Whether the campaign uses the sending provider's mailboxes. Then only the provider knows what it still holds. */
  readonly atProvider: boolean
}

export type KillRef = Pick<Kill, "workspaceId" | "killId">

export const killJob = ({ killId, workspaceId }: KillRef): Job => ({
  kind: "kill",
  key: keyOf({ workspaceId, operationId: killId })
})

/** What a kill would affect now. */
export interface KillReach {
  /** The first that would be paused, by name, up to the requested limit. */
  readonly campaigns: ReadonlyArray<{ readonly campaignId: string; readonly name: string }>
  readonly campaignsTotal: number
  readonly activeMailboxes: number
  /** Pending and approved ones; a kill cancels them. */
  readonly openApprovals: number
}

export class KillStore extends Context.Service<
  KillStore,
  {
    /**
     * Also stores the campaigns it paused, all unverified. Messages that may have left and say that they were claimed
     * later, since the clock was set back, were claimed by then.
     */
    readonly insert: (kill: Kill, campaignIds: ReadonlyArray<string>) => InTx<void>
    /** The kill in force. */
    readonly standing: (workspaceId: string) => FromStore<Option.Option<Kill>>
    readonly get: (workspaceId: string, killId: string) => FromStore<Option.Option<Kill>>
    /** Stores the answer unless one is stored. Returns the kill with the stored answer. */
    readonly answer: (workspaceId: string, killId: string, unconfirmed: ReadonlyArray<string>) => InTx<Kill>
    readonly clear: (workspaceId: string, killId: string, atMillis: number) => InTx<void>
    /** Campaigns whose pause is not verified yet, by id. */
    readonly unverified: (workspaceId: string, killId: string) => FromStore<ReadonlyArray<UnverifiedPause>>
    /** False: it was already verified. */
    readonly verify: (workspaceId: string, killId: string, campaignId: string, atMillis: number) => InTx<boolean>
    /**
     * Campaigns that may be sending right now: a claimed message is unfinished, or a reply passed its last check and is
     * unfinished.
     */
    readonly inFlight: (workspaceId: string) => FromStore<ReadonlyArray<string>>
    readonly reach: (workspaceId: string, limit: number) => FromStore<KillReach>
    /** Kills with unverified pauses, oldest first. */
    readonly open: (limit: number) => FromStore<ReadonlyArray<KillRef>>
  }
>()("@outbound/domain/control/KillStore") {}
