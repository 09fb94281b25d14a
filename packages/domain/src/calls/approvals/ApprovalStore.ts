import { Context, type Option } from "effect"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"
import type { ApprovalRules, ListedVote, Vote } from "./approvers.js"
import type { ApprovalState } from "./ApprovalMachine.js"
import type { ApprovalSnapshot } from "./Snapshot.js"

/** A request for a person's decision, bound to exactly what they were shown. */
export interface Approval {
  readonly approvalId: string
  readonly workspaceId: string
  readonly keyId: string
  readonly verb: string
  readonly state: ApprovalState
  /** The subject: `campaign:<id>`, `reply:<id>` or `purchase`. A newer approval of the same target supersedes it. */
  readonly target: string
  /** Hash of the canonical request without its token. The confirmed call must have the same. */
  readonly baseFingerprint: string
  /** Further binding, such as the version of a campaign's recipients and content. */
  readonly binding: string
  readonly tokenHash: string
  /** What the person sees. Never changes. */
  readonly snapshot: ApprovalSnapshot
  /** SHA-256 of the canonical snapshot; the Approve form posts it back. */
  readonly snapshotDigest: string
  /** By the rules when it was asked for; later ones may only add. */
  readonly approversNeeded: number
  /** Who may not approve it; null: every member may. */
  readonly excludedUserId: string | null
  /** The signed-in person who asked in their own name; null: an agent did. */
  readonly askedByUserId: string | null
  readonly requestId: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
  readonly decidedAtMillis: number | null
  /** Who declined, or approved last. */
  readonly decidedByUserId: string | null
  /** How the deciding session began (`link`, `passkey`). */
  readonly decidedBySession: string | null
  /** Everybody who approved it approved the rule that it offered, too. */
  readonly approvesWinnerRule: boolean
  /** What who declined it wants the agent to know. Null: nothing was said, or it was not declined. */
  readonly declineReason: string | null
  /** The Idempotency-Key of the call that used it. */
  readonly usedByIdempotencyKey: string | null
}

/** The campaign in an approval's target. */
export const campaignOf = (target: string): string | null =>
  target.startsWith("campaign:") ? target.slice("campaign:".length) : null

export interface ApprovalSummary {
  readonly approval: Approval
  readonly keyName: string
  readonly askedByEmail: string | null
  readonly decidedByEmail: string | null
}

export class ApprovalStore extends Context.Service<
  ApprovalStore,
  {
    readonly insert: (approval: Approval) => InTx<void>
    /** Locks the approval, by the SHA-256 of its token. */
    readonly lockByToken: (workspaceId: string, tokenHash: string) => InTx<Option.Option<Approval>>
    readonly lock: (workspaceId: string, approvalId: string) => InTx<Option.Option<Approval>>
    readonly update: (approval: Approval) => InTx<void>
    /** Locks all open approvals of a workspace or of one key, by id. */
    readonly lockOpen: (workspaceId: string, keyId: string | null) => InTx<ReadonlyArray<Approval>>
    /**
     * Locks the target, so that requests about it run one at a time, and its open (`pending`, `approved`) approvals,
     * oldest first.
     */
    readonly lockOpenOfTarget: (workspaceId: string, target: string) => InTx<ReadonlyArray<Approval>>
    /** Locks up to `limit` open approvals that have expired. Skips rows locked by other hosts. */
    readonly lockExpired: (nowMillis: number, limit: number) => InTx<ReadonlyArray<Approval>>
    readonly find: (workspaceId: string, approvalId: string) => FromStore<Option.Option<ApprovalSummary>>
    /** Who has approved it, first to last. */
    readonly votes: (workspaceId: string, approvalId: string) => FromStore<ReadonlyArray<ListedVote>>
    readonly addVote: (workspaceId: string, approvalId: string, vote: Vote) => InTx<void>
    /** The workspace's rules, or those of one that has set none. */
    readonly rules: (workspaceId: string) => FromStore<ApprovalRules>
    readonly setRules: (workspaceId: string, rules: ApprovalRules) => InTx<void>
    /** Who made the key, by the control log. None: the operator. */
    readonly keyOwner: (workspaceId: string, keyId: string) => FromStore<Option.Option<string>>
    /** The pending or the decided ones, newest first, at most `limit`. */
    readonly list: (
      workspaceId: string,
      which: "pending" | "closed",
      limit: number
    ) => FromStore<ReadonlyArray<ApprovalSummary>>
  }
>()("@outbound/domain/calls/approvals/ApprovalStore") {}
