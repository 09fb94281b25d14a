import { Effect, Redacted } from "effect"
import type { OutboundConfig } from "../../Config.js"
import * as Logging from "../Logging.js"
import { migrated, opening } from "../Opening.js"
import { readConfigured } from "../Providers.js"
import { keepAddress } from "../RunningService.js"
import { answerMetrics } from "./workerMetrics.js"
import { makeWorkers } from "./Workers.js"

/**
 * A service of several processes: this one opens the database, shares the port among its workers, and replaces those that
 * end. Each worker is a host like any other, so what holds for hosts that share a database holds for them.
 */
export const serveByWorkers = (config: OutboundConfig) =>
  Effect.scoped(
    Effect.gen(function* () {
      yield* readConfigured(config)
      const database = yield* opening(config)
      yield* migrated(database)
      answerMetrics()
      const { failed } = yield* makeWorkers(config.workers, {
        databaseUrl: Redacted.value(database.url),
        databasePlace: database.place
      })
      yield* keepAddress(config.database.dataDir, config.baseUrl)
      return yield* Effect.raceFirst(database.lost, failed)
    })
  ).pipe(Effect.provide(Logging.layer(config.logLevel, config.logFormat)))
