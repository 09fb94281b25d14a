import { type Backoff, backoff } from "@outbound/domain/kernel/backoff.js"
import { Data, Deferred, Effect, type Scope } from "effect"
import cluster, { type Worker } from "node:cluster"
import { LIMITS } from "../../http/Limits.js"
import { PART_VARIABLE, type WorkerPart } from "./part.js"

/** A worker ended before it listened. It has said why. */
export class WorkerFailed extends Data.TaggedError("WorkerFailed")<{ readonly code: number | null }> {
  override get message(): string {
    return "A worker of the service could not start."
  }
}

/** The waits before a worker is started again. */
const RESTARTS: Backoff = { first: 100, max: 10_000 }
/** One that lived so long failed for a new reason. */
const LIVED_MILLIS = 60_000

/** How long workers may take to stop: to drain their calls and to stop their work. */
const STOP_MILLIS_MAX = LIMITS.drainMillisMax + LIMITS.brokenOffMillisMax + 10_000

type Shared = Pick<WorkerPart, "databaseUrl" | "databasePlace">

interface Slot {
  readonly isFirst: boolean
  worker: Worker | null
  failures: number
  timer: NodeJS.Timeout | null
}

/**
 * Runs so many workers until the scope closes, and starts another one in the place of each that ends. Fails if one of the
 * first could not start. Ends once the first one listens.
 */
export const makeWorkers = (
  count: number,
  shared: Shared
): Effect.Effect<{ readonly failed: Effect.Effect<never, WorkerFailed> }, WorkerFailed, Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Effect.context<never>()
    const failed = yield* Deferred.make<never, WorkerFailed>()
    const ready = yield* Deferred.make<void>()
    const slots = Array.from({ length: count }, (_, at): Slot => {
      return { isFirst: at === 0, worker: null, failures: 0, timer: null }
    })
    let isStopping = false

    // The kernel gives each connection to one of those that wait for one. By turns of the primary, a connection on its way
    // to a worker that just died would never be answered or closed.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    const start = (slot: Slot, isRestarted: boolean): void => {
      const part: WorkerPart = { ...shared, isFirst: slot.isFirst, isRestarted }
      const worker = cluster.fork({ [PART_VARIABLE]: JSON.stringify(part) })
      const since = performance.now()
      let listened = false
      slot.worker = worker
      worker.on("listening", () => {
        listened = true
        if (slot.isFirst) Deferred.doneUnsafe(ready, Effect.void)
      })
      worker.on("exit", (code: number | null, signal: string | null) => {
        slot.worker = null
        if (isStopping) return
        if (!listened && !isRestarted) return Deferred.doneUnsafe(failed, Effect.fail(new WorkerFailed({ code })))
        slot.failures = performance.now() - since > LIVED_MILLIS ? 1 : slot.failures + 1
        Effect.runForkWith(runtime)(
          Effect.logError("A worker ended; another one takes its place.").pipe(
            Effect.annotateLogs({ pid: worker.process.pid, code, signal })
          )
        )
        slot.timer = setTimeout(() => start(slot, true), backoff(slot.failures, RESTARTS))
      })
    }

    const stop = Effect.gen(function* () {
      isStopping = true
      const ends = slots.flatMap(({ timer, worker }) => {
        if (timer !== null) clearTimeout(timer)
        if (worker === null) return []
        worker.process.kill("SIGTERM")
        return [
          Effect.callback<void>((resume) => {
            if (worker.isDead()) return resume(Effect.void)
            worker.once("exit", () => resume(Effect.void))
          })
        ]
      })
      yield* Effect.timeoutOption(Effect.all(ends, { concurrency: "unbounded", discard: true }), STOP_MILLIS_MAX)
      for (const { worker } of slots) worker?.process.kill("SIGKILL")
    })

    yield* Effect.acquireRelease(
      Effect.sync(() => {
        for (const slot of slots) start(slot, false)
      }),
      () => stop
    )
    yield* Effect.raceFirst(Deferred.await(ready), Deferred.await(failed))
    return { failed: Deferred.await(failed) }
  })
