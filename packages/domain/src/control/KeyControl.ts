import { Clock, Effect, Option, Result } from "effect"
import { monthOf } from "../calls/decideAdmission.js"
import type { Issue } from "../kernel/errors/Wire.js"
import { KeyMachine } from "../calls/keys/KeyMachine.js"
import { type ApiKey, KeyStore } from "../calls/keys/KeyStore.js"
import { step } from "../kernel/machine.js"
import { credits, zero } from "../kernel/money/Credits.js"
import { Ids, isUuid } from "../kernel/ports/Ids.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "./users/UserStore.js"
import { type Workspace, WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import {
  ACTION_OF_EVENT,
  actorOf,
  difference,
  directionOfKey,
  freshOwner,
  makeLog,
  may,
  mend,
  orNotFound,
  owner,
  refused,
  shownKey
} from "./access.js"
import { ChangeRequestMachine } from "./ChangeRequestMachine.js"
import { ChangeRequestStore } from "./ChangeRequestStore.js"
import { CHANGE_REQUESTS_LISTED_MAX, type Control, HISTORY_PAGE_MAX, KEYS_LISTED_MAX, type NewKey } from "./Control.js"
import { type Actor, ControlLog, nameOf } from "./ControlLog.js"
import { inOrder, policyAfter, type PolicyChange } from "./PolicyChange.js"
import { ApprovalStore } from "../calls/approvals/ApprovalStore.js"
import { Crypto } from "../kernel/ports/Crypto.js"
import { DEFAULT_SCOPES, PREMIUM_ALLOWANCE_DEFAULT, RATE_PER_MINUTE_DEFAULT } from "../verbs/Policy.js"
import { makeCancelApprovals } from "./Kills.js"

const API_KEY_PREFIX = "svc_key_"

/** How many characters of a secret stay visible so that people recognise the key. */
const SHOWN_CHARS = API_KEY_PREFIX.length + 6

export const KEY_NAME_CHARS_MAX = 120

type KeyEvent = (typeof KeyMachine.events)[number]

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
      const {
        autonomousExternalActions,
        dailySpendCap = null,
        monthlySpendCap,
        name,
        runRequired,
        scopes,
        workspace
      } = of
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
        dailySpendCap,
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
        if (Result.isSuccess(state)) yield* requests.update({ ...request, state: state.success })
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
      if (Result.isFailure(state)) return null
      if (state.success === before.state) return before
      const pausedAtMillis = KeyMachine.is.paused(state.success) ? nowMillis : null
      const after: ApiKey = { ...before, state: state.success, pausedAtMillis }
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

type Keys = Pick<
  Control["Service"],
  | "listKeys"
  | "key"
  | "createKey"
  | "pauseKey"
  | "resumeKey"
  | "revokeKey"
  | "setPolicy"
  | "keyHistory"
  | "history"
  | "changeRequests"
  | "decideChangeRequest"
>

/** Validates a name that a person chose. */
export const nameIssues = (name: string): ReadonlyArray<Issue> =>
  name.trim() === "" || name.length > KEY_NAME_CHARS_MAX
    ? [{ path: "name", message: `must have 1 to ${KEY_NAME_CHARS_MAX} characters` }]
    : []

/** Keys, their policies and change requests, for signed-in people. */
export const makeKeyControl = Effect.gen(function* () {
  const keys = yield* KeyStore
  const workspaces = yield* WorkspaceStore
  const requests = yield* ChangeRequestStore
  const history = yield* ControlLog
  const changes = yield* makeKeyChanges
  const { atomically } = yield* UnitOfWork

  const spentOf = (workspaceId: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => keys.spentIn(workspaceId, monthOf(nowMillis)))

  const ownKey = (by: SignedIn, keyId: string) =>
    orNotFound(
      Effect.map(
        isUuid(keyId) ? keys.get(keyId) : Effect.succeedNone,
        Option.filter((key) => key.workspaceId === by.session.workspaceId)
      )
    )

  /** Locks the key. A revoked key has no policy. */
  const lockedKey = (keyId: string) =>
    Effect.gen(function* () {
      const key = yield* orNotFound(keys.lock(keyId))
      return KeyMachine.is.revoked(key.state) ? yield* refused("key_revoked") : key
    })

  const move = (by: SignedIn, keyId: string, event: KeyEvent) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      yield* ownKey(by, keyId)
      if (event === "revoke") yield* owner(by)
      if (event === "resume") yield* freshOwner(by)
      const changed = yield* changes.move(keyId, event, actorOf(by), nowMillis)
      return changed === null ? yield* refused("key_revoked") : { state: changed.state }
    }).pipe(atomically)

  const setPolicy = (by: SignedIn, keyId: string, change: PolicyChange) =>
    Effect.gen(function* () {
      yield* ownKey(by, keyId)
      const before = yield* lockedKey(keyId)
      const after = { ...before, ...policyAfter(before, change) }
      yield* may(by, directionOfKey(before, after))
      return yield* changes.setPolicy(before, after, actorOf(by))
    }).pipe(atomically)

  const decide = (by: SignedIn, changeRequestId: string, decision: "approve" | "decline") =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const { workspaceId } = by.session
      const look = orNotFound(isUuid(changeRequestId) ? requests.get(workspaceId, changeRequestId) : Effect.succeedNone)
      const asked = yield* look
      yield* decision === "approve" ? freshOwner(by) : owner(by)
      // A request changes only under its key's lock, so read it again after locking.
      const key = yield* orNotFound(keys.lock(asked.keyId))
      const found = yield* look
      const state = step(ChangeRequestMachine, found.state, decision)
      if (Result.isFailure(state)) return yield* refused("change_request_closed")
      const decided = { decidedAtMillis: nowMillis, decidedByUserId: by.user.userId }
      yield* requests.update({ ...found, ...decided, state: state.success })
      if (decision === "decline") return null
      const after = { ...key, ...policyAfter(key, found.change) }
      return yield* changes.setPolicy(key, after, actorOf(by), changeRequestId)
    }).pipe(atomically)

  const page = (workspaceId: string, keyId: string | null, before: string | null) =>
    history.page({ workspaceId, keyId, limit: HISTORY_PAGE_MAX, before })

  const control: Keys = {
    listKeys: (by) =>
      Effect.gen(function* () {
        const { workspaceId } = by.session
        const spent = yield* spentOf(workspaceId)
        const all = yield* keys.list(workspaceId)
        return all
          .slice(-KEYS_LISTED_MAX)
          .reverse()
          .map((key) => ({ key, spentThisMonth: spent.get(key.keyId) ?? zero }))
      }),
    key: (by, keyId) =>
      Effect.gen(function* () {
        const key = yield* ownKey(by, keyId)
        const spent = yield* spentOf(key.workspaceId)
        return { key, spentThisMonth: spent.get(keyId) ?? zero }
      }),
    createKey: (by, wanted) =>
      Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        yield* freshOwner(by)
        yield* mend(nameIssues(wanted.name))
        const workspace = Option.getOrThrow(yield* workspaces.get(by.session.workspaceId))
        return yield* changes.create({ ...wanted, workspace }, actorOf(by), nowMillis)
      }).pipe(atomically),
    pauseKey: (by, keyId) => move(by, keyId, "pause"),
    resumeKey: (by, keyId) => move(by, keyId, "resume"),
    revokeKey: (by, keyId) => move(by, keyId, "revoke"),
    setPolicy,
    keyHistory: (by, keyId, before) =>
      Effect.flatMap(ownKey(by, keyId), (key) => page(key.workspaceId, key.keyId, before)),
    history: (by, before) => page(by.session.workspaceId, null, before),
    changeRequests: (by, which) => requests.list(by.session.workspaceId, which, CHANGE_REQUESTS_LISTED_MAX),
    decideChangeRequest: decide
  }
  return control
})
