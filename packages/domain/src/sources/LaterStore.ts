import { Context, type Option } from "effect"
import type { Job } from "../kernel/ports/LongWork.js"
import type { FromStore, InTx } from "../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"

export interface FollowUpKey {
  readonly workspaceId: string
  readonly source: string
  /** Keyed hash of the subject. */
  readonly subjectHash: string
}

export interface NewFollowUp extends FollowUpKey {
  readonly followUpId: string
  /** The call it serves, if any. */
  readonly requestId: string | null
  /** The request, sealed. */
  readonly sealed: string
  /** Keyed hashes of the addresses in it. */
  readonly addressHashes: ReadonlyArray<string>
  readonly afterMillis: number
  /** How long it may be pending. */
  readonly keepMillis: number
}

/** An unexpired follow-up. */
export interface StandingFollowUp {
  /** The request while pending, then the answer; sealed. */
  readonly sealed: string
  /** Null: pending. */
  readonly answeredAtMillis: number | null
  /** Whether it ended without a known outcome. */
  readonly isUnknown: boolean
}

/** The most follow-ups of one source to claim at once. */
export interface Lane {
  readonly source: string
  readonly limit: number
}

/** When the first pending follow-up of a source is due: 0 if it is overdue. */
export interface DueSource {
  readonly source: string
  readonly inMillis: number
}

/** The job that asks the follow-ups of a source. */
export const followUpsJob = (source: string): Job => ({ kind: "follow_ups", key: source })

/**
 * A follow-up that one host may ask until its lease ends. After that it is due again and this host's outcome is
 * refused: the id and the try counter fence late hosts.
 */
export interface ClaimedFollowUp extends FollowUpKey {
  readonly followUpId: string
  readonly workspaceKind: WorkspaceKind
  readonly sealed: string
  readonly addressHashes: ReadonlyArray<string>
  /** The number of claims, this one included. */
  readonly tries: number
}

export interface KeptAnswer {
  /** The answer, sealed. */
  readonly sealed: string
  readonly addressHashes: ReadonlyArray<string>
  readonly keepMillis: number
  /** Whether the outcome is unknown. */
  readonly isUnknown: boolean
}

/** Stores follow-ups and their answers. Times are the store's own clock. */
export class LaterStore extends Context.Service<
  LaterStore,
  {
    readonly find: (key: FollowUpKey) => FromStore<Option.Option<StandingFollowUp>>
    /** False: one exists already, and stays. */
    readonly insert: (followUp: NewFollowUp) => InTx<boolean>
    /**
     * Claims what is due of these sources, longest due first, up to the limit of each lane and `limit` in all. Skips
     * rows that another host is claiming.
     */
    readonly claim: (options: {
      readonly leaseMillis: number
      readonly lanes: ReadonlyArray<Lane>
      readonly limit: number
    }) => InTx<ReadonlyArray<ClaimedFollowUp>>
    /** The sources with pending follow-ups. */
    readonly due: (sources: ReadonlyArray<string>) => FromStore<ReadonlyArray<DueSource>>
    /** Reschedules it with this request. False: the claim was lost. */
    readonly again: (
      claimed: ClaimedFollowUp,
      next: {
        readonly sealed: string
        readonly addressHashes: ReadonlyArray<string>
        readonly afterMillis: number
      }
    ) => InTx<boolean>
    /** Stores the answer. False: the claim was lost. */
    readonly answer: (claimed: ClaimedFollowUp, answer: KeptAnswer) => InTx<boolean>
    /**
     * Ends a pending follow-up, claimed or not. The answer's people are added to those of the request; null: no answer.
     * False: none is pending.
     */
    readonly settle: (key: FollowUpKey, answer: KeptAnswer | null) => InTx<boolean>
    /** Replaces a pending follow-up's sealed request and voids its claims. False: `before` is no longer current. */
    readonly revise: (
      key: FollowUpKey,
      before: string,
      next: {
        readonly sealed: string
        readonly addressHashes: ReadonlyArray<string>
        readonly afterMillis: number
      }
    ) => InTx<boolean>
    /** Replaces a sealed answer. False: `before` is no longer current. */
    readonly amend: (key: FollowUpKey, before: string, after: string) => InTx<boolean>
    /** Deletes it. False: the claim was lost. */
    readonly drop: (claimed: ClaimedFollowUp) => InTx<boolean>
    /** Deletes up to `limit` expired rows. Returns the number. */
    readonly purge: (limit: number) => InTx<number>
  }
>()("@outbound/domain/sources/LaterStore") {}
