import { Effect, Option, Result } from "effect"
import type { SubjectCheck } from "../calls/Attempt.js"
import { canonicalJson, type Json } from "../kernel/canonical.js"
import { answering, free, type Handler } from "../calls/Handler.js"
import { type AnyWireError, refuse } from "../kernel/errors/Wire.js"
import { KeyMachine } from "../calls/keys/KeyMachine.js"
import { type ApiKey, KeyStore } from "../calls/keys/KeyStore.js"
import { step } from "../kernel/machine.js"
import { format, zero } from "../kernel/money/Credits.js"
import { Ids } from "../kernel/ports/Ids.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { consoleUrl, Settings } from "../kernel/Settings.js"
import type { Kill, UpdateKey } from "../verbs/Control.js"
import type { RequestOf } from "../verbs/Verb.js"
import { ChangeRequestMachine } from "./ChangeRequestMachine.js"
import { type ChangeRequest, ChangeRequestStore } from "./ChangeRequestStore.js"
import { makeKeyChanges } from "./KeyControl.js"
import { directionOf, encodeChange, inOrder, policyAfter, type PolicyChange, policyOf } from "./PolicyChange.js"
import { makeKills } from "./Kills.js"

/** Stops all sending of the caller's workspace (contract: keys, kill). */
export const kill = Effect.map(makeKills, ({ stop }) =>
  answering<typeof Kill>((request, call) =>
    Effect.gen(function* () {
      const { keyId, requestId, workspaceId } = call
      const actor = { kind: "key" as const, keyId, name: call.admitted.key.name }
      const done = yield* stop({ workspaceId, actor, source: "api", reason: request.reason, requestId })
      return {
        status: "suspended",
        suspended_at: new Date(done.suspendedAtMillis).toISOString(),
        campaigns_paused: done.campaignsPaused,
        campaigns_unconfirmed: done.unconfirmed ?? [],
        approvals_cancelled: done.approvalsCancelled
      }
    })
  )
)

const same = (one: PolicyChange, other: PolicyChange): boolean =>
  canonicalJson(encodeChange(one) as unknown as Json) === canonicalJson(encodeChange(other) as unknown as Json)

/**
 * Stores a loosening for owners to decide, under the lock of the key it concerns. An identical open request is reused,
 * even if another key asks. A different request replaces the asking key's open one, so no key can flood the page.
 */
const makeAskChange = Effect.gen(function* () {
  const requests = yield* ChangeRequestStore
  const ids = yield* Ids
  return (asked: {
    readonly key: ApiKey
    readonly change: PolicyChange
    readonly requestedByKeyId: string
    readonly requestId: string
    readonly nowMillis: number
  }) =>
    Effect.gen(function* () {
      const { key, nowMillis, requestId, requestedByKeyId } = asked
      const { scopes } = asked.change
      const change = { ...asked.change, ...(scopes === undefined ? {} : { scopes: inOrder(scopes) }) }
      const open = yield* requests.openOfKey(key.workspaceId, key.keyId)
      const [known] = open.filter((request) => same(request.change, change))
      if (known !== undefined) return known.changeRequestId
      for (const older of open.filter((request) => request.requestedByKeyId === requestedByKeyId)) {
        const state = step(ChangeRequestMachine, older.state, "supersede")
        if (Result.isSuccess(state)) yield* requests.update({ ...older, state: state.success })
      }
      const request: ChangeRequest = {
        changeRequestId: ids.next(nowMillis),
        workspaceId: key.workspaceId,
        keyId: key.keyId,
        requestedByKeyId,
        change,
        before: policyOf(key),
        state: ChangeRequestMachine.initial,
        requestId,
        createdAtMillis: nowMillis,
        decidedAtMillis: null,
        decidedByUserId: null
      }
      yield* requests.insert(request)
      return request.changeRequestId
    })
})

const notFound = refuse("not_found", {}, "Key not found in this workspace.")

const changeOf = (request: RequestOf<typeof UpdateKey>): PolicyChange => ({
  ...(request.monthly_spend_cap === undefined ? {} : { monthlySpendCap: request.monthly_spend_cap }),
  ...(request.scopes === undefined ? {} : { scopes: request.scopes }),
  ...(request.autonomous_external_actions === undefined
    ? {}
    : { autonomousExternalActions: request.autonomous_external_actions })
})

/** Other keys can't see a revoked key: it has no policy. */
const isThere = (key: ApiKey, workspaceId: string): boolean =>
  key.workspaceId === workspaceId && !KeyMachine.is.revoked(key.state)

/** Tightens another key's policy. A loosening becomes a change request for an owner (contract: keys, changes). */
export const updateKey = Effect.gen(function* () {
  const keys = yield* KeyStore
  const settings = yield* Settings
  const changes = yield* makeKeyChanges
  const askChange = yield* makeAskChange
  const { atomically } = yield* UnitOfWork

  const find = (keyId: string, workspaceId: string) =>
    Effect.map(
      keys.get(keyId),
      Option.filter((key) => isThere(key, workspaceId))
    )

  const handler: Handler<typeof UpdateKey> = {
    plan: free,
    subject: (request, scope) =>
      Effect.map(find(request.key_id.toLowerCase(), scope.workspaceId), (key): SubjectCheck => ({
        missing: Option.isNone(key) ? notFound : null,
        refusal: request.key_id.toLowerCase() === scope.keyId ? refuse("self_modification", {}) : null,
        wouldExceed: []
      })),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { keyId: callerId, nowMillis, requestId, workspaceId } = call
        const keyId = request.key_id.toLowerCase()
        if (keyId === callerId) return yield* Effect.fail(refuse("self_modification", {}))
        // Look first, so that another workspace's key is not even locked.
        if (Option.isNone(yield* find(keyId, workspaceId))) return yield* Effect.fail(notFound)
        const locked = Option.filter(yield* keys.lock(keyId), (key) => isThere(key, workspaceId))
        if (Option.isNone(locked)) return yield* Effect.fail(notFound)
        const before = locked.value
        const change = changeOf(request)
        const after = { ...before, ...policyAfter(before, change) }
        if (directionOf(before, after) === "loosen") {
          const asked = { key: before, change, requestedByKeyId: callerId, requestId, nowMillis }
          const refusal: AnyWireError = refuse("owner_required", {
            change_request_id: yield* askChange(asked),
            console_url: consoleUrl(settings.baseUrl)
          })
          yield* call.refuseIn(refusal)
          return Result.fail(refusal)
        }
        const actor = { kind: "key" as const, keyId: callerId, name: call.admitted.key.name }
        const { controlLogId } = yield* changes.setPolicy(before, after, actor)
        return Result.succeed(
          yield* call.settleIn({
            result: {
              key_id: keyId,
              monthly_spend_cap: after.monthlySpendCap === null ? null : format(after.monthlySpendCap),
              scopes: after.scopes,
              autonomous_external_actions: after.autonomousExternalActions,
              control_log_id: controlLogId
            },
            charge: zero
          })
        )
      }).pipe(atomically, Effect.flatMap(Effect.fromResult))
  }
  return handler
})
