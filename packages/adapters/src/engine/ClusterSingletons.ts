import { Sharding } from "@effect/cluster/Sharding"
import { Singletons } from "@outbound/domain/kernel/ports/Singletons.js"
import { Effect, Layer, Schedule } from "effect"

const RESTART_PAUSE_MIN = "200 millis"
const RESTART_PAUSE_MAX = "30 seconds"

/** Doubling pauses. One that ran for long and then fails is run again after the longest. */
const restarts = Schedule.union(Schedule.exponential(RESTART_PAUSE_MIN), Schedule.spaced(RESTART_PAUSE_MAX))

/** Singletons on the cluster: each belongs to a shard, and runs on the host that holds the shard's lock. */
export const layer: Layer.Layer<Singletons, never, Sharding> = Layer.effect(
  Singletons,
  Effect.map(Sharding, (sharding) => ({
    run: (name, effect) =>
      sharding.registerSingleton(
        name,
        effect.pipe(
          Effect.sandbox,
          Effect.tapError((cause) => Effect.logWarning(`The singleton ${name} failed; it is run again`, cause)),
          Effect.retry(restarts),
          Effect.orDie
        )
      )
  }))
)
