import { Clock, Effect, Layer, Option } from "effect"
import { type Advance, OperationSteps } from "../kernel/ports/DurableEngine.js"
import { KILL_WAIT_MILLIS, makeKills } from "./Kills.js"
import { KillStore } from "./KillStore.js"

/** Bounds of the interval between two requests to the provider. */
const ASK_AGAIN_MIN_MILLIS = 1_000
const ASK_AGAIN_MAX_MILLIS = 60_000

/** A tenth of the kill's age, within the bounds. */
export const askAgainAfter = (ageMillis: number): number =>
  Math.min(ASK_AGAIN_MAX_MILLIS, Math.max(ASK_AGAIN_MIN_MILLIS, Math.floor(ageMillis / 10)))

const DONE: Advance = { _tag: "Done" }

/**
 * Adds the engine's kill steps in front of the other operations': the engine treats a kill's id as an operation's. It
 * continues until the provider has confirmed every pause, even after the suspension is cleared.
 */
export const layer = Layer.effect(
  OperationSteps,
  Effect.gen(function* () {
    const others = yield* OperationSteps
    const kills = yield* KillStore
    const { verifyPauses } = yield* makeKills
    return OperationSteps.of({
      advance: (ref) =>
        Effect.gen(function* () {
          const kill = yield* kills.get(ref.workspaceId, ref.operationId)
          if (Option.isNone(kill)) return yield* others.advance(ref)
          const nowMillis = yield* Clock.currentTimeMillis
          const unverified = yield* verifyPauses(kill.value, nowMillis + KILL_WAIT_MILLIS)
          return unverified.length === 0
            ? DONE
            : { _tag: "Wait" as const, millis: askAgainAfter(nowMillis - kill.value.suspendedAtMillis) }
        })
    })
  })
)
