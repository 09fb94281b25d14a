import { migrate } from "@outbound/adapters/postgres/Migrations.js"
import { Data, Effect, Option } from "effect"
import type { OutboundConfig } from "../Config.js"
import * as HttpServer from "../HttpServer.js"
import { type Database, openDatabase } from "./Database.js"
import { patientPool } from "./PatientPool.js"
import { runningOn } from "./RunningService.js"

/** Another service of ours has the port. */
export class AlreadyRunning extends Data.TaggedError("AlreadyRunning")<{ readonly url: string; readonly pid: number }> {
  override get message(): string {
    return `outbound already runs at ${this.url} (process ${this.pid}). Stop it first, or set OUTBOUND_PORT and OUTBOUND_DATA_DIR to run another one.`
  }
}

/** Fails if the ports are taken, before anything is made: a new database shows its key only once. */
const assertFree = ({ database, host, metricsPort, port }: OutboundConfig) =>
  Effect.forEach([port, ...Option.toArray(metricsPort)], (wanted) => HttpServer.assertFree(host, wanted)).pipe(
    Effect.mapError((error) => {
      const running = runningOn(database.dataDir)
      return running === undefined ? error : new AlreadyRunning(running)
    })
  )

/** The database of a service that begins, once its ports are known to be free. It runs as long as the scope. */
export const opening = (config: OutboundConfig) => Effect.andThen(assertFree(config), openDatabase(config.database))

export const migrated = (database: Database) =>
  Effect.gen(function* () {
    const applied = yield* Effect.provide(migrate(), patientPool(database))
    if (applied.length > 0) yield* Effect.logInfo(`Applied ${applied.length} migrations.`)
  })
