import { Clock, Effect, Option } from "effect"
import { makeKeyChanges } from "../KeyChanges.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { UNUSED_CLIENT_MILLIS, USED_CLIENT_MILLIS } from "./lifetimes.js"
import { type Grant, OAuthStore } from "./OAuthStore.js"

/** How much of each kind one round forgets. */
export const PURGE_MAX = 200

/**
 * Ends grants that nobody can use any more, with their keys, so that the list of keys shows none that are dead; and
 * forgets what is over. How much there was.
 */
export const makeOAuthPurge = Effect.gen(function* () {
  const store = yield* OAuthStore
  const changes = yield* makeKeyChanges
  const { atomically } = yield* UnitOfWork

  const lapse = ({ grantId, keyId, workspaceId }: Grant, nowMillis: number) =>
    atomically(
      Effect.gen(function* () {
        // Its client may have renewed it since it was found.
        if (Option.isNone(yield* store.lockGrant(workspaceId, grantId))) return
        if (!(yield* store.deleteLapsed(workspaceId, grantId, nowMillis))) return
        yield* changes.move(keyId, "revoke", { kind: "operator" }, nowMillis)
      })
    )

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
