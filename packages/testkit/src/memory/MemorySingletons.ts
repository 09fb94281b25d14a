import { Singletons } from "@outbound/domain/kernel/ports/Singletons.js"
import { Effect, Layer, Schedule } from "effect"

const RESTART_PAUSE = "1 second"

/** One process is all hosts: the work is forked into the scope, and run again when it fails. */
export const layer: Layer.Layer<Singletons> = Layer.succeed(Singletons, {
  run: (name, effect) =>
    effect.pipe(
      Effect.sandbox,
      Effect.tapError((cause) => Effect.logWarning(`The singleton ${name} failed; it is run again`, cause)),
      Effect.retry(Schedule.spaced(RESTART_PAUSE)),
      Effect.orDie,
      Effect.forkScoped,
      Effect.asVoid
    )
})
