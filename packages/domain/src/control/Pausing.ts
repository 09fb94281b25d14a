import { Clock, Effect, Option } from "effect"
import { refOf } from "../outreach/operations/OperationStore.js"
import { DONE, type JobHandler, waitFor } from "../kernel/ports/LongWork.js"
import { KILL_WAIT_MILLIS, makeKills } from "./Kills.js"
import { KillStore } from "./KillStore.js"

/** Bounds of the interval between two requests to the provider. */
const ASK_AGAIN_MIN_MILLIS = 1_000
const ASK_AGAIN_MAX_MILLIS = 60_000

/** A tenth of the kill's age, within the bounds. */
export const askAgainAfter = (ageMillis: number): number =>
  Math.min(ASK_AGAIN_MAX_MILLIS, Math.max(ASK_AGAIN_MIN_MILLIS, Math.floor(ageMillis / 10)))

/**
 * The handler of a kill's job. It continues until the provider has confirmed every pause, even after the suspension is
 * cleared.
 */
export const makeKillHandler = Effect.gen(function* () {
  const kills = yield* KillStore
  const { verifyPauses } = yield* makeKills
  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const { operationId: killId, workspaceId } = refOf(key)
      const kill = yield* kills.get(workspaceId, killId)
      if (Option.isNone(kill)) return DONE
      const nowMillis = yield* Clock.currentTimeMillis
      const unverified = yield* verifyPauses(kill.value, nowMillis + KILL_WAIT_MILLIS)
      return unverified.length === 0 ? DONE : waitFor(askAgainAfter(nowMillis - kill.value.suspendedAtMillis))
    })
  return handler
})
