import { Context, type Effect, type Option } from "effect"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"
import type { ApprovalState } from "./ApprovalMachine.js"
import type { ApprovalSnapshot } from "./Snapshot.js"

/** A request for a human's decision, bound to exactly what was shown. */
export interface Approval {
  readonly approvalId: string
  readonly workspaceId: string
  readonly keyId: string
  readonly verb: string
  readonly state: ApprovalState
  /** What it is about: `campaign:<id>`, `reply:<id>` or `purchase`. A newer one for the same target supersedes it. */
  readonly target: string
  /** The canonical request without its token, hashed: the confirmed call must be the same. */
  readonly baseFingerprint: string
  /** What else it is bound to, such as the version of a campaign's recipients and content. */
  readonly binding: string
  readonly tokenHash: string
  /** What the human sees; never changed after it was stored. */
  readonly snapshot: ApprovalSnapshot
  /** SHA-256 of the canonical snapshot; Approve posts it back. */
  readonly snapshotDigest: string
  readonly requestId: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
  readonly decidedAtMillis: number | null
  readonly decidedByUserId: string | null
  /** How the deciding session began (`link`, `passkey`). */
  readonly decidedBySession: string | null
  /** The Idempotency-Key under which it was used. */
  readonly usedByIdempotencyKey: string | null
}

/** The campaign that an approval's target names. */
export const campaignOf = (target: string): string | null =>
  target.startsWith("campaign:") ? target.slice("campaign:".length) : null

export interface ApprovalSummary {
  readonly approval: Approval
  readonly keyName: string
  readonly decidedByEmail: string | null
}

export class ApprovalStore extends Context.Tag("@outbound/domain/calls/approvals/ApprovalStore")<
  ApprovalStore,
  {
    readonly insert: (approval: Approval) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locked, by the SHA-256 of its token. */
    readonly lockByToken: (
      workspaceId: string,
      tokenHash: string
    ) => Effect.Effect<Option.Option<Approval>, StoreUnavailable, Tx>
    readonly lock: (
      workspaceId: string,
      approvalId: string
    ) => Effect.Effect<Option.Option<Approval>, StoreUnavailable, Tx>
    readonly update: (approval: Approval) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Locks every open approval of a workspace, or those that one key asked for, by id. */
    readonly lockOpen: (
      workspaceId: string,
      keyId: string | null
    ) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable, Tx>
    /**
     * Locks the target, so that one at a time asks about it, and every open (`pending`, `approved`) approval of it,
     * oldest first.
     */
    readonly lockOpenOfTarget: (
      workspaceId: string,
      target: string
    ) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable, Tx>
    /** Locks up to `limit` open approvals whose time is over, skipping those another host holds. */
    readonly lockExpired: (
      nowMillis: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Approval>, StoreUnavailable, Tx>
    readonly find: (
      workspaceId: string,
      approvalId: string
    ) => Effect.Effect<Option.Option<ApprovalSummary>, StoreUnavailable>
    /** Newest first: the pending ones, or the decided ones. At most `limit`. */
    readonly list: (
      workspaceId: string,
      which: "pending" | "closed",
      limit: number
    ) => Effect.Effect<ReadonlyArray<ApprovalSummary>, StoreUnavailable>
  }
>() {}
