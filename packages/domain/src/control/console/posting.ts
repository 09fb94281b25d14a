import { Duration, Effect, FiberSet, Schedule, Semaphore } from "effect"
import { type Letter, Mailer } from "../alerts/Mailer.js"

/** How many emails are sent at once, and how many may wait; more are dropped. */
const SENDING_MAX = 4
const UNDER_WAY_MAX = 200

/** How long emails under way may take once the host stops. */
const DRAIN = Duration.seconds(5)

/** Retries after temporary failures. An email that may have been sent is not retried. */
const again = Schedule.max([Schedule.exponential("2 seconds", 5), Schedule.recurs(2)])

/** Sends the email that `write` makes, if any, in the background: who asks learns nothing of it, nor of how long it takes. */
export const makePost = Effect.gen(function* () {
  const mailer = yield* Mailer
  const underWay = yield* FiberSet.make<void>()
  const turns = yield* Semaphore.make(SENDING_MAX)
  yield* Effect.addFinalizer(() => Effect.timeoutOption(Effect.interruptible(FiberSet.awaitEmpty(underWay)), DRAIN))

  const deliver = (letter: Letter) =>
    mailer.send === null
      ? Effect.void
      : mailer.send(letter).pipe(
          Effect.retry({
            schedule: again,
            while: ({ reason }) => reason === "transient" || reason === "rate_limited"
          })
        )

  return <E>(write: Effect.Effect<Letter | null, E>): Effect.Effect<void> =>
    Effect.gen(function* () {
      if (mailer.send === null) return
      if ((yield* FiberSet.size(underWay)) >= UNDER_WAY_MAX) {
        return yield* Effect.logWarning("sign-in mail: too many emails are waiting; one was dropped")
      }
      const work = write.pipe(
        Effect.flatMap((letter) => (letter === null ? Effect.void : turns.withPermits(1)(deliver(letter)))),
        Effect.catchCause((cause) => Effect.logWarning("sign-in mail: sending an email failed", cause))
      )
      yield* FiberSet.run(underWay, work)
    })
})
