import { Context, Effect, Layer } from "effect"
import { TestHosts, TestSuspension } from "../contracts/Hooks.js"
import { Memory } from "./Memory.js"
import { makeHost } from "./MemoryCallJournal.js"
import { MemoryFaults } from "./MemoryFaults.js"
import { suspendSending } from "./MemoryWorkspaceStore.js"

/** What the suites do to the in-memory stores that no port can do. */
export const layer: Layer.Layer<TestHosts | TestSuspension, never, Memory | MemoryFaults> = Layer.effectContext(
  Effect.map(Effect.context<Memory | MemoryFaults>(), (context) =>
    Context.make(TestHosts, { start: Effect.provide(makeHost, context) }).pipe(
      Context.add(TestSuspension, {
        suspend: (workspaceId, atMillis, reason) =>
          Effect.provide(suspendSending(workspaceId, { atMillis, reason }), context)
      })
    )
  )
)
