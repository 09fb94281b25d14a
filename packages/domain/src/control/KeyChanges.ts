import { Effect, Either } from "effect"
import { ApprovalStore } from "../calls/approvals/ApprovalStore.js"
import { step } from "../kernel/machine.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import { Ids } from "../kernel/ports/Ids.js"
import { KeyMachine } from "../calls/keys/KeyMachine.js"
import { type ApiKey, KeyStore } from "../calls/keys/KeyStore.js"
import { DEFAULT_SCOPES, PREMIUM_ALLOWANCE_DEFAULT, RATE_PER_MINUTE_DEFAULT } from "../verbs/Policy.js"
import { credits } from "../kernel/money/Credits.js"
import type { Workspace } from "../kernel/workspaces/WorkspaceStore.js"
import { ChangeRequestMachine } from "./ChangeRequestMachine.js"
import { ChangeRequestStore } from "./ChangeRequestStore.js"
import type { NewKey } from "./Control.js"
import { type Actor, nameOf } from "./ControlLog.js"
import { makeCancelApprovals } from "./cancelApprovals.js"
import { ACTION_OF_EVENT, difference, directionOfKey, makeLog, shownKey } from "./logging.js"
import { inOrder } from "./PolicyChange.js"

const API_KEY_PREFIX = "svc_key_"

/** How many characters of a secret stay visible so that people recognise the key. */
const SHOWN_CHARS = API_KEY_PREFIX.length + 6

export const KEY_NAME_CHARS_MAX = 120

export type KeyEvent = (typeof KeyMachine.events)[number]

/** The only place that creates and changes keys. Each change writes one row to the control log. */
export const makeKeyChanges = Effect.gen(function* () {
  const keys = yield* KeyStore
  const approvals = yield* ApprovalStore
  const requests = yield* ChangeRequestStore
  const crypto = yield* Crypto
  const ids = yield* Ids
  const log = yield* makeLog
  const cancelApprovals = yield* makeCancelApprovals

  /** Creates a key. We don't store its secret. */
  const create = (of: NewKey & { readonly workspace: Workspace }, actor: Actor, nowMillis: number) =>
    Effect.gen(function* () {
      const { autonomousExternalActions, monthlySpendCap, name, runRequired, scopes, workspace } = of
      const apiKey = `${API_KEY_PREFIX}${crypto.randomToken()}`
      const key: ApiKey = {
        keyId: ids.next(nowMillis),
        workspaceId: workspace.workspaceId,
        workspaceKind: workspace.kind,
        name: name.trim(),
        prefix: apiKey.slice(0, SHOWN_CHARS),
        state: KeyMachine.initial,
        pausedAtMillis: null,
        scopes: scopes.length === 0 ? DEFAULT_SCOPES : inOrder(scopes),
        capabilitiesOff: [],
        autonomousExternalActions,
        monthlySpendCap,
        premiumAllowance: credits(PREMIUM_ALLOWANCE_DEFAULT),
        ratePerMinute: RATE_PER_MINUTE_DEFAULT,
        runRequired,
        createdAtMillis: nowMillis
      }
      yield* keys.insert(key, crypto.sha256Hex(apiKey))
      const { keyId, workspaceId } = key
      yield* log(workspaceId, actor, "create_key", "loosen", { keyId, after: shownKey(key) })
      return { keyId, apiKey }
    })

  /** Sets the policy of a locked key. Logs a change that has no effect too: the log shows the request. */
  const setPolicy = (before: ApiKey, after: ApiKey, actor: Actor, changeRequestId: string | null = null) =>
    Effect.gen(function* () {
      const direction = directionOfKey(before, after)
      if (direction !== "none") yield* keys.update(after)
      const controlLogId = yield* log(before.workspaceId, actor, "set_policy", direction, {
        keyId: before.keyId,
        changeRequestId,
        ...difference(shownKey(before), shownKey(after))
      })
      return { controlLogId, direction }
    })

  /** Cancels what the revoked key waits for, and open change requests about it. */
  const afterRevoke = (key: ApiKey) =>
    Effect.gen(function* () {
      for (const request of yield* requests.openOfKey(key.workspaceId, key.keyId)) {
        const state = step(ChangeRequestMachine, request.state, "cancel")
        if (Either.isRight(state)) yield* requests.update({ ...request, state: state.right })
      }
    })

  /** Withdraws what the key asked for. Runs before the key is locked: approvals lock before keys. */
  const beforeRevoke = (key: Pick<ApiKey, "keyId" | "workspaceId">, actor: Actor, nowMillis: number) =>
    Effect.flatMap(approvals.lockOpen(key.workspaceId, key.keyId), (open) =>
      cancelApprovals(open, {
        nowMillis,
        source: actor.kind === "user" ? "console" : "system",
        by: nameOf(actor)
      })
    )

  /** Pauses, resumes or revokes a key. Null: its state doesn't allow it. A repeat changes nothing. */
  const move = (keyId: string, event: KeyEvent, actor: Actor, nowMillis: number) =>
    Effect.gen(function* () {
      const found = yield* keys.get(keyId)
      if (found._tag === "None") return null
      if (event === "revoke") yield* beforeRevoke(found.value, actor, nowMillis)
      const locked = yield* keys.lock(keyId)
      if (locked._tag === "None") return null
      const before = locked.value
      const state = step(KeyMachine, before.state, event)
      if (Either.isLeft(state)) return null
      if (state.right === before.state) return before
      const pausedAtMillis = KeyMachine.is.paused(state.right) ? nowMillis : null
      const after: ApiKey = { ...before, state: state.right, pausedAtMillis }
      yield* keys.update(after)
      if (event === "revoke") yield* afterRevoke(after)
      yield* log(before.workspaceId, actor, ACTION_OF_EVENT[event], event === "resume" ? "loosen" : "tighten", {
        keyId,
        ...difference(shownKey(before), shownKey(after))
      })
      return after
    })

  return { create, setPolicy, move }
})
