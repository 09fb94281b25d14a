import { round } from "@outbound/domain/kernel/ports/JobRound.js"
import { type Announcement, type Job, JobHandlers, LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { Tx, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Context, Effect, FiberMap, Layer, Option } from "effect"

/** The in-memory engine's own controls. */
export class MemoryWork extends Context.Service<
  MemoryWork,
  {
    /** Who does the jobs; what was announced before begins. */
    readonly give: (handlers: JobHandlers["Service"]) => Effect.Effect<void>
    /** What a restart of the process does: work under way is interrupted, and what had not ended begins again. */
    readonly restart: Effect.Effect<void>
  }
>()("@outbound/testkit/memory/MemoryWork") {}

interface Entry {
  readonly job: Job
  dueMillis: number
  troubles: number
  /** Its handler runs; what is announced meanwhile comes after it. */
  isRunning: boolean
  isAnnouncedAgain: boolean
}

/** What the transaction of this fiber has announced; nothing of it begins before the commit. */
const Announced = Context.Reference("@outbound/testkit/memory/MemoryWork/Announced", {
  defaultValue: (): Array<Announcement> | null => null
})

/**
 * Long work on fibers of the layer's scope, by the fiber's `Clock`, and a unit of work whose commit lets it begin.
 * `UnitOfWork` has to be taken from this layer. What was announced survives `restart` only.
 */
export const layer: Layer.Layer<LongWork | UnitOfWork | MemoryWork, never, UnitOfWork> = Layer.effectContext(
  Effect.gen(function* () {
    const stores = yield* UnitOfWork
    const entries = new Map<string, Entry>()
    const fibers = yield* FiberMap.make<string>()
    let handlers: JobHandlers["Service"] | null = null

    const wake = (id: string, entry: Entry, given: JobHandlers["Service"]) =>
      Effect.gen(function* () {
        while (entries.get(id) === entry) {
          const leftMillis = entry.dueMillis - (yield* Clock.currentTimeMillis)
          if (leftMillis > 0) yield* Effect.sleep(leftMillis)
          entry.isRunning = true
          entry.isAnnouncedAgain = false
          const { next, troubles } = yield* round(given, entry.job, entry.troubles)
          entry.isRunning = false
          entry.troubles = troubles
          if (entry.isAnnouncedAgain) continue
          if (next._tag === "Done") entries.delete(id)
          else entry.dueMillis = (yield* Clock.currentTimeMillis) + next.millis
        }
      }).pipe(Effect.provideService(Announced, null))

    const begin = (id: string, entry: Entry) =>
      handlers === null
        ? Effect.void
        : // Not before whoever announced it goes on, as with an engine of its own.
          Effect.asVoid(FiberMap.run(fibers, id, wake(id, entry, handlers), { startImmediately: false }))

    const accept = ({ afterMillis = 0, key, kind }: Announcement) =>
      Effect.gen(function* () {
        const id = `${kind}:${key}`
        const dueMillis = (yield* Clock.currentTimeMillis) + afterMillis
        const waiting = entries.get(id)
        if (waiting?.isRunning === true) {
          waiting.isAnnouncedAgain = true
          return
        }
        if (waiting !== undefined && waiting.dueMillis <= dueMillis) return
        const entry = { job: { kind, key }, dueMillis, troubles: 0, isRunning: false, isAnnouncedAgain: false }
        entries.set(id, entry)
        yield* begin(id, entry)
      })

    const atomically: UnitOfWork["Service"]["atomically"] = (effect) =>
      Effect.flatMap(Effect.serviceOption(Tx), (outer) => {
        if (Option.isSome(outer)) return stores.atomically(effect)
        const jobs: Array<Announcement> = []
        // The body may run again: what an earlier try announced is void.
        const body = Effect.suspend(() => {
          jobs.length = 0
          return Effect.provideService(effect, Announced, jobs)
        })
        return Effect.tap(
          stores.atomically(body),
          Effect.suspend(() => Effect.forEach(jobs, accept, { discard: true }))
        )
      })

    const announce: LongWork["Service"]["announce"] = (jobs) =>
      Effect.flatMap(Announced, (waiting) => {
        if (waiting === null) return Effect.forEach(jobs, accept, { discard: true })
        waiting.push(...jobs)
        return Effect.void
      })

    const beginAll = Effect.suspend(() => Effect.forEach(entries, ([id, entry]) => begin(id, entry), { discard: true }))

    const restart = Effect.gen(function* () {
      yield* FiberMap.clear(fibers)
      for (const entry of entries.values()) entry.isRunning = false
      yield* beginAll
    })

    const give = (given: JobHandlers["Service"]) =>
      Effect.suspend(() => {
        handlers = given
        return beginAll
      })

    return Context.make(LongWork, { announce }).pipe(
      Context.add(UnitOfWork, UnitOfWork.of({ atomically })),
      Context.add(MemoryWork, { give, restart })
    )
  })
)

/** Does what is announced. Apart from `layer`, because handlers announce work of their own. */
export const runner: Layer.Layer<never, never, MemoryWork | JobHandlers> = Layer.effectDiscard(
  Effect.flatMap(Effect.all([MemoryWork, JobHandlers]), ([work, handlers]) => work.give(handlers))
)
