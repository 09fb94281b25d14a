import { assert, layer } from "@effect/vitest"
import { troublePauseMillis } from "@outbound/domain/kernel/ports/JobRound.js"
import { type Announcement, type Job, LongWork } from "@outbound/domain/kernel/ports/LongWork.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Deferred, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { die, done, fail, hang, ScriptedJobs, type ScriptedStep, until, wait } from "./ScriptedJobs.js"

/** Long enough for every pause that the scripts and the engine's first retries make. */
const VIRTUAL_PASS = "10 seconds"
const ANNOUNCEMENTS = 20

/**
 * What every engine of long work guarantees. `virtual`: it goes by the fiber's clock, which the suite moves. `real`: it
 * goes by the machine's clock, and the suite waits for what it announced.
 */
export const longWorkContract = <E>(
  name: string,
  engine: Layer.Layer<LongWork | UnitOfWork | ScriptedJobs, E>,
  options: { readonly clock: "virtual" | "real" }
): void => {
  const given = (steps: ReadonlyArray<ScriptedStep>) =>
    Effect.gen(function* () {
      const job: Job = { kind: "operation", key: `${randomUUID()}/${randomUUID()}` }
      yield* (yield* ScriptedJobs).script(job, steps)
      return job
    })

  const announce = (...jobs: ReadonlyArray<Announcement>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      yield* atomically((yield* LongWork).announce(jobs))
    })

  /** Returns once the job was woken so often, and moves the clock for it. */
  const runs = (job: Job, count: number) =>
    Effect.gen(function* () {
      if (options.clock === "virtual") yield* TestClock.adjust(VIRTUAL_PASS)
      const scripted = yield* ScriptedJobs
      yield* scripted.awaitRuns(job, count)
      return yield* scripted.times(job)
    })

  /** Long enough for a wake-up too many to show: another job begins, waits and ends meanwhile. */
  const runsInTheEnd = (job: Job) =>
    Effect.gen(function* () {
      const other = yield* given([wait(300), done])
      yield* announce(other)
      yield* runs(other, 2)
      return (yield* (yield* ScriptedJobs).times(job)).length
    })

  const suite = layer(engine, { timeout: "180 seconds", excludeTestServices: options.clock === "real" })

  suite(`long work (${name})`, (it) => {
    it.effect("a job that waits is woken once, however often it is announced", () =>
      Effect.gen(function* () {
        const job = yield* given([done])
        const later = { ...job, afterMillis: 400 }
        yield* Effect.replicateEffect(announce(later), ANNOUNCEMENTS, { concurrency: "unbounded", discard: true })
        yield* runs(job, 1)
        assert.strictEqual(yield* runsInTheEnd(job), 1)
      })
    )

    it.effect("what is announced in a transaction that fails wakes nobody", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const work = yield* LongWork
        const job = yield* given([done])
        yield* Effect.result(atomically(Effect.andThen(work.announce([job]), Effect.fail("refused"))))
        assert.strictEqual(yield* runsInTheEnd(job), 0)
      })
    )

    it.effect("a job is brought forward, and never put off, by another announcement", () =>
      Effect.gen(function* () {
        const job = yield* given([done])
        yield* announce({ ...job, afterMillis: 3_600_000 })
        yield* announce({ ...job, afterMillis: 10 })
        yield* announce({ ...job, afterMillis: 7_200_000 })
        assert.lengthOf(yield* runs(job, 1), 1)
      })
    )

    it.effect("a job that is announced while it runs is woken again afterwards, and never twice at once", () =>
      Effect.gen(function* () {
        const scripted = yield* ScriptedJobs
        const ends = yield* Deferred.make<void>()
        const job = yield* given([until(ends), done])
        yield* announce(job)
        yield* runs(job, 1)
        yield* announce(job, job)
        assert.strictEqual(yield* runsInTheEnd(job), 1)
        yield* Deferred.succeed(ends, undefined)
        yield* runs(job, 2)
        assert.strictEqual(yield* runsInTheEnd(job), 2)
        assert.strictEqual(yield* scripted.atOnce(job), 1)
      })
    )

    it.effect("a job is not woken before the time that it said", () =>
      Effect.gen(function* () {
        const job = yield* given([wait(250), wait(50), done])
        yield* announce(job)
        const [first = 0, second = 0, third = 0] = yield* runs(job, 3)
        assert.isAtLeast(second - first, 250)
        assert.isAtLeast(third - second, 50)
      })
    )

    it.effect("a job ends when its handler says that it is done", () =>
      Effect.gen(function* () {
        const job = yield* given([wait(0), done, done, done])
        yield* announce(job)
        yield* runs(job, 2)
        assert.strictEqual(yield* runsInTheEnd(job), 2)
      })
    )

    it.effect("a handler that finds the store unavailable is woken again until it succeeds", () =>
      Effect.gen(function* () {
        const job = yield* given([fail, fail, done])
        yield* announce(job)
        yield* runs(job, 3)
        assert.strictEqual(yield* runsInTheEnd(job), 3)
      })
    )

    it.effect("a handler that dies is woken again, later each time, and harms no other job", () =>
      Effect.gen(function* () {
        const broken = yield* given([die, die, die, done])
        const sound = yield* given([wait(50), wait(50), done])
        yield* announce(broken, sound)
        yield* runs(sound, 3)
        const [first = 0, second = 0, third = 0, fourth = 0] = yield* runs(broken, 4)
        for (const [index, pause] of [second - first, third - second, fourth - third].entries()) {
          assert.isAtLeast(pause, troublePauseMillis(index + 1))
        }
        assert.isAbove(troublePauseMillis(3), troublePauseMillis(1))
        assert.strictEqual(yield* runsInTheEnd(broken), 4)
      })
    )

    it.effect("a handler that hangs holds up no other job", () =>
      Effect.gen(function* () {
        const hanging = yield* given([hang])
        const other = yield* given([wait(10), done])
        yield* announce(hanging)
        yield* runs(hanging, 1)
        yield* announce(other)
        assert.strictEqual((yield* runs(other, 2)).length, 2)
      })
    )
  })
}
