import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer } from "effect"
import { Memory } from "./Memory.js"
import { MemoryFaults } from "./MemoryFaults.js"

export const layer: Layer.Layer<UnitOfWork, never, Memory | MemoryFaults> = Layer.effect(
  UnitOfWork,
  Effect.gen(function* () {
    const memory = yield* Memory
    const faults = yield* MemoryFaults
    return UnitOfWork.of({
      atomically: (effect) => Effect.andThen(faults.check("UnitOfWork.atomically"), memory.atomically(effect))
    })
  })
)
