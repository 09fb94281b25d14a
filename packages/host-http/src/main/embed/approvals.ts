import type { ApprovalState } from "@outbound/domain/calls/approvals/ApprovalMachine.js"
import type { ApprovalSummary } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { Console, type DecisionResult } from "@outbound/domain/control/console/Console.js"
import type { SignedIn } from "@outbound/domain/control/users/UserStore.js"
import { refuse } from "@outbound/domain/kernel/errors/Wire.js"
import { orFail } from "@outbound/domain/kernel/orFail.js"
import { Effect } from "effect"
import { SHARES, type Share } from "@outbound/domain/control/attention/plan.js"
import { maySend } from "../../console/roles.js"
import { makeLooking } from "./looking.js"

/** An approval as a page of yours shows it. */
export interface AskedApproval {
  readonly approvalId: string
  readonly verb: string
  readonly state: ApprovalState
  /** Everything that is asked for: show all of it. It never changes. */
  readonly shown: ApprovalSnapshot
  /** Of `shown`. Give it back with the decision: it decides only what the person saw. */
  readonly digest: string
  /** The name of the key that asks. */
  readonly askedBy: string
  readonly askedAt: Date
  readonly expiresAt: Date
  readonly approversNeeded: number
  readonly decidedBy: string | null
}

/** Who decides what. Your program vouches that `by` is signed in with it, and has seen what `digest` names. */
export interface Decision {
  readonly workspaceId: string
  readonly approvalId: string
  /** The email address of a member of the workspace. */
  readonly by: string
  readonly digest: string
  readonly decision: "approve" | "decline"
  /** For the agent, with `decline`: 1 to 500 characters. */
  readonly reason?: string
}

/** Who does something about which approval. */
type Deciding = Pick<Decision, "approvalId" | "by" | "workspaceId">

const shown = ({ approval, decidedByEmail, keyName }: ApprovalSummary): AskedApproval => ({
  approvalId: approval.approvalId,
  verb: approval.verb,
  state: approval.state,
  shown: approval.snapshot,
  digest: approval.snapshotDigest,
  askedBy: keyName,
  askedAt: new Date(approval.createdAtMillis),
  expiresAt: new Date(approval.expiresAtMillis),
  approversNeeded: approval.approversNeeded,
  decidedBy: decidedByEmail
})

const unknown = refuse("not_found", {}, "Approval not found.")

/** Approvals on pages of the embedding program. Roles, two approvers, digests and the trail are those of the console. */
export const makeApprovals = Effect.gen(function* () {
  const console = yield* Console
  const { begin, looking, say } = yield* makeLooking

  /** The person acts in a session that lasts as long as the act. */
  const signedInAs = <A, E>(workspaceId: string, email: string, act: (by: SignedIn) => Effect.Effect<A, E>) =>
    Effect.acquireUseRelease(
      console
        .makeSignInLink(email, workspaceId)
        .pipe(
          Effect.flatMap(console.signIn),
          orFail(refuse("not_found", {}, "This address is no member of the workspace."))
        ),
      ({ signedIn }) => act(signedIn),
      ({ secret }) => Effect.ignore(console.signOut(secret))
    )

  const mayDecide = (by: SignedIn, approvalId: string, what: "approve" | "decline" | "look/say" | "withdraw") =>
    maySend(by.role, `/console/approvals/${approvalId}/${what}`)
      ? Effect.void
      : Effect.fail(refuse("forbidden", {}, `A ${by.role} decides no approval.`))

  return {
    list: (workspaceId: string, which: "pending" | "closed" = "pending") =>
      Effect.map(console.approvals(workspaceId, which), (found) => found.map(shown)),

    get: (workspaceId: string, approvalId: string) =>
      console.approval(workspaceId, approvalId).pipe(orFail(unknown), Effect.map(shown)),

    decide: ({ approvalId, by, decision, digest, reason, workspaceId }: Decision) =>
      signedInAs(workspaceId, by, (person) =>
        Effect.andThen(
          mayDecide(person, approvalId, decision),
          console
            .decide(person, approvalId, decision, digest, reason === undefined ? {} : { reason })
            .pipe(orFail(unknown))
        )
      ),

    /** What this person has to look at before they approve, or may. Null: the request has no messages to look at. */
    looking: ({ approvalId, by, workspaceId }: Deciding) =>
      signedInAs(workspaceId, by, (person) =>
        console.approval(workspaceId, approvalId).pipe(
          orFail(unknown),
          Effect.flatMap(({ approval }) => looking(approval, person.user.userId))
        )
      ),

    /** Draws what they look at, once. False: it is decided, or they have approved it. `share`: one of `sizes`. */
    beginLooking: ({ approvalId, by, share = SHARES[0], workspaceId }: Deciding & { readonly share?: Share }) =>
      signedInAs(workspaceId, by, (person) =>
        Effect.andThen(mayDecide(person, approvalId, "look/say"), begin(person, approvalId, share))
      ),

    /** Says whether something is wrong with a message that they looked at. False: as above, or there is none at `at`. */
    sayLooked: ({
      approvalId,
      at,
      by,
      isWrong,
      workspaceId
    }: Deciding & { readonly at: number; readonly isWrong: boolean }) =>
      signedInAs(workspaceId, by, (person) =>
        Effect.andThen(mayDecide(person, approvalId, "look/say"), say(person, approvalId, at, isWrong))
      ),

    /** Takes back an approval that no call has used yet. */
    withdraw: ({ approvalId, by, workspaceId }: Deciding) =>
      signedInAs(workspaceId, by, (person) =>
        Effect.andThen(
          mayDecide(person, approvalId, "withdraw"),
          console.withdraw(person, approvalId).pipe(orFail(unknown))
        )
      )
  }
})

export type { DecisionResult }
