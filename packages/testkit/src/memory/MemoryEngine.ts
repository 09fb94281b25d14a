import { OPERATION_ROUNDS_MAX, round, troublePauseMillis } from "@outbound/domain/outreach/operations/OperationRound.js"
import { DurableEngine, type OperationRef, OperationSteps } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { Context, Effect, FiberMap, Layer } from "effect"

/** The in-memory engine's own controls. */
export class MemoryEngine extends Context.Tag("@outbound/testkit/memory/MemoryEngine")<
  MemoryEngine,
  {
    /** What a restart of the process does: work under way is interrupted, and what had not ended begins again. */
    readonly restart: Effect.Effect<void>
  }
>() {}

interface Asked {
  readonly operation: OperationRef
  ended: boolean
}

/** Runs operations on fibers of the layer's scope, by the fiber's `Clock`. What was asked survives `restart` only. */
export const layer: Layer.Layer<DurableEngine | MemoryEngine, never, OperationSteps> = Layer.scopedContext(
  Effect.gen(function* () {
    const steps = yield* OperationSteps
    const asked = new Map<string, Asked>()
    const fibers = yield* FiberMap.make<string>()

    const run = (entry: Asked): Effect.Effect<void> =>
      Effect.gen(function* () {
        let troubles = 0
        for (let rounds = 0; rounds < OPERATION_ROUNDS_MAX; rounds++) {
          const result = yield* round(entry.operation)
          if (result._tag === "Done") break
          troubles = result._tag === "Trouble" ? troubles + 1 : 0
          yield* Effect.sleep(result._tag === "Trouble" ? troublePauseMillis(troubles) : result.millis)
        }
        entry.ended = true
      }).pipe(Effect.provideService(OperationSteps, steps))

    const keyOf = (operation: OperationRef): string => `${operation.workspaceId}/${operation.operationId}`

    const start = (operation: OperationRef): Effect.Effect<void> =>
      Effect.suspend(() => {
        const key = keyOf(operation)
        if (asked.has(key)) return Effect.void
        const entry = { operation, ended: false }
        asked.set(key, entry)
        return FiberMap.run(fibers, key, run(entry))
      })

    const restart = Effect.gen(function* () {
      yield* FiberMap.clear(fibers)
      for (const [key, entry] of asked) if (!entry.ended) yield* FiberMap.run(fibers, key, run(entry))
    })

    return Context.make(DurableEngine, { start }).pipe(Context.add(MemoryEngine, { restart }))
  })
)
