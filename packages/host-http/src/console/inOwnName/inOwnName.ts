import { Calls, type CallResponse } from "@outbound/domain/calls/Calls.js"
import { Console } from "@outbound/domain/control/console/Console.js"
import { Control } from "@outbound/domain/control/Control.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ApprovalSnapshot } from "@outbound/domain/calls/approvals/Snapshot.js"
import { confirmationToken } from "@outbound/domain/calls/approvals/token.js"
import { KeyMachine } from "@outbound/domain/calls/keys/KeyMachine.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { type VerbName, verbs } from "@outbound/domain/verbs/verbs.js"
import { Clock, Effect, Option, Schema } from "effect"
import type { Given } from "../pages.js"
import type { Inside } from "../Visit.js"

/** What pages need whose people do something in their own name. */
export const IN_OWN_NAME = { calls: Calls, console: Console, control: Control, crypto: Crypto, ids: Ids }

/**
 * What came of a person's own request.
 *
 * - `waits`: the workspace's rules want somebody else to approve it, or want them to look at messages first;
 * - `changed`: it would do something else than the page showed, so it was declined.
 */
export type OwnResult =
  | { readonly _tag: "done" }
  | { readonly _tag: "waits"; readonly approvalId: string }
  | { readonly _tag: "changed" }
  | { readonly _tag: "refused"; readonly message: string }

export interface OwnRequest {
  readonly verb: Extract<VerbName, "reply_to_thread" | "add_leads">
  readonly input: JsonObject
  /** The form's own id: a form that is sent twice asks once. */
  readonly formId: string
  /** Whether the request does exactly what the page showed. */
  readonly isShown: (snapshot: ApprovalSnapshot) => boolean
}

const NO_KEY = "The workspace has no active key. An owner can create one under Keys; answers count in its usage."

const Asked = Schema.fromJsonString(Schema.Struct({ result: Schema.Struct({ approval_url: Schema.String }) }))
const Refused = Schema.fromJsonString(Schema.Struct({ error: Schema.Struct({ message: Schema.String }) }))

const messageOf = ({ body }: CallResponse): string => Schema.decodeUnknownSync(Refused)(body).error.message

const refusedOf = (answer: CallResponse): OwnResult => ({ _tag: "refused", message: messageOf(answer) })

const isSuccess = ({ status }: CallResponse): boolean => status < 400

/** The request that an approval covers. Null: no person asks for such a thing in the console. */
const inputOf = ({ snapshot }: Approval): JsonObject | null => {
  switch (snapshot.kind) {
    case "reply":
      return { reply_id: snapshot.reply_id, body_text: snapshot.body_text }
    case "add_leads":
      return { campaign_id: snapshot.campaign_id, leads: snapshot.recipients.map(({ email }) => ({ email })) }
    case "launch":
    case "purchase":
      return null
  }
}

/**
 * What signed-in people do themselves that a person must approve: it is asked for, approved and done by the same calls
 * and under the same rules as an agent's request (decision 0074). Their press of the button is the approval, bound to
 * what their page showed.
 */
export const makeInOwnName = ({ calls, console, control, crypto, ids }: Given<typeof IN_OWN_NAME>) => {
  const call = (
    as: { readonly workspaceId: string; readonly keyId: string; readonly byUserId: string },
    verb: OwnRequest["verb"],
    input: JsonObject,
    idempotencyKey: string | null
  ) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      calls.answer({
        requestId: ids.next(nowMillis),
        bearer: null,
        asKey: as,
        verb: verbs[verb],
        input,
        reject: null,
        idempotencyKey,
        runId: null
      })
    )

  /** Does what was approved. Once: its key is the approval's. */
  const complete = (approval: Approval): Effect.Effect<OwnResult | null> => {
    const { approvalId, askedByUserId, keyId, verb, workspaceId } = approval
    const input = inputOf(approval)
    if (askedByUserId === null || input === null) return Effect.succeed(null)
    const confirmed = { ...input, confirmation_token: confirmationToken(crypto, approvalId) }
    const as = { workspaceId, keyId, byUserId: askedByUserId }
    return Effect.map(call(as, verb as OwnRequest["verb"], confirmed, `console-${approvalId}`), (answer): OwnResult =>
      isSuccess(answer) ? { _tag: "done" } : refusedOf(answer)
    )
  }

  const keyOf = ({ by, workspaceId }: Inside) =>
    Effect.map(control.listKeys(by), (keys) => {
      const key = keys.find((one) => KeyMachine.is.active(one.key.state))
      return key === undefined ? null : { workspaceId, keyId: key.key.keyId, byUserId: by.user.userId }
    })

  /** What the request would do, by its dry run, or why it would be refused. */
  const foresee = <A, I>(
    visit: Inside,
    verb: OwnRequest["verb"],
    input: JsonObject,
    success: Schema.Codec<A, I>
  ): Effect.Effect<A | string, StoreUnavailable> =>
    Effect.gen(function* () {
      const as = yield* keyOf(visit)
      if (as === null) return NO_KEY
      const answer = yield* call(as, verb, { ...input, dry_run: true }, null)
      return isSuccess(answer)
        ? Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ result: success })))(answer.body).result
        : messageOf(answer)
    })

  const ask = (visit: Inside, request: OwnRequest): Effect.Effect<OwnResult, StoreUnavailable> =>
    Effect.gen(function* () {
      const { by, workspaceId } = visit
      const as = yield* keyOf(visit)
      if (as === null) return { _tag: "refused", message: NO_KEY }
      const asked = yield* call(as, request.verb, request.input, `console-${request.formId}`)
      if (!isSuccess(asked)) return refusedOf(asked)
      const { approval_url } = Schema.decodeUnknownSync(Asked)(asked.body).result
      const approvalId = approval_url.slice(approval_url.lastIndexOf("/") + 1)
      const { approval } = Option.getOrThrow(yield* console.approval(workspaceId, approvalId))
      if (!request.isShown(approval.snapshot)) {
        yield* console.decide(by, approvalId, "decline", approval.snapshotDigest)
        return { _tag: "changed" }
      }
      const decided = Option.getOrThrow(yield* console.decide(by, approvalId, "approve", approval.snapshotDigest))
      if (decided === "counted" || decided === "same_person" || decided === "excluded" || decided === "unattended") {
        return { _tag: "waits", approvalId }
      }
      return (yield* complete(approval)) ?? { _tag: "refused", message: NO_KEY }
    })

  /** Does what a person asked for and the rules let another one approve. Null: an agent asked, and does it itself. */
  const completeApproved = (
    workspaceId: string,
    approvalId: string
  ): Effect.Effect<OwnResult | null, StoreUnavailable> =>
    Effect.flatMap(
      console.approval(workspaceId, approvalId),
      Option.match({ onNone: () => Effect.succeed(null), onSome: ({ approval }) => complete(approval) })
    )

  return { ask, completeApproved, foresee }
}
