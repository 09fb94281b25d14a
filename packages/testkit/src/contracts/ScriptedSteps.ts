import { type Advance, type OperationRef, OperationSteps } from "@outbound/domain/kernel/ports/DurableEngine.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Context, Deferred, Effect, Layer } from "effect"

/** What a scripted step does when it is run. */
export type ScriptedStep = Advance | { readonly _tag: "Fail" } | { readonly _tag: "Die" } | { readonly _tag: "Hang" }

export const done: ScriptedStep = { _tag: "Done" }
export const wait = (millis: number): ScriptedStep => ({ _tag: "Wait", millis })
export const fail: ScriptedStep = { _tag: "Fail" }
export const die: ScriptedStep = { _tag: "Die" }
export const hang: ScriptedStep = { _tag: "Hang" }

/** Steps that do what a test wrote down, and remember when they were run. */
export class ScriptedSteps extends Context.Tag("@outbound/testkit/contracts/ScriptedSteps")<
  ScriptedSteps,
  {
    /** What the operation's steps do, one after the other; past the end they are done. */
    readonly script: (operation: OperationRef, steps: ReadonlyArray<ScriptedStep>) => Effect.Effect<void>
    /** When its steps were run, epoch milliseconds. */
    readonly times: (operation: OperationRef) => Effect.Effect<ReadonlyArray<number>>
    /** Returns once `count` of its steps were run. */
    readonly awaitRuns: (operation: OperationRef, count: number) => Effect.Effect<void>
  }
>() {}

interface Entry {
  steps: ReadonlyArray<ScriptedStep>
  readonly times: Array<number>
  waiters: Array<{ readonly count: number; readonly reached: Deferred.Deferred<void> }>
}

const perform = (step: ScriptedStep): Effect.Effect<Advance, StoreUnavailable> => {
  switch (step._tag) {
    case "Fail":
      return Effect.fail(new StoreUnavailable({ operation: "ScriptedSteps", cause: "scripted" }))
    case "Die":
      return Effect.die(new Error("scripted"))
    case "Hang":
      return Effect.never
    default:
      return Effect.succeed(step)
  }
}

export const layer: Layer.Layer<ScriptedSteps | OperationSteps> = Layer.effectContext(
  Effect.sync(() => {
    const entries = new Map<string, Entry>()
    const entryOf = ({ operationId, workspaceId }: OperationRef): Entry => {
      const key = `${workspaceId}/${operationId}`
      const entry = entries.get(key) ?? { steps: [], times: [], waiters: [] }
      entries.set(key, entry)
      return entry
    }

    const advance = (operation: OperationRef) =>
      Effect.gen(function* () {
        const entry = entryOf(operation)
        const step = entry.steps[entry.times.length] ?? done
        entry.times.push(yield* Clock.currentTimeMillis)
        const reached = entry.waiters.filter(({ count }) => count <= entry.times.length)
        entry.waiters = entry.waiters.filter(({ count }) => count > entry.times.length)
        for (const waiter of reached) yield* Deferred.succeed(waiter.reached, undefined)
        return yield* perform(step)
      })

    return Context.make(OperationSteps, { advance }).pipe(
      Context.add(ScriptedSteps, {
        script: (operation, steps) =>
          Effect.sync(() => {
            entryOf(operation).steps = steps
          }),
        times: (operation) => Effect.sync(() => [...entryOf(operation).times]),
        awaitRuns: (operation, count) =>
          Effect.gen(function* () {
            const entry = entryOf(operation)
            if (entry.times.length >= count) return
            const reached = yield* Deferred.make<void>()
            entry.waiters.push({ count, reached })
            yield* Deferred.await(reached)
          })
      })
    )
  })
)
