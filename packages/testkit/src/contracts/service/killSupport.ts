import { Ids } from "@outbound/domain/kernel/ports/Ids.js"
import { dayStart } from "@outbound/domain/outreach/sending/Dispatcher.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Client, makeKey } from "../../service/Client.js"
import { endsSoon, patience } from "../../service/patience.js"
import { freshKey } from "./stories.js"

export const guardOf = (client: Client) =>
  makeKey(client.workspaceId, client.ownerEmail, { scopes: ["control:manage"] })

export const kill = (client: Client, reason = "enough", key = freshKey()) => client.call("kill", { reason }, { key })

/** A turn of the machine's own event loop, in which a store may answer. */
export const machineTurn = Effect.promise(() => new Promise<void>((resolve) => setTimeout(resolve, 1)))

/**
 * Runs what waits by the clock, a little time passing again and again until it has ended: so little that a store which
 * takes its time is not left behind.
 */
export const ticking = <A, E, R>(effect: Effect.Effect<A, E, R>, tick = 20) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(effect)
    for (const isPatient = patience(); isPatient();) {
      if (yield* endsSoon(fiber)) break
      yield* TestClock.adjust(tick)
    }
    return yield* Fiber.join(fiber)
  })

export const claim = Effect.gen(function* () {
  const sendings = yield* SendingStore
  const ids = yield* Ids
  const nowMillis = yield* Clock.currentTimeMillis
  return yield* sendings.claimDue({
    nowMillis,
    dayStartMillis: dayStart(nowMillis),
    limit: 50,
    nextMessageId: () => ids.next(nowMillis),
    contactedSinceMillis: 0
  })
})
