import { Cause, type Clock, Duration, Effect } from "effect"
import type { Events } from "../../calls/Calls.js"
import { Bag } from "../../kernel/Bag.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"

/** The longest that a moment which came nearer goes unnoticed. */
const LOOK_MILLIS = 2_000

export interface Deadline {
  /** May move. */
  readonly dueMillis: () => number
  /** Called at each look until it is due later, or is taken away. */
  readonly onLate: () => void
}

/** The deadlines of all chats by one clock. One sleep serves them, because a timer for each costs more than the chat. */
class Deadlines {
  readonly #all = new Bag<Deadline>()
  #wakeMillis = Infinity

  constructor(private readonly clock: Clock.Clock) {}

  /** Returns what takes it away again. */
  add(deadline: Deadline): () => void {
    const remove = this.#all.add(deadline)
    this.#sleep(deadline.dueMillis())
    return remove
  }

  #sleep(dueMillis: number): void {
    const nowMillis = this.clock.currentTimeMillisUnsafe()
    const wakeMillis = Math.min(dueMillis, nowMillis + LOOK_MILLIS)
    if (wakeMillis >= this.#wakeMillis) return
    this.#wakeMillis = wakeMillis
    const asleep = Effect.runFork(this.clock.sleep(Duration.millis(Math.max(0, wakeMillis - nowMillis))))
    // One that was overtaken by an earlier one finds another time here.
    asleep.addObserver(() => wakeMillis === this.#wakeMillis && this.#look())
  }

  #look(): void {
    this.#wakeMillis = Infinity
    const nowMillis = this.clock.currentTimeMillisUnsafe()
    // Who is late is taken away when its request ends.
    const late: Array<Deadline> = []
    let nextMillis = Infinity
    for (const deadline of this.#all) {
      const dueMillis = deadline.dueMillis()
      if (dueMillis > nowMillis) nextMillis = Math.min(nextMillis, dueMillis)
      else late.push(deadline)
    }
    for (const { onLate } of late) onLate()
    if (this.#all.size > 0) this.#sleep(nextMillis)
  }
}

const byClock = new WeakMap<Clock.Clock, Deadlines>()

/** The deadlines by a clock. */
export const deadlinesOf = (clock: Clock.Clock): Pick<Deadlines, "add"> => {
  const deadlines = byClock.get(clock) ?? new Deadlines(clock)
  byClock.set(clock, deadlines)
  return deadlines
}

/** When to stop a request to an upstream. */
export interface Until {
  readonly clock: Clock.Clock
  /** Ends the request. */
  readonly controller: AbortController
  /** May move. A moment that comes nearer is noticed within two seconds. */
  readonly dueMillis: () => number
  readonly late: () => ProviderFailure
  /** Whose client may leave; null: it is not known. */
  readonly events: Pick<Events, "onLeft"> | null
}

/**
 * Attends a request that ends by the controller's signal. It fails as `late` once it is due, and is interrupted if the
 * client leaves. Run it uninterruptibly: it needs no fiber of its own then.
 */
export const attended = <A>(
  request: Effect.Effect<A, ProviderFailure>,
  { clock, controller, dueMillis, events, late }: Until
): Effect.Effect<A, ProviderFailure> =>
  Effect.suspend(() => {
    let instead: Effect.Effect<never, ProviderFailure> | null = null
    const stop = (by: Effect.Effect<never, ProviderFailure>): void => {
      instead ??= by
      controller.abort()
    }
    const forget = deadlinesOf(clock).add({ dueMillis, onLate: () => stop(Effect.failSync(late)) })
    const ignore = events?.onLeft(() => stop(Effect.interrupt))
    const ended = (): void => {
      forget()
      ignore?.()
    }
    return Effect.matchCauseEffect(request, {
      onFailure: (cause) => {
        ended()
        return instead === null || Cause.hasDies(cause) ? Effect.failCause(cause) : instead
      },
      onSuccess: (value) => {
        ended()
        return Effect.succeed(value)
      }
    })
  })
