import { Deferred, Effect, FiberId } from "effect"
import { inOwnFiber } from "../kernel/inOwnFiber.js"
import { IN_PROGRESS_WAIT_MILLIS } from "./CallJournal.js"

/**
 * Confirmed calls that carry the same token, one after the other on this host: while one executes, the others reserve
 * nothing, and then find the token used. Without it they would be refused for the credits that their likes hold. It
 * decides nothing: whoever has waited `IN_PROGRESS_WAIT_MILLIS` goes on, and only one execution can spend the token.
 */
export class TokenTurns {
  /** By key and token, the end of whoever came last. */
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
