import { Effect } from "effect"

/** Calls for one person that overlap on this host. */
interface Open {
  calls: number
  /** Whether there was ever more than one of them. */
  overlap: boolean
  readonly turns: Effect.Semaphore
}

/** How one of the overlapping calls ends. */
export interface Turn {
  /** Whether another call for the person was, or is, under way: what is known of them may have changed meanwhile. */
  readonly overlaps: () => boolean
  /** One after the other: who comes later finds what an earlier one left in the cache. */
  readonly inTurn: <A, E, R>(end: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/**
 * Lets calls for the same person that overlap on this host charge as if one had come after the other: the first to be
 * settled pays, and the others find in the cache what it has paid for. Their lookups run side by side all the same.
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
