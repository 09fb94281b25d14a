import { type Clock, Duration, Effect, Exit, FiberId, Runtime } from "effect"
import type { Events } from "../../calls/Calls.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"

/** The longest that a moment which came nearer goes unnoticed. */
const LOOK_MILLIS = 2_000

interface Deadline {
  readonly dueMillis: () => number
  readonly onLate: () => void
}

/** The deadlines of all chats by one clock. One sleep serves them, because a timer for each costs more than the chat. */
class Deadlines {
  readonly #all = new Set<Deadline>()
  #wakeMillis = Infinity

  constructor(private readonly clock: Clock.Clock) {}

  /** Returns what takes it away again. */
  add(deadline: Deadline): () => void {
    this.#all.add(deadline)
    this.#sleep(deadline.dueMillis())
    return () => void this.#all.delete(deadline)
  }

  #sleep(dueMillis: number): void {
    const nowMillis = this.clock.unsafeCurrentTimeMillis()
    const wakeMillis = Math.min(dueMillis, nowMillis + LOOK_MILLIS)
    if (wakeMillis >= this.#wakeMillis) return
    this.#wakeMillis = wakeMillis
    const asleep = Effect.runFork(this.clock.sleep(Duration.millis(Math.max(0, wakeMillis - nowMillis))))
    // One that was overtaken by an earlier one finds another time here.
    asleep.addObserver(() => wakeMillis === this.#wakeMillis && this.#look())
  }

  #look(): void {
    this.#wakeMillis = Infinity
    const nowMillis = this.clock.unsafeCurrentTimeMillis()
    let nextMillis = Infinity
    for (const deadline of this.#all) {
      const dueMillis = deadline.dueMillis()
      if (dueMillis > nowMillis) nextMillis = Math.min(nextMillis, dueMillis)
      else {
        this.#all.delete(deadline)
        deadline.onLate()
      }
    }
    if (this.#all.size > 0) this.#sleep(nextMillis)
  }
}

const byClock = new WeakMap<Clock.Clock, Deadlines>()

const deadlinesOf = (clock: Clock.Clock): Deadlines => {
  const deadlines = byClock.get(clock) ?? new Deadlines(clock)
  byClock.set(clock, deadlines)
  return deadlines
}

/** When to stop a request to an upstream. */
export interface Until {
  /** May move. A moment that comes nearer is noticed within two seconds. */
  readonly dueMillis: () => number
  readonly late: () => ProviderFailure
  /** Whose client may leave; null: it is not known. */
  readonly events: Pick<Events, "onLeft"> | null
}

/**
 * Runs a request on a fiber of its own, the only one. It fails as `late` once it is due, and is interrupted if the client
 * leaves. Either way the request has ended before.
 */
export const attended = <A, R>(
  request: Effect.Effect<A, ProviderFailure, R>,
  { dueMillis, events, late }: Until
): Effect.Effect<A, ProviderFailure, R> =>
  Effect.flatMap(Effect.clock, (clock) =>
    Effect.flatMap(Effect.runtime<R>(), (runtime) =>
      Effect.async<A, ProviderFailure>((resume) => {
        const fiber = Runtime.runFork(runtime, Effect.interruptible(request))
        let instead: Effect.Effect<never, ProviderFailure> | null = null
        const stop = (by: Effect.Effect<never, ProviderFailure>): void => {
          instead ??= by
          fiber.unsafeInterruptAsFork(FiberId.none)
        }
        const forget = deadlinesOf(clock).add({ dueMillis, onLate: () => stop(Effect.failSync(late)) })
        const ignore = events?.onLeft(() => stop(Effect.interrupt))
        fiber.addObserver((exit) => {
          forget()
          ignore?.()
          resume(instead !== null && Exit.isInterrupted(exit) ? instead : exit)
        })
      })
    )
  )
