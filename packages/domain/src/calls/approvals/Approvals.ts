import { MINUTE_MILLIS } from "../../kernel/durations.js"
import { Context, Effect, Layer, Option, Result, Schema } from "effect"
import { canonicalJson, type JsonObject } from "../../kernel/canonical.js"
import type { CallScope } from "../Handler.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { step } from "../../kernel/machine.js"
import { zero } from "../../kernel/money/Credits.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { type FromStore, type InTx, UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { approvalUrl, Settings } from "../../kernel/Settings.js"
import { makeTell, type TrailKind } from "../../kernel/trail/TrailEvent.js"
import { approversNeeded } from "./approvers.js"
import { ApprovalMachine } from "./ApprovalMachine.js"
import { type Approval, ApprovalStore } from "./ApprovalStore.js"
import { makeExpire } from "./Expiry.js"
import { NoticeStore, type NoticeTopic } from "./notices/NoticeStore.js"
import { ApprovalSnapshot } from "./Snapshot.js"
import { confirmationToken } from "./token.js"

/** A reminder comes when this part of the time is left, and not later than five minutes before the end. */
const REMINDER_PART = 12

const REMINDER_MILLIS_MIN = 5 * MINUTE_MILLIS

/** When approvers are reminded: two hours before a day is over, five minutes before a quarter of an hour is. */
export const remindAtMillis = (nowMillis: number, expiresAtMillis: number): number =>
  expiresAtMillis - Math.max(REMINDER_MILLIS_MIN, Math.floor((expiresAtMillis - nowMillis) / REMINDER_PART))

export const topicOf = ({ kind }: ApprovalSnapshot): NoticeTopic => (kind === "add_leads" ? "launch" : kind)

/** How long an approval is valid: 15 minutes for a quote, otherwise a day. */
export const PURCHASE_APPROVAL_MILLIS = 15 * MINUTE_MILLIS
export const APPROVAL_MILLIS = 24 * 60 * MINUTE_MILLIS

const encodeSnapshot = Schema.encodeSync(ApprovalSnapshot)

/** A call's request for a decision. */
export interface Ask {
  readonly verb: string
  readonly target: string
  readonly binding: string
  readonly snapshot: ApprovalSnapshot
  readonly lifetimeMillis: number
  /** A second trail event beside `approval_requested` that names the action. */
  readonly requested: { readonly kind: TrailKind; readonly campaignId: string | null; readonly replyId: string | null }
}

export interface Asked {
  readonly approvalId: string
  readonly approvalUrl: string
  readonly expiresAtMillis: number
}

/** How a call ends that asks for a decision first. The token is set when the call is settled. */
export const needsDecision = <Preview>({ approvalId, approvalUrl, expiresAtMillis }: Asked, preview: Preview) => ({
  result: {
    status: "needs_confirmation" as const,
    confirmation_token: "",
    approval_url: approvalUrl,
    expires_at: new Date(expiresAtMillis).toISOString(),
    preview
  },
  charge: zero,
  approvalId
})

/** The refusals of a token, before and after those of the subject's state (contract: approvals, order of refusals). */
export interface TokenCheck {
  /** Comes after a suspension and before any check of the subject: another call's token, used, or cancelled. */
  readonly before: AnyWireError | null
  /** Comes after the subject's checks: never issued, undecided, declined, expired, superseded. */
  readonly after: AnyWireError | null
  readonly approval: Approval | null
}

/** Who asks: the person in whose name the call is made, or the one who made its key. Null: the operator. */
export const askerOf = (
  store: Pick<ApprovalStore["Service"], "keyOwner">,
  of: Pick<CallScope, "workspaceId" | "keyId" | "byUserId">
): FromStore<string | null> =>
  of.byUserId === null
    ? Effect.map(store.keyOwner(of.workspaceId, of.keyId), Option.getOrNull)
    : Effect.succeed(of.byUserId)

const NO_TOKEN: TokenCheck = { before: null, after: null, approval: null }

const UNKNOWN_TOKEN: TokenCheck = {
  ...NO_TOKEN,
  after: refuse("not_found", {}, "Confirmation token not found in this workspace.")
}

/** Asks for a person's decision, and checks and spends the resulting token. */
export class Approvals extends Context.Service<
  Approvals,
  {
    /**
     * Stores the request with its snapshot, supersedes an older one of the same target, writes to the trail, and has
     * approvers told.
     */
    readonly ask: (scope: CallScope, ask: Ask) => InTx<Asked>
    /** Checks the call's token and locks its approval. */
    readonly check: (scope: CallScope, verb: string) => InTx<TokenCheck>
    /** The same without keeping a lock. */
    readonly look: (scope: CallScope, verb: string) => FromStore<TokenCheck>
    /** Spends an approved token in the transaction of the action, so a rollback restores the token. */
    readonly use: (scope: CallScope, approval: Approval) => InTx<void, AnyWireError>
  }
>()("@outbound/domain/calls/approvals/Approvals") {}

const make = Effect.gen(function* () {
  const store = yield* ApprovalStore
  const notices = yield* NoticeStore
  const tell = yield* makeTell
  const crypto = yield* Crypto
  const ids = yield* Ids
  const settings = yield* Settings
  const expire = yield* makeExpire
  const { atomically } = yield* UnitOfWork

  const urlOf = (approvalId: string) => approvalUrl(settings, approvalId)

  const beforeOf = (approval: Approval, scope: CallScope, verb: string): AnyWireError | null => {
    const approval_url = urlOf(approval.approvalId)
    const same =
      approval.keyId === scope.keyId && approval.verb === verb && approval.baseFingerprint === scope.baseFingerprint
    if (!same) return refuse("approval_changed", { approval_url })
    // A kill's cancellation is reported first, although its paused campaign would be refused too.
    if (ApprovalMachine.is.cancelled(approval.state)) return refuse("approval_cancelled", { approval_url })
    // A repeat under the Idempotency-Key that used it was replayed before this check.
    return ApprovalMachine.is.used(approval.state) ? refuse("approval_superseded", { approval_url }) : null
  }

  const afterOf = (approval: Approval, nowMillis: number): AnyWireError | null => {
    const approval_url = urlOf(approval.approvalId)
    const overdue =
      approval.expiresAtMillis <= nowMillis && Result.isSuccess(step(ApprovalMachine, approval.state, "expire"))
    switch (overdue ? "expired" : approval.state) {
      case "pending":
        return refuse("confirmation_required", {
          approval_url,
          expires_at: new Date(approval.expiresAtMillis).toISOString()
        })
      case "declined":
        return refuse("approval_declined", {
          approval_url,
          ...(approval.declineReason === null ? {} : { reason: approval.declineReason })
        })
      case "expired":
        return refuse("approval_expired", { approval_url })
      case "superseded":
      case "used":
        return refuse("approval_superseded", { approval_url })
      case "cancelled":
        return refuse("approval_cancelled", { approval_url })
      case "approved":
        return null
    }
  }

  const check = (scope: CallScope, verb: string): InTx<TokenCheck> =>
    scope.tokenHash === null
      ? Effect.succeed(NO_TOKEN)
      : Effect.map(
          store.lockByToken(scope.workspaceId, scope.tokenHash),
          Option.match({
            onNone: () => UNKNOWN_TOKEN,
            onSome: (approval): TokenCheck => ({
              before: beforeOf(approval, scope, verb),
              after: afterOf(approval, scope.nowMillis),
              approval
            })
          })
        )

  const supersede = (approval: Approval) =>
    Result.match(step(ApprovalMachine, approval.state, "supersede"), {
      onFailure: () => Effect.void,
      onSuccess: (state) => store.update({ ...approval, state })
    })

  const ask = (scope: CallScope, asked: Ask) =>
    Effect.gen(function* () {
      const { workspaceId, nowMillis } = scope
      for (const older of yield* store.lockOpenOfTarget(workspaceId, asked.target)) {
        // An expired approval is `expired`, not `superseded`, even if no sweep has marked it yet.
        yield* older.expiresAtMillis <= nowMillis ? expire(older, nowMillis) : supersede(older)
      }
      const rules = yield* store.rules(workspaceId)
      const excludedUserId = rules.excludesKeyOwner ? yield* askerOf(store, scope) : null
      const needed = approversNeeded(rules, asked.snapshot)
      const approvalId = ids.next(nowMillis)
      const expiresAtMillis = nowMillis + asked.lifetimeMillis
      yield* store.insert({
        approvalId,
        workspaceId,
        keyId: scope.keyId,
        verb: asked.verb,
        state: ApprovalMachine.initial,
        target: asked.target,
        baseFingerprint: scope.baseFingerprint,
        binding: asked.binding,
        tokenHash: crypto.sha256Hex(confirmationToken(crypto, approvalId)),
        snapshot: asked.snapshot,
        snapshotDigest: crypto.sha256Hex(canonicalJson(encodeSnapshot(asked.snapshot) as unknown as JsonObject)),
        approversNeeded: needed,
        excludedUserId,
        askedByUserId: scope.byUserId,
        requestId: scope.requestId,
        createdAtMillis: nowMillis,
        expiresAtMillis,
        decidedAtMillis: null,
        decidedByUserId: null,
        decidedBySession: null,
        approvesWinnerRule: false,
        declineReason: null,
        usedByIdempotencyKey: null
      })
      const common = { workspaceId, source: "api" as const, requestId: scope.requestId }
      const { kind, campaignId, replyId } = asked.requested
      yield* tell(nowMillis, [
        { ...common, kind, campaignId, replyId },
        {
          ...common,
          kind: "approval_requested",
          campaignId,
          replyId,
          detail: { verb: asked.verb, approval_id: approvalId, by: scope.byUserId ?? scope.keyId }
        }
      ])
      // Who asks in their own name decides at once, unless the rules want somebody else.
      if (scope.byUserId !== null && scope.byUserId !== excludedUserId && needed === 1) {
        return { approvalId, approvalUrl: urlOf(approvalId), expiresAtMillis }
      }
      yield* notices.announce({
        workspaceId,
        approvalId,
        topic: topicOf(asked.snapshot),
        nowMillis,
        remindAtMillis: remindAtMillis(nowMillis, expiresAtMillis)
      })
      return { approvalId, approvalUrl: urlOf(approvalId), expiresAtMillis }
    })

  return Approvals.of({
    ask,
    check,
    look: (scope, verb) => (scope.tokenHash === null ? Effect.succeed(NO_TOKEN) : atomically(check(scope, verb))),
    use: (scope, approval) => {
      const next = step(ApprovalMachine, approval.state, "use")
      return Result.isFailure(next)
        ? Effect.fail(refuse("approval_superseded", { approval_url: urlOf(approval.approvalId) }))
        : store.update({ ...approval, state: next.success, usedByIdempotencyKey: scope.idempotencyKey })
    }
  })
})

export const layer = Layer.effect(Approvals, make)
