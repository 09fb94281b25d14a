import { assert, layer as describeLayer } from "@effect/vitest"
import { ConsoleReads } from "@outbound/domain/control/console/ConsoleReads.js"
import { makeSendingHealth } from "@outbound/domain/control/reads/sendingHealth.js"
import { TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { LookStore } from "@outbound/domain/outreach/authentication/LookStore.js"
import { HealthReads } from "@outbound/domain/outreach/health/HealthReads.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { Clock, type Context, Effect, Fiber } from "effect"
import { member, pass, SUITE } from "../../src/contracts/service/stories.js"
import { quietMemory } from "../../src/service/Service.js"

/** What each read of a busy machine waits for its turn. */
const TURN_MILLIS = 1_000

/** The same service, each of whose reads waits first. */
const slow = <I, S extends object>(tag: Context.Service<I, S>, reads: Array<string>) =>
  Effect.map(
    tag,
    (real): S =>
      new Proxy(real, {
        get: (target, name) => {
          const member = Reflect.get(target, name) as unknown
          if (typeof member !== "function") return member
          return (...given: ReadonlyArray<unknown>) => {
            const read = Reflect.apply(member, target, given) as Effect.Effect<unknown>
            return Effect.delay(
              Effect.suspend(() => (reads.push(String(name)), read)),
              TURN_MILLIS
            )
          }
        }
      })
  )

describeLayer(quietMemory, SUITE)("sending health", (it) => {
  it.effect("asks what does not depend on another answer together: ten reads and more wait four times at most", () =>
    Effect.gen(function* () {
      const { workspaceId } = yield* member()
      const reads: Array<string> = []
      const healthOf = yield* makeSendingHealth.pipe(
        Effect.provideServiceEffect(ConsoleReads, slow(ConsoleReads, reads)),
        Effect.provideServiceEffect(HealthReads, slow(HealthReads, reads)),
        Effect.provideServiceEffect(LookStore, slow(LookStore, reads)),
        Effect.provideServiceEffect(SendingStore, slow(SendingStore, reads)),
        Effect.provideServiceEffect(TrailStore, slow(TrailStore, reads)),
        Effect.provideServiceEffect(WorkspaceStore, slow(WorkspaceStore, reads))
      )
      const since = yield* Clock.currentTimeMillis
      const asked = yield* Effect.forkChild(Effect.andThen(healthOf(workspaceId), Clock.currentTimeMillis))
      yield* pass("20 seconds")
      assert.isAtLeast(reads.length, 10)
      assert.isAtMost((yield* Fiber.join(asked)) - since, 4 * TURN_MILLIS)
    })
  )
})
