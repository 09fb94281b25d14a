import type { MovableClock } from "@outbound/sandbox/clock/MovableClock.js"
import { Clock, Effect, Layer, Redacted } from "effect"
import type { OutboundConfig } from "../Config.js"
import type { WorkerPart } from "./cluster/part.js"
import type { Database } from "./Database.js"
import * as Logging from "./Logging.js"
import { opening } from "./Opening.js"
import * as Tracing from "./Tracing.js"

/** The database of a worker, which its primary opened. */
const givenTo = (part: WorkerPart): Database => ({
  url: Redacted.make(part.databaseUrl),
  place: part.databasePlace,
  isOurs: false,
  lost: Effect.never
})

const program = Effect.promise(() => import("./Serve.js"))

/**
 * Opens the database and runs the service on it. The database starts, and recovers from a crash, in its own processes
 * while this one loads the rest of the program. It stops last.
 */
export const start = (config: OutboundConfig, part: WorkerPart | null, movable: MovableClock | null = null) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = part === null ? opening(config) : Effect.succeed(givenTo(part))
      const [opened, { serve }] = yield* Effect.all([database, program], { concurrency: 2 })
      return yield* serve(config, opened, part, movable)
    })
  ).pipe(
    (service) => (movable === null ? service : Effect.provideService(service, Clock.Clock, movable.clock)),
    Effect.onInterrupt(() => Effect.logInfo("Stopped.")),
    Effect.provide(Layer.merge(Logging.layer(config.logLevel, config.logFormat), Tracing.layer(config.otlpEndpoint)))
  )
