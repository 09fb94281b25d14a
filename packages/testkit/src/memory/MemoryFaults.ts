import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Context, Effect, Layer } from "effect"

/** Makes stores fail on request, to see that what depends on them fails closed. */
export class MemoryFaults extends Context.Service<
  MemoryFaults,
  {
    /** The next `times` uses of an operation, such as `SuppressionStore.check`, fail and do nothing. */
    readonly failNext: (operation: string, times: number) => Effect.Effect<void>
    /** Which operations are used while it runs: those of each fiber in their order, so that no transaction is in another. */
    readonly watch: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<ReadonlyArray<string>, E, R>
    /** What happens before each use of an operation from now on; null: nothing. */
    readonly beforeEach: (happens: ((operation: string) => Effect.Effect<void>) | null) => Effect.Effect<void>
    /** What every operation of a store asks first. */
    readonly check: (operation: string) => Effect.Effect<void, StoreUnavailable>
  }
>()("@outbound/testkit/memory/MemoryFaults") {}

export const layer: Layer.Layer<MemoryFaults> = Layer.sync(MemoryFaults, () => {
  const left = new Map<string, number>()
  const watchers = new Set<Map<number, Array<string>>>()
  let before: ((operation: string) => Effect.Effect<void>) | null = null
  return MemoryFaults.of({
    failNext: (operation, times) => Effect.sync(() => void left.set(operation, times)),
    beforeEach: (happens) => Effect.sync(() => void (before = happens)),
    watch: (effect) =>
      Effect.suspend(() => {
        const seen = new Map<number, Array<string>>()
        watchers.add(seen)
        return Effect.ensuring(
          Effect.map(effect, () => [...seen.values()].flat()),
          Effect.sync(() => watchers.delete(seen))
        )
      }),
    check: (operation) =>
      Effect.withFiber<void, StoreUnavailable>(({ id: by }) => {
        for (const seen of watchers) {
          const its = seen.get(by)
          if (its === undefined) seen.set(by, [operation])
          else its.push(operation)
        }
        const times = left.get(operation) ?? 0
        if (times === 0) return before === null ? Effect.void : before(operation)
        left.set(operation, times - 1)
        return Effect.fail(new StoreUnavailable({ operation, cause: new Error("made to fail") }))
      })
  })
})

type Method = Effect.Effect<unknown, unknown, unknown> | ((...args: Array<never>) => Effect.Effect<unknown>)

/** The store, each of its operations failing where it was asked to. */
export const withFaults = <Store extends object>(faults: MemoryFaults["Service"], name: string, store: Store): Store =>
  Object.fromEntries(
    Object.entries(store as Record<string, Method>).map(([method, run]) => {
      const check = faults.check(`${name}.${method}`)
      return [
        method,
        typeof run === "function"
          ? (...args: Array<never>) =>
              Effect.andThen(
                check,
                Effect.suspend(() => run(...args))
              )
          : Effect.andThen(check, run)
      ]
    })
  ) as Store
