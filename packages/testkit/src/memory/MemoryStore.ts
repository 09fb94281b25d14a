import { type Context, Effect, Layer } from "effect"
import { Memory } from "./Memory.js"
import { MemoryFaults, withFaults } from "./MemoryFaults.js"

/** The layer of a store over `Memory`, open to faults under the store's name. */
export const memoryStore = <Id, Store extends object>(
  tag: Context.Key<Id, Store>,
  name: string,
  make: (memory: Memory["Service"]) => Store
): Layer.Layer<Id, never, Memory | MemoryFaults> =>
  Layer.effect(
    tag,
    Effect.gen(function* () {
      const memory = yield* Memory
      return withFaults(yield* MemoryFaults, name, make(memory))
    })
  )
