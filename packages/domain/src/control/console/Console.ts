import { Context, type Effect, type Option } from "effect"
import type { ApprovalSummary } from "../../calls/approvals/ApprovalStore.js"
import type { AnyWireError } from "../../kernel/errors/Wire.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"

/** A fresh session: its secret goes into the cookie, once. */
export interface BegunSession {
  readonly secret: string
  readonly signedIn: SignedIn
}

/** How long a sign-in link can be spent, and how long a session lasts. */
export const SIGN_IN_LINK_MINUTES = 10
export const SESSION_DAYS = 7

/** What a decision came to. `closed`: it was decided, expired, superseded or cancelled before. */
export type DecisionResult = "approved" | "declined" | "closed" | "digest_mismatch"

/** The human side: sign-in, and deciding on approvals. Members see and decide for their own workspace only. */
export class Console extends Context.Tag("@outbound/domain/control/console/Console")<
  Console,
  {
    /** The secret of a new link for this member; `not_found` where nobody has the address. */
    readonly makeSignInLink: (email: string) => Effect.Effect<string, AnyWireError | StoreUnavailable>
    /** Whether the link could still be spent. Spends nothing. */
    readonly isLinkOpen: (linkSecret: string) => Effect.Effect<boolean, StoreUnavailable>
    /** Spends the link and begins a session in the user's first workspace. None: unknown, spent or expired. */
    readonly signIn: (linkSecret: string) => Effect.Effect<Option.Option<BegunSession>, StoreUnavailable>
    readonly session: (sessionSecret: string) => Effect.Effect<Option.Option<SignedIn>, StoreUnavailable>
    readonly signOut: (sessionSecret: string) => Effect.Effect<void, StoreUnavailable>
    readonly approvals: (
      workspaceId: string,
      which: "pending" | "closed"
    ) => Effect.Effect<ReadonlyArray<ApprovalSummary>, StoreUnavailable>
    readonly approval: (
      workspaceId: string,
      approvalId: string
    ) => Effect.Effect<Option.Option<ApprovalSummary>, StoreUnavailable>
    /** `digest`: of the snapshot that was shown; another one decides nothing. */
    readonly decide: (
      by: SignedIn,
      approvalId: string,
      decision: "approve" | "decline",
      digest: string
    ) => Effect.Effect<Option.Option<DecisionResult>, StoreUnavailable>
  }
>() {}
