import { Clock, Effect, Either, Option } from "effect"
import { monthOf } from "../calls/decideAdmission.js"
import type { Issue } from "../kernel/errors/Wire.js"
import { KeyMachine } from "../calls/keys/KeyMachine.js"
import { KeyStore } from "../calls/keys/KeyStore.js"
import { step } from "../kernel/machine.js"
import { zero } from "../kernel/money/Credits.js"
import { isUuid } from "../kernel/ports/Ids.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "./users/UserStore.js"
import { WorkspaceStore } from "../kernel/workspaces/WorkspaceStore.js"
import { actorOf, freshOwner, may, mend, owner, orNotFound, refused } from "./access.js"
import { ChangeRequestMachine } from "./ChangeRequestMachine.js"
import { ChangeRequestStore } from "./ChangeRequestStore.js"
import { CHANGE_REQUESTS_LISTED_MAX, type Control, HISTORY_PAGE_MAX, KEYS_LISTED_MAX } from "./Control.js"
import { ControlLog } from "./ControlLog.js"
import { KEY_NAME_CHARS_MAX, type KeyEvent, makeKeyChanges } from "./KeyChanges.js"
import { directionOfKey } from "./logging.js"
import { policyAfter, type PolicyChange } from "./PolicyChange.js"

type Keys = Pick<
  Control["Type"],
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
      if (Either.isLeft(state)) return yield* refused("change_request_closed")
      const decided = { decidedAtMillis: nowMillis, decidedByUserId: by.user.userId }
      yield* requests.update({ ...found, ...decided, state: state.right })
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
