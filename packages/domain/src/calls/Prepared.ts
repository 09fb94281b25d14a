import { Deferred, Effect, Result } from "effect"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import type { Crypto } from "../kernel/ports/Crypto.js"
import type { ProviderSet } from "../sources/ports/Providers.js"
import { type ClosedGates, releasedTool } from "./releases/Releases.js"
import type { AnyVerb } from "../verbs/Verb.js"
import type { WorkspaceKind } from "../kernel/workspaces/WorkspaceStore.js"
import type { Admission, Attempt, CallMode, Settlement } from "./Attempt.js"
import type { CallResponse, IncomingCall } from "./Calls.js"
import { canonicalRequest, type JsonObject } from "../kernel/canonical.js"
import { decodeCall, type DecodedCall } from "./decode.js"
import { recordKeyOf } from "./recordKey.js"
import { type CallScope, free, type Handler, type Plan } from "./Handler.js"
import type { Handlers } from "./Handlers.js"
import { format, zero } from "../kernel/money/Credits.js"
import type { FromStore } from "../kernel/ports/UnitOfWork.js"
import { successResponse } from "./envelope.js"
import { IN_PROGRESS_WAIT_MILLIS } from "./CallJournal.js"
import { isUuid } from "../kernel/ports/Ids.js"
import type { Work } from "../kernel/telemetry.js"

/** The campaign id in a request, if any. */
export const campaignOf = ({ campaign_id: named }: JsonObject): string | null =>
  typeof named === "string" && isUuid(named) ? named : null

export const workOf = ({ requestId, verb }: IncomingCall): Work =>
  verb === null ? { request_id: requestId } : { request_id: requestId, verb: verb.name }

/** Span attributes of an admission. */
export const admissionNotes = (admission: Admission) => ({
  "outbound.admission": admission._tag,
  "error.type": admission._tag === "Refused" ? admission.error.code : null
})

export const settlementNotes = ({ charge, status }: Settlement) => ({
  "outbound.status": status,
  "outbound.credits_charged": format(charge)
})

export const answerNotes = ({ requestId, status }: CallResponse) => ({
  "outbound.answered_request_id": requestId,
  "http.response.status_code": status
})

/**
 * Runs confirmed calls with the same token one at a time on this host. While one runs, the others reserve nothing and
 * then find the token used; otherwise they would be refused for credits that their duplicates reserve. It is only an
 * optimisation: after `IN_PROGRESS_WAIT_MILLIS` a call goes on, and the token can be spent only once.
 */
export class TokenTurns {
  /** By key and token: when the last call in the queue ends. */
  readonly #last = new Map<string, Deferred.Deferred<void>>()

  take<A, E, R>(keyHash: string, tokenHash: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const name = `${keyHash} ${tokenHash}`
      const before = this.#last.get(name)
      const own = Deferred.makeUnsafe<void>()
      this.#last.set(name, own)
      const turn =
        before === undefined ? Effect.void : Effect.timeoutOption(Deferred.await(before), IN_PROGRESS_WAIT_MILLIS)
      const end = Effect.sync(() => {
        if (this.#last.get(name) === own) this.#last.delete(name)
        Deferred.doneUnsafe(own, Effect.void)
      })
      return turn.pipe(Effect.andThen(work), Effect.ensuring(end))
    })
  }
}

type AnyHandler = Handler<AnyVerb, Plan>

/** A decoded call and what binds it. */
export interface Prepared {
  readonly incoming: IncomingCall
  readonly verb: AnyVerb
  readonly handler: AnyHandler
  readonly decoded: DecodedCall
  readonly mode: CallMode
  /** Under which the outcome is kept: the caller's, or our own. Null: it isn't kept. */
  readonly recordKey: string | null
  /** Keyed, because it outlives an erasure: nobody can guess addresses with it. */
  readonly baseFingerprint: string
  readonly tokenHash: string | null
  /** The person who asks in their own name: only for verbs that a person approves. */
  readonly byUserId: string | null
}

/** The recorded mode of a call that could not be decoded. */
const modeOf = ({ input, verb }: IncomingCall): CallMode =>
  verb === null ? "read" : verb.would !== null && input["dry_run"] === true ? "dry_run" : verb.mode

/** Decodes a call and computes what binds it. Has no effects. */
export const prepare = (
  incoming: IncomingCall,
  verb: AnyVerb,
  handlers: Handlers["Service"],
  crypto: Crypto["Service"]
): Result.Result<Prepared, AnyWireError> =>
  Result.map(decodeCall(incoming, verb), (decoded) => {
    const mode = decoded.dryRun ? "dry_run" : verb.mode
    const recordKey = recordKeyOf(incoming, verb, mode)
    const bound = recordKey !== null || verb.approval !== "none" || verb.makesOffers
    const token = decoded.confirmationToken ?? decoded.offerToken
    return {
      incoming,
      verb,
      handler: handlers[verb.name as keyof typeof handlers] as unknown as AnyHandler,
      decoded,
      mode,
      recordKey,
      baseFingerprint: bound ? crypto.mac("request", `${verb.name}\n${canonicalRequest(incoming.input)}`) : "",
      tokenHash: token === null ? null : crypto.sha256Hex(token),
      byUserId: verb.approval === "none" ? null : (incoming.asKey?.byUserId ?? null)
    }
  })

/** The attempt for the journal. A call that could not be decoded is refused there, once its key is known. */
export const attemptOf = (
  incoming: IncomingCall,
  prepared: Result.Result<Prepared, AnyWireError>,
  options: {
    readonly keyHash: string
    readonly nowMillis: number
    readonly consoleUrl: string
    readonly closed: ClosedGates
    readonly providersOf: (kind: WorkspaceKind) => ProviderSet
  }
): Attempt<Plan> => {
  const { closed, consoleUrl, keyHash, nowMillis, providersOf } = options
  const requestId = incoming.requestId
  // Literals, not spreads: every call creates one, and copying objects is slow.
  if (Result.isFailure(prepared)) {
    return {
      requestId,
      keyHash,
      verb: incoming.verb?.name ?? "unknown",
      mode: modeOf(incoming),
      nowMillis,
      reject: prepared.failure,
      scope: null,
      allowedWhilePaused: true,
      needsAutonomy: false,
      isPurchase: false,
      idempotency: null,
      runId: null,
      subject: null,
      consoleUrl,
      plan: free
    }
  }
  const { verb, handler, decoded, mode, baseFingerprint, recordKey: key, tokenHash, byUserId } = prepared.success
  const confirmed = decoded.confirmationToken !== null
  const asks = verb.approval !== "none" && !confirmed
  return {
    requestId,
    keyHash,
    verb: verb.name,
    mode,
    nowMillis,
    reject: null,
    scope: byUserId === null ? verb.scope : null,
    allowedWhilePaused: verb.answersPausedKeys,
    // `leads`: the check of the campaign decides whether an approval is needed.
    needsAutonomy: byUserId === null && verb.approval !== "none" && (verb.approval !== "leads" || confirmed),
    isPurchase: verb.approval === "purchase" && (confirmed || mode === "dry_run"),
    idempotency: key === null ? null : { key, phase: asks ? "ask" : "act", baseFingerprint, tokenHash },
    runId: incoming.runId?.toLowerCase() ?? null,
    subject: null,
    consoleUrl,
    plan: (apiKey) =>
      Result.flatMap(releasedTool(closed, verb.name), () =>
        handler.plan(decoded.request, { key: apiKey, nowMillis, providers: providersOf(apiKey.workspaceKind) })
      )
  }
}

/** The caller, and what binds the call. */
export const scopeOf = (
  prepared: Prepared,
  nowMillis: number,
  at: Pick<CallScope, "workspaceId" | "keyId" | "workspaceKind">
): CallScope => ({
  requestId: prepared.incoming.requestId,
  workspaceId: at.workspaceId,
  workspaceKind: at.workspaceKind,
  keyId: at.keyId,
  nowMillis,
  baseFingerprint: prepared.baseFingerprint,
  tokenHash: prepared.tokenHash,
  idempotencyKey: prepared.incoming.idempotencyKey,
  byUserId: prepared.byUserId,
  uploaded: prepared.incoming.uploaded ?? null
})

/** Answers a dry run with the call's plan and its refusals (contract: calls, dry runs). */
export const preview = (
  prepared: Prepared,
  attempt: Attempt<Plan>,
  admission: Extract<Admission<Plan>, { _tag: "Previewed" }>,
  crypto: Crypto["Service"]
): FromStore<CallResponse, AnyWireError> =>
  Effect.gen(function* () {
    const { plan, rate, key, available } = admission
    const look = prepared.handler.would
    const scope = scopeOf(prepared, attempt.nowMillis, key)
    const would =
      look === undefined
        ? yield* Effect.fail(refuse("invalid_request", { reason: "dry_run_unsupported" }))
        : yield* look(prepared.decoded.request, plan, scope)
    const warned = yield* prepared.handler.warnings?.(prepared.decoded.request, plan, scope) ?? Effect.succeed([])
    const result = {
      dry_run: true,
      advisory: true,
      evaluated_at: new Date(attempt.nowMillis).toISOString(),
      plan: {
        verb: prepared.verb.name,
        plan_version: prepared.verb.planVersion,
        input_version: crypto.sha256Hex(canonicalRequest(prepared.incoming.input)),
        credits_estimate: format(plan.maximum),
        would_exceed: admission.wouldExceed,
        warnings: [...plan.warnings, ...warned],
        would
      }
    }
    return successResponse({
      requestId: attempt.requestId,
      body: JSON.stringify(result),
      charged: zero,
      available,
      replayed: false,
      route: plan.route,
      rate,
      form: "envelope"
    })
  })
