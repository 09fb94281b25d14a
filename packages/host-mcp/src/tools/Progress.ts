import { Effect } from "effect"

/** When the first progress is sent, and how often after that. */
const FIRST_MILLIS = 1_000
const EVERY_MILLIS = 5_000

export interface Progress {
  /** Seconds since the call began; the total is unknown. */
  readonly progress: number
  readonly message: string
}

/** Sends progress while a call runs, so that the client does not give up. Nothing is sent after its end. */
export const tellingProgress = <A>(
  name: string,
  tell: (progress: Progress) => Promise<void>,
  call: Effect.Effect<A>
): Effect.Effect<A> => {
  const say = (seconds: number) =>
    Effect.ignore(
      Effect.tryPromise(() => tell({ progress: seconds, message: `${name} has been running for ${seconds} s.` }))
    )
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
