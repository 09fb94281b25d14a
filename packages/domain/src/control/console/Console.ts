import { Context, type Option } from "effect"
import type { ListedVote, Wanted } from "../../calls/approvals/approvers.js"
import type { Approval, ApprovalSummary } from "../../calls/approvals/ApprovalStore.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** A new session. Its secret is used once, to set the cookie. */
export interface BegunSession {
  readonly secret: string
  readonly signedIn: SignedIn
}

/** How long a sign-in link is valid, and how long a session lasts. */
export const SIGN_IN_LINK_MINUTES = 10
export const SESSION_DAYS = 7

/**
 * The result of a decision.
 *
 * - `counted`: it was approved by one, and another person has to approve too;
 * - `closed`: the approval was already decided, expired, superseded or cancelled;
 * - `same_person`: this person has approved already; `excluded`: they made the key that asks.
 */
export type DecisionResult =
  | "approved"
  | "counted"
  | "declined"
  | "closed"
  | "digest_mismatch"
  | "same_person"
  | "excluded"

/** Who has approved, and what is still wanted. */
export interface ApprovalStanding extends Wanted {
  readonly votes: ReadonlyArray<ListedVote>
}

export interface ReplyChange {
  readonly isRead?: true
  readonly isHandled?: boolean
  /** Null: nobody takes care of it. */
  readonly ownerUserId?: string | null
  readonly referral?: "approved" | "declined"
}

/** Sign-in, and deciding on approvals. Members see and decide for their own workspace only. */
export class Console extends Context.Tag("@outbound/domain/control/console/Console")<
  Console,
  {
    /** Creates a sign-in link for a member and returns its secret; `not_found` for an unknown address. */
    readonly makeSignInLink: (email: string) => FromStore<string, AnyWireError>
    /** Whether the link is still valid. Does not use it up. */
    readonly isLinkOpen: (linkSecret: string) => FromStore<boolean>
    /** Uses up the link and begins a session in the user's first workspace. None: unknown, used or expired. */
    readonly signIn: (linkSecret: string) => FromStore<Option.Option<BegunSession>>
    readonly session: (sessionSecret: string) => FromStore<Option.Option<SignedIn>>
    readonly signOut: (sessionSecret: string) => FromStore<void>
    /** Ends all of the person's sessions, this one too, and their unused sign-in links. Passkeys stay. */
    readonly signOutEverywhere: (by: SignedIn) => FromStore<void>
    readonly approvals: (workspaceId: string, which: "pending" | "closed") => FromStore<ReadonlyArray<ApprovalSummary>>
    readonly approval: (workspaceId: string, approvalId: string) => FromStore<Option.Option<ApprovalSummary>>
    readonly standing: (approval: Approval) => FromStore<ApprovalStanding>
    /** Says how far they are with a reply. False: there is no such reply, or the owner is no member. */
    readonly handleReply: (by: SignedIn, replyId: string, change: ReplyChange) => FromStore<boolean>
    /**
     * `digest`: of the snapshot the person saw. Another digest decides nothing. `winnerRule`: they approve the rule too
     * that the request offers; it is on once everybody who approves did.
     */
    readonly decide: (
      by: SignedIn,
      approvalId: string,
      decision: "approve" | "decline",
      digest: string,
      also?: { readonly winnerRule: boolean }
    ) => FromStore<Option.Option<DecisionResult>>
  }
>() {}
