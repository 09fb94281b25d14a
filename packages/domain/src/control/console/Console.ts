import { DAY_MILLIS, MINUTE_MILLIS } from "../../kernel/durations.js"
import { Clock, Context, Effect, Layer, Option, Result } from "effect"
import { countVote, type ListedVote, type Wanted, wantedNow } from "../../calls/approvals/approvers.js"
import { type Approval, ApprovalStore, type ApprovalSummary, campaignOf } from "../../calls/approvals/ApprovalStore.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { type FromStore, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type Session, type SignedIn, type SignInLink, UserStore } from "../users/UserStore.js"
import { askerOf } from "../../calls/approvals/Approvals.js"
import { ApprovalMachine } from "../../calls/approvals/ApprovalMachine.js"
import { offersWinnerRule } from "../../calls/approvals/Snapshot.js"
import { orFail } from "../../kernel/orFail.js"
import { allows, step } from "../../kernel/machine.js"
import { usableEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { ReplyStore } from "../../outreach/replies/ReplyStore.js"
import { makeLogBy } from "../access.js"
import { makeAttentionGate } from "../attention/Attention.js"
import { makeCancelApprovals } from "../Kills.js"

/** Begins sessions for every way of signing in. Each has its own secret; only the digest is stored. */
export const makeSessions = Effect.gen(function* () {
  const users = yield* UserStore
  const crypto = yield* Crypto

  /**
   * Returns the new session's secret. `workspaceId` null: the user's first workspace. None: the user has no workspace,
   * or has left this one.
   */
  const begin = (
    given: Pick<Session, "userId" | "beganBy"> & { readonly workspaceId: string | null },
    nowMillis: number
  ) =>
    Effect.gen(function* () {
      const home = (yield* users.memberships(given.userId)).find(
        ({ workspaceId }) => given.workspaceId === null || given.workspaceId === workspaceId
      )
      if (home === undefined) return Option.none<string>()
      const secret = crypto.randomToken()
      yield* users.insertSession({
        sessionHash: crypto.sha256Hex(secret),
        userId: given.userId,
        workspaceId: home.workspaceId,
        beganBy: given.beganBy,
        createdAtMillis: nowMillis,
        expiresAtMillis: nowMillis + SESSION_DAYS * DAY_MILLIS
      })
      return Option.some(secret)
    })

  const find = (secret: string, nowMillis: number) => users.findSession(crypto.sha256Hex(secret), nowMillis)

  return { begin, find }
})

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
 * - `same_person`: this person has approved already; `excluded`: they made the key that asks;
 * - `unattended`: the workspace asks people to look at messages first, and this person has not looked at all of them;
 * - `withdrawn`: an approval that no call had used was taken back.
 */
export type DecisionResult =
  | "approved"
  | "counted"
  | "declined"
  | "withdrawn"
  | "closed"
  | "digest_mismatch"
  | "same_person"
  | "unattended"
  | "excluded"

/** Longest reason of who declines, in characters. */
export const DECLINE_REASON_CHARS_MAX = 500

/** What else a person decides. */
export interface Also {
  /** They approve the rule that the request offers. */
  readonly winnerRule?: boolean
  /** Why they decline, 1 to `DECLINE_REASON_CHARS_MAX` characters; null: they don't say. */
  readonly reason?: string | null
}

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
export class Console extends Context.Service<
  Console,
  {
    /**
     * Creates a sign-in link for a member and returns its secret. `workspaceId`: the workspace that it opens, without it
     * their first. `not_found`: the address is unknown, or no member's of this workspace.
     */
    readonly makeSignInLink: (email: string, workspaceId?: string) => FromStore<string, AnyWireError>
    /**
     * The same for a link that a start prints, so for everybody who reads the output. Only for a sandbox workspace
     * (otherwise `not_found`): the session stays in it, and can't change how the person signs in elsewhere.
     */
    readonly makeStartLink: (email: string, workspaceId: string) => FromStore<string, AnyWireError>
    /** Whether the link is still valid. Does not use it up. */
    readonly isLinkOpen: (linkSecret: string) => FromStore<boolean>
    /** Uses up the link and begins a session in the workspace it is for. None: unknown, used or expired. */
    readonly signIn: (linkSecret: string) => FromStore<Option.Option<BegunSession>>
    readonly session: (sessionSecret: string) => FromStore<Option.Option<SignedIn>>
    readonly signOut: (sessionSecret: string) => FromStore<void>
    /**
     * Ends all of the person's sessions, this one too, and their unused sign-in links. Passkeys stay. A session that
     * began with a printed link ends itself alone.
     */
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
      also?: Also
    ) => FromStore<Option.Option<DecisionResult>>
    /** Cancels an approval that no call has used yet. Who may not approve the request may not withdraw it either. */
    readonly withdraw: (by: SignedIn, approvalId: string) => FromStore<Option.Option<DecisionResult>>
  }
>()("@outbound/domain/control/console/Console") {}

/** Page size of the approvals list. */
const LIST_MAX = 100

export const layer = Layer.effect(
  Console,
  Effect.gen(function* () {
    const users = yield* UserStore
    const approvals = yield* ApprovalStore
    const replies = yield* ReplyStore
    const tell = yield* makeTell
    const logBy = yield* makeLogBy
    const crypto = yield* Crypto
    const { atomically } = yield* UnitOfWork
    const sessions = yield* makeSessions
    const cancelApprovals = yield* makeCancelApprovals
    const attention = yield* makeAttentionGate

    const session = (secret: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => sessions.find(secret, nowMillis))

    const decided = (
      approval: Approval,
      by: SignedIn,
      change: Pick<Approval, "approvesWinnerRule" | "declineReason" | "state">,
      nowMillis: number
    ): Approval => ({
      ...approval,
      ...change,
      decidedAtMillis: nowMillis,
      decidedByUserId: by.user.userId,
      decidedBySession: by.session.beganBy
    })

    const standing = (approval: Approval) =>
      Effect.gen(function* () {
        const { approvalId, askedByUserId, keyId, workspaceId } = approval
        const rules = yield* approvals.rules(workspaceId)
        const asker = rules.excludesKeyOwner
          ? yield* askerOf(approvals, { workspaceId, keyId, byUserId: askedByUserId })
          : null
        const votes = yield* approvals.votes(workspaceId, approvalId)
        return { ...wantedNow(approval, rules, asker), votes }
      })

    /** Counts an approval of a locked request. Returns who else approved, and whether all of them approved the rule. */
    const vote = (by: SignedIn, approval: Approval, approvesWinnerRule: boolean, nowMillis: number) =>
      Effect.gen(function* () {
        const { votes, ...wanted } = yield* standing(approval)
        const result = countVote(wanted, votes, by.user)
        if (result === "approved" || result === "counted") {
          const made = { userId: by.user.userId, beganBy: by.session.beganBy, approvesWinnerRule, atMillis: nowMillis }
          yield* approvals.addVote(approval.workspaceId, approval.approvalId, made)
        }
        const others = votes.filter(({ isMember, userId }) => isMember && userId !== wanted.excludedUserId)
        return {
          result,
          others: others.map(({ email }) => email),
          approvesWinnerRule: approvesWinnerRule && others.every((one) => one.approvesWinnerRule)
        }
      })

    /** The rule is on once the request is executed. */
    const logRule = (by: SignedIn, { snapshot }: Approval, others: ReadonlyArray<string>) => {
      const campaign = "campaign_name" in snapshot ? snapshot.campaign_name : null
      const alsoBy = others.length === 0 ? {} : { also_by: others }
      return logBy(by, "set_winner_rule", "loosen", {
        before: { campaign, rule: "off" },
        after: { campaign, rule: "on once the request is executed", ...alsoBy }
      })
    }

    const decide = (by: SignedIn, approvalId: string, decision: "approve" | "decline", digest: string, also?: Also) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { workspaceId } = by.session
        const locked = yield* approvals.lock(workspaceId, approvalId)
        if (Option.isNone(locked)) return Option.none<DecisionResult>()
        const approval = locked.value
        if (approval.snapshotDigest !== digest) return Option.some<DecisionResult>("digest_mismatch")
        const next = step(ApprovalMachine, approval.state, decision)
        if (Result.isFailure(next) || approval.expiresAtMillis <= nowMillis)
          return Option.some<DecisionResult>("closed")
        const result = decision === "approve" ? "approved" : "declined"
        if (next.success === approval.state) return Option.some<DecisionResult>(result)
        if (decision === "approve" && (yield* attention.refuses(approval, by.user.userId))) {
          return Option.some<DecisionResult>("unattended")
        }
        const wantsRule = also?.winnerRule === true && offersWinnerRule(approval.snapshot)
        const voted = decision === "approve" ? yield* vote(by, approval, wantsRule, nowMillis) : null
        if (voted !== null && voted.result !== "approved") return Option.some<DecisionResult>(voted.result)
        const others = voted?.others ?? []
        const approvesWinnerRule = voted?.approvesWinnerRule ?? false
        const declineReason = decision === "decline" ? (also?.reason ?? null) : null
        const change = { state: next.success, approvesWinnerRule, declineReason }
        yield* approvals.update(decided(approval, by, change, nowMillis))
        if (approvesWinnerRule) yield* logRule(by, approval, others)
        yield* tell(nowMillis, {
          workspaceId,
          kind: result,
          source: "console",
          campaignId: campaignOf(approval.target),
          detail: {
            verb: approval.verb,
            approval_id: approvalId,
            by: by.user.email,
            ...(others.length === 0 ? {} : { also_by: others }),
            ...(declineReason === null ? {} : { reason: declineReason }),
            ...(yield* attention.told(approval))
          }
        })
        return Option.some<DecisionResult>(result)
      }).pipe(atomically)

    const withdraw = (by: SignedIn, approvalId: string) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const locked = yield* approvals.lock(by.session.workspaceId, approvalId)
        if (Option.isNone(locked)) return Option.none<DecisionResult>()
        const approval = locked.value
        if (ApprovalMachine.is.cancelled(approval.state)) return Option.some<DecisionResult>("withdrawn")
        const isOpen = allows(ApprovalMachine, approval.state, "use") && approval.expiresAtMillis > nowMillis
        if (!isOpen) return Option.some<DecisionResult>("closed")
        const { excludedUserId } = yield* standing(approval)
        if (by.user.userId === excludedUserId) return Option.some<DecisionResult>("excluded")
        yield* cancelApprovals([approval], { nowMillis, source: "console", by: by.user.email })
        return Option.some<DecisionResult>("withdrawn")
      }).pipe(atomically)

    const handleReply = (by: SignedIn, replyId: string, { isHandled, isRead, ownerUserId, referral }: ReplyChange) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { workspaceId } = by.session
        if (ownerUserId !== undefined && ownerUserId !== null) {
          const members = yield* users.members(workspaceId)
          if (!members.some(({ userId }) => userId === ownerUserId)) return false
        }
        return yield* replies.handle(workspaceId, replyId, {
          ...(isRead === undefined ? {} : { readAtMillis: nowMillis }),
          ...(isHandled === undefined ? {} : { handledAtMillis: isHandled ? nowMillis : null }),
          ...(ownerUserId === undefined ? {} : { ownerUserId }),
          ...(referral === undefined ? {} : { referral })
        })
      }).pipe(atomically)

    const makeLink = (
      email: string,
      { beginsBy, workspaceId }: Pick<SignInLink, "beginsBy" | "workspaceId">
    ): FromStore<string, AnyWireError> =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const user = yield* users
          .findByEmail(usableEmail(email) ?? email)
          .pipe(orFail(refuse("not_found", {}, "No member has this email address.")))
        if (workspaceId !== null) {
          const home = (yield* users.memberships(user.userId)).find((one) => one.workspaceId === workspaceId)
          if (home === undefined || (beginsBy === "start_link" && home.kind !== "sandbox")) {
            return yield* refuse("not_found", {}, "This address is not a member's of such a workspace.")
          }
        }
        const secret = crypto.randomToken()
        yield* atomically(
          users.insertLink({
            linkHash: crypto.sha256Hex(secret),
            userId: user.userId,
            workspaceId,
            beginsBy,
            createdAtMillis: nowMillis,
            expiresAtMillis: nowMillis + SIGN_IN_LINK_MINUTES * MINUTE_MILLIS
          })
        )
        return secret
      })

    return Console.of({
      handleReply,
      makeSignInLink: (email, workspaceId) => makeLink(email, { workspaceId: workspaceId ?? null, beginsBy: "link" }),
      makeStartLink: (email, workspaceId) => makeLink(email, { workspaceId, beginsBy: "start_link" }),
      isLinkOpen: (secret) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          return Option.isSome(yield* users.findLink(crypto.sha256Hex(secret), nowMillis))
        }),
      signIn: (secret) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const began = yield* Effect.gen(function* () {
            const link = yield* users.spendLink(crypto.sha256Hex(secret), nowMillis)
            if (Option.isNone(link)) return Option.none<string>()
            const { beginsBy, userId, workspaceId } = link.value
            return yield* sessions.begin({ userId, beganBy: beginsBy, workspaceId }, nowMillis)
          }).pipe(atomically)
          if (Option.isNone(began)) return Option.none()
          const signedIn = yield* session(began.value)
          return Option.map(signedIn, (who) => ({ secret: began.value, signedIn: who }))
        }),
      session,
      signOut: (secret) => atomically(users.endSession(crypto.sha256Hex(secret))),
      signOutEverywhere: ({ session: { beganBy, sessionHash }, user }) =>
        atomically(beganBy === "start_link" ? users.endSession(sessionHash) : users.endSessions(user.userId)),
      approvals: (workspaceId, which) => approvals.list(workspaceId, which, LIST_MAX),
      approval: (workspaceId, approvalId) => approvals.find(workspaceId, approvalId),
      standing,
      decide,
      withdraw
    })
  })
)
