import { Clock, Effect, Option } from "effect"
import { makeKeyChanges } from "../KeyControl.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { UNUSED_CLIENT_MILLIS, USED_CLIENT_MILLIS } from "./lifetimes.js"
import { type Grant, OAuthStore } from "./OAuthStore.js"

/** Most rows of each kind that one round deletes. */
export const PURGE_MAX = 200

/**
 * Ends lapsed grants with their keys, so that the list of keys shows no dead ones, and deletes expired rows. Returns
 * how many.
 */
export const makeOAuthPurge = Effect.gen(function* () {
  const store = yield* OAuthStore
  const changes = yield* makeKeyChanges
  const { atomically } = yield* UnitOfWork

  const lapse = ({ grantId, keyId, workspaceId }: Grant, nowMillis: number) =>
    Effect.gen(function* () {
      // The client may have renewed it since we found it.
      if (Option.isNone(yield* store.lockGrant(workspaceId, grantId))) return
      if (!(yield* store.deleteLapsed(workspaceId, grantId, nowMillis))) return
      yield* changes.move(keyId, "revoke", { kind: "operator" }, nowMillis)
    }).pipe(atomically)

  return Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const lapsed = yield* store.lapsed(nowMillis, PURGE_MAX)
    yield* Effect.forEach(lapsed, (grant) => lapse(grant, nowMillis), { discard: true })
    const before = {
      nowMillis,
      unusedMillis: nowMillis - UNUSED_CLIENT_MILLIS,
      usedMillis: nowMillis - USED_CLIENT_MILLIS
    }
    return lapsed.length + (yield* atomically(store.purge(before, PURGE_MAX)))
  })
})
