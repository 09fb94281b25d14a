import { Deferred, Effect, FiberId } from "effect"
import { inOwnFiber } from "../kernel/inOwnFiber.js"
import { IN_PROGRESS_WAIT_MILLIS } from "./CallJournal.js"

/**
 * Runs confirmed calls with the same token one at a time on this host. While one runs, the others reserve nothing and
 * then find the token used; otherwise they would be refused for credits that their duplicates reserve. It is only an
 * optimisation: after `IN_PROGRESS_WAIT_MILLIS` a call goes on, and the token can be spent only once.
 */
export class TokenTurns {
  /** By key and token: when the last call in the queue ends. */
  readonly #last = new Map<string, Deferred.Deferred<void>>()

  take<A, E, R>(keyHash: string, tokenHash: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const name = `${keyHash} ${tokenHash}`
      const before = this.#last.get(name)
      const own = Deferred.unsafeMake<void>(FiberId.none)
      this.#last.set(name, own)
      const turn =
        before === undefined
          ? Effect.void
          : inOwnFiber(Effect.timeoutOption(Deferred.await(before), IN_PROGRESS_WAIT_MILLIS))
      const end = Effect.sync(() => {
        if (this.#last.get(name) === own) this.#last.delete(name)
        Deferred.unsafeDone(own, Effect.void)
      })
      return turn.pipe(Effect.zipRight(work), Effect.ensuring(end))
    })
  }
}
