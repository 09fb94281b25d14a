import { Clock, Effect, Ref } from "effect"
import { ClockStore } from "../kernel/ports/ClockStore.js"
import { UnitOfWork } from "../kernel/ports/UnitOfWork.js"

/** How often each host looks whether a clock was set back. */
export const CLOCK_MILLIS = 30_000

/** Looks once whether a clock was set back since the look before, and lets nothing wait for it to catch up. */
export const makeClockRound = Effect.gen(function* () {
  const store = yield* ClockStore
  const { atomically } = yield* UnitOfWork
  const last = yield* Ref.make<number | null>(null)
  return Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    const { serviceMillis, storeMillis } = yield* atomically(store.look(nowMillis, yield* Ref.get(last)))
    yield* Ref.set(last, nowMillis)
    if (serviceMillis === 0 && storeMillis === 0) return
    yield* Effect.logWarning("a clock was set back; what waited for it waits that much less").pipe(
      Effect.annotateLogs({ service_millis: serviceMillis, store_millis: storeMillis })
    )
  })
})
