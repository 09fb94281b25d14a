import { Clock, Effect, Either, Layer, Option } from "effect"
import { countVote, wantedNow } from "../../calls/approvals/approvers.js"
import { askerOf } from "../../calls/approvals/Approvals.js"
import { ApprovalMachine } from "../../calls/approvals/ApprovalMachine.js"
import { type Approval, ApprovalStore, campaignOf } from "../../calls/approvals/ApprovalStore.js"
import { offersWinnerRule } from "../../calls/approvals/Snapshot.js"
import { refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { step } from "../../kernel/machine.js"
import { normalizeEmail } from "../../kernel/people/EmailAddress.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { type SignedIn, UserStore } from "../users/UserStore.js"
import { ReplyStore } from "../../outreach/replies/ReplyStore.js"
import { Console, type DecisionResult, type ReplyChange, SIGN_IN_LINK_MINUTES } from "./Console.js"
import { makeLogBy } from "../access.js"
import { makeSessions } from "./sessions.js"

const MINUTE_MILLIS = 60_000

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

    const session = (secret: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => sessions.find(secret, nowMillis))

    const decided = (
      approval: Approval,
      by: SignedIn,
      { approvesWinnerRule, state }: Pick<Approval, "approvesWinnerRule" | "state">,
      nowMillis: number
    ): Approval => ({
      ...approval,
      state,
      approvesWinnerRule,
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
        const result = countVote(wanted, votes, by.user.userId)
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

    const decide = (
      by: SignedIn,
      approvalId: string,
      decision: "approve" | "decline",
      digest: string,
      also?: { readonly winnerRule: boolean }
    ) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const { workspaceId } = by.session
        const locked = yield* approvals.lock(workspaceId, approvalId)
        if (Option.isNone(locked)) return Option.none<DecisionResult>()
        const approval = locked.value
        if (approval.snapshotDigest !== digest) return Option.some<DecisionResult>("digest_mismatch")
        const next = step(ApprovalMachine, approval.state, decision)
        if (Either.isLeft(next) || approval.expiresAtMillis <= nowMillis) return Option.some<DecisionResult>("closed")
        const result = decision === "approve" ? "approved" : "declined"
        if (next.right === approval.state) return Option.some<DecisionResult>(result)
        const wantsRule = also?.winnerRule === true && offersWinnerRule(approval.snapshot)
        const voted = decision === "approve" ? yield* vote(by, approval, wantsRule, nowMillis) : null
        if (voted !== null && voted.result !== "approved") return Option.some<DecisionResult>(voted.result)
        const others = voted?.others ?? []
        const approvesWinnerRule = voted?.approvesWinnerRule ?? false
        yield* approvals.update(decided(approval, by, { state: next.right, approvesWinnerRule }, nowMillis))
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
            ...(others.length === 0 ? {} : { also_by: others })
          }
        })
        return Option.some<DecisionResult>(result)
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

    return Console.of({
      handleReply,
      makeSignInLink: (email) =>
        Effect.gen(function* () {
          const nowMillis = yield* Clock.currentTimeMillis
          const user = yield* users
            .findByEmail(normalizeEmail(email) ?? email)
            .pipe(orFail(refuse("not_found", {}, "No member has this email address.")))
          const secret = crypto.randomToken()
          yield* atomically(
            users.insertLink({
              linkHash: crypto.sha256Hex(secret),
              userId: user.userId,
              createdAtMillis: nowMillis,
              expiresAtMillis: nowMillis + SIGN_IN_LINK_MINUTES * MINUTE_MILLIS
            })
          )
          return secret
        }),
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
            return Option.isNone(link)
              ? Option.none<string>()
              : yield* sessions.begin({ userId: link.value.userId, beganBy: "link", workspaceId: null }, nowMillis)
          }).pipe(atomically)
          if (Option.isNone(began)) return Option.none()
          const signedIn = yield* session(began.value)
          return Option.map(signedIn, (who) => ({ secret: began.value, signedIn: who }))
        }),
      session,
      signOut: (secret) => atomically(users.endSession(crypto.sha256Hex(secret))),
      signOutEverywhere: ({ user }) => atomically(users.endSessions(user.userId)),
      approvals: (workspaceId, which) => approvals.list(workspaceId, which, LIST_MAX),
      approval: (workspaceId, approvalId) => approvals.find(workspaceId, approvalId),
      standing,
      decide
    })
  })
)
