import { type Advance, type Job, JobHandlers, type JobHandler } from "@outbound/domain/kernel/ports/LongWork.js"
import { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Context, Deferred, Effect, Layer } from "effect"

/** What a scripted handler does when it is woken. */
export type ScriptedStep =
  | Advance
  | { readonly _tag: "Fail" }
  | { readonly _tag: "Die" }
  | { readonly _tag: "Hang" }
  | { readonly _tag: "Await"; readonly until: Deferred.Deferred<void> }

export const done: ScriptedStep = { _tag: "Done" }
export const wait = (millis: number): ScriptedStep => ({ _tag: "Wait", millis })
export const fail: ScriptedStep = { _tag: "Fail" }
export const die: ScriptedStep = { _tag: "Die" }
export const hang: ScriptedStep = { _tag: "Hang" }
/** Ends as done when the test says so. */
export const until = (until: Deferred.Deferred<void>): ScriptedStep => ({ _tag: "Await", until })

/** Handlers that do what a test wrote down, and remember when they were woken. */
export class ScriptedJobs extends Context.Service<
  ScriptedJobs,
  {
    /** What the job's handler does, one wake-up after the other; past the end it is done. */
    readonly script: (job: Job, steps: ReadonlyArray<ScriptedStep>) => Effect.Effect<void>
    /** When it was woken, epoch milliseconds. */
    readonly times: (job: Job) => Effect.Effect<ReadonlyArray<number>>
    /** Returns once it was woken so often. */
    readonly awaitRuns: (job: Job, count: number) => Effect.Effect<void>
    /** How many of it ran at once, at most. */
    readonly atOnce: (job: Job) => Effect.Effect<number>
  }
>()("@outbound/testkit/contracts/ScriptedJobs") {}

interface Entry {
  steps: ReadonlyArray<ScriptedStep>
  running: number
  runningMost: number
  readonly times: Array<number>
  waiters: Array<{ readonly count: number; readonly reached: Deferred.Deferred<void> }>
}

const perform = (step: ScriptedStep): Effect.Effect<Advance, StoreUnavailable> => {
  switch (step._tag) {
    case "Fail":
      return Effect.fail(new StoreUnavailable({ operation: "ScriptedJobs", cause: "scripted" }))
    case "Die":
      return Effect.die(new Error("scripted"))
    case "Hang":
      return Effect.never
    case "Await":
      return Effect.as(Deferred.await(step.until), { _tag: "Done" })
    default:
      return Effect.succeed(step)
  }
}

export const layer: Layer.Layer<ScriptedJobs | JobHandlers> = Layer.effectContext(
  Effect.sync(() => {
    const entries = new Map<string, Entry>()
    const entryOf = (key: string): Entry => {
      const entry = entries.get(key) ?? { steps: [], running: 0, runningMost: 0, times: [], waiters: [] }
      entries.set(key, entry)
      return entry
    }

    const handler: JobHandler = (key) =>
      Effect.gen(function* () {
        const entry = entryOf(key)
        const step = entry.steps[entry.times.length] ?? done
        entry.times.push(yield* Clock.currentTimeMillis)
        entry.running += 1
        entry.runningMost = Math.max(entry.runningMost, entry.running)
        const reached = entry.waiters.filter(({ count }) => count <= entry.times.length)
        entry.waiters = entry.waiters.filter(({ count }) => count > entry.times.length)
        for (const waiter of reached) yield* Deferred.succeed(waiter.reached, undefined)
        return yield* perform(step)
      }).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            entryOf(key).running -= 1
          })
        )
      )

    return Context.make(JobHandlers, {
      operation: handler,
      kill: handler,
      domain: handler,
      watch: handler,
      follow_ups: handler,
      winner: handler,
      crm: handler,
      sweeps: handler
    }).pipe(
      Context.add(ScriptedJobs, {
        script: ({ key }, steps) =>
          Effect.sync(() => {
            entryOf(key).steps = steps
          }),
        times: ({ key }) => Effect.sync(() => [...entryOf(key).times]),
        awaitRuns: ({ key }, count) =>
          Effect.gen(function* () {
            const entry = entryOf(key)
            if (entry.times.length >= count) return
            const reached = yield* Deferred.make<void>()
            entry.waiters.push({ count, reached })
            yield* Deferred.await(reached)
          }),
        atOnce: ({ key }) => Effect.sync(() => entryOf(key).runningMost)
      })
    )
  })
)
