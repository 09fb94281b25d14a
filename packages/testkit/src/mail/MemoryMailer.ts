import { type Letter, Mailer } from "@outbound/domain/control/alerts/Mailer.js"
import { Context, Effect, Layer, Queue } from "effect"

/** The letters that left, in their order. */
export class Letters extends Context.Service<
  Letters,
  {
    /** The next letter, once it has left. */
    readonly next: Effect.Effect<Letter>
    /** Those that nobody has taken yet. */
    readonly rest: Effect.Effect<ReadonlyArray<Letter>>
  }
>()("@outbound/testkit/mail/MemoryMailer/Letters") {}

/** Takes every letter. */
export const layer: Layer.Layer<Letters | Mailer> = Layer.unwrap(
  Effect.map(Queue.unbounded<Letter>(), (letters) =>
    Layer.merge(
      Layer.succeed(Mailer, { send: (letter) => Effect.asVoid(Queue.offer(letters, letter)) }),
      Layer.succeed(Letters, {
        next: Queue.take(letters),
        rest: Queue.clear(letters)
      })
    )
  )
)

/** No mail server is configured, and no letter leaves. */
export const off: Layer.Layer<Letters | Mailer> = Layer.merge(
  Layer.succeed(Mailer, { send: null }),
  Layer.succeed(Letters, { next: Effect.never, rest: Effect.succeed([]) })
)
