import { Effect } from "effect"

/** Overlapping calls for one person on this host. */
interface Open {
  calls: number
  /** Whether they ever overlapped. */
  overlap: boolean
  readonly turns: Effect.Semaphore
}

/** How an overlapping call ends. */
export interface Turn {
  /** Whether another call for the person ran meanwhile, so that the cache may have changed. */
  readonly overlaps: () => boolean
  /** Runs ends one at a time, so that later ones find what earlier ones cached. */
  readonly inTurn: <A, E, R>(end: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Makes overlapping calls for a person charge as if they ran in sequence: the first to settle pays, the others find its
 * result in the cache. Their lookups still run in parallel.
 */
export class SamePerson {
  readonly #open = new Map<string, Open>()

  during<A, E, R>(personKey: string, work: (turn: Turn) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const open = this.#open.get(personKey) ?? { calls: 0, overlap: false, turns: Effect.unsafeMakeSemaphore(1) }
      this.#open.set(personKey, open)
      open.calls += 1
      if (open.calls > 1) open.overlap = true
      const leave = Effect.sync(() => {
        open.calls -= 1
        if (open.calls === 0) this.#open.delete(personKey)
      })
      const turn: Turn = { overlaps: () => open.overlap, inTurn: open.turns.withPermits(1) }
      return Effect.ensuring(work(turn), leave)
    })
  }
}
