import { type Letter, Mailer } from "@outbound/domain/control/alerts/Mailer.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Context, Effect, Layer } from "effect"

/** The service's mail server, as a test wants it. */
export class ScriptedMailer extends Context.Service<
  ScriptedMailer,
  {
    /** The letters that it took, in order. */
    readonly letters: Array<Letter>
    /** What becomes of the next letters; null: it takes them. A letter that may have arrived is among `letters`. */
    trouble: Effect.Effect<never, ProviderFailure> | null
  }
>()("@outbound/testkit/mail/ScriptedMailer") {}

export const layer: Layer.Layer<Mailer | ScriptedMailer> = Layer.unwrap(
  Effect.sync(() => {
    const made = ScriptedMailer.of({ letters: [], trouble: null })
    const take = (letter: Letter) =>
      Effect.suspend(() => {
        if (made.trouble !== null) {
          return Effect.tapError(made.trouble, ({ reason }) =>
            Effect.sync(() => reason === "unknown_outcome" && made.letters.push(letter))
          )
        }
        made.letters.push(letter)
        return Effect.void
      })
    return Layer.merge(Layer.succeed(ScriptedMailer, made), Layer.succeed(Mailer, { send: take }))
  })
)
