import { Clock, Effect, Layer, Option } from "effect"
import { type Advance, OperationSteps } from "../kernel/ports/DurableEngine.js"
import { KILL_WAIT_MILLIS, makeKills } from "./Kills.js"
import { KillStore } from "./KillStore.js"

/** How soon the provider is asked again: doubled with the age of the kill, up to the last. */
const ASK_AGAIN_MIN_MILLIS = 1_000
const ASK_AGAIN_MAX_MILLIS = 60_000

/** A tenth of the time that the campaigns have been unverified, within its bounds. */
export const askAgainAfter = (ageMillis: number): number =>
  Math.min(ASK_AGAIN_MAX_MILLIS, Math.max(ASK_AGAIN_MIN_MILLIS, Math.floor(ageMillis / 10)))

const DONE: Advance = { _tag: "Done" }

/**
 * The engine's steps, with those of a kill before the others': its id is an operation's to the engine. It goes on,
 * also after the suspension was cleared, until the provider has confirmed the pause of every campaign.
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
