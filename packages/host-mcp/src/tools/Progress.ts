import { Effect } from "effect"

/** When a call that takes so long is first spoken of, and how often from then on. */
const FIRST_MILLIS = 1_000
const EVERY_MILLIS = 5_000

export interface Progress {
  /** Seconds since the call began: it grows, and nobody knows how far. */
  readonly progress: number
  readonly message: string
}

/**
 * Tells of a call that is still running, so that a client neither gives up nor wonders. It is told nothing once the
 * call has ended.
 */
export const tellingProgress = <A>(
  name: string,
  tell: (progress: Progress) => Promise<void>,
  call: Effect.Effect<A>
): Effect.Effect<A> => {
  const say = (seconds: number) =>
    Effect.ignore(Effect.tryPromise(() => tell({ progress: seconds, message: `${name} runs for ${seconds} s.` })))
  const telling = (elapsedMillis: number): Effect.Effect<never> =>
    Effect.sleep(elapsedMillis === 0 ? FIRST_MILLIS : EVERY_MILLIS).pipe(
      Effect.as(elapsedMillis === 0 ? FIRST_MILLIS : elapsedMillis + EVERY_MILLIS),
      Effect.tap((millis) => say(millis / 1_000)),
      Effect.flatMap(telling)
    )
  return Effect.flatMap(Effect.fork(Effect.interruptible(telling(0))), (fiber) =>
    Effect.ensuring(call, fiber.interruptAsFork(fiber.id()))
  )
}
