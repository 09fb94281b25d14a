import { Clock, Effect } from "effect"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { SealStore } from "../../kernel/trail/SealStore.js"

/**
 * One round of sealing, on any host. The chains are locked by one statement and read by the next, which therefore sees
 * what the host before it sealed. A host that dies in between leaves the events unsealed, and no seal.
 */
export const makeSealing = Effect.gen(function* () {
  const { lockUnsealed, seal } = yield* SealStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(
      Effect.flatMap(lockUnsealed(nowMillis), (workspaceIds) =>
        workspaceIds.length === 0 ? Effect.succeed(0) : seal(workspaceIds, nowMillis)
      )
    )
  )
})
