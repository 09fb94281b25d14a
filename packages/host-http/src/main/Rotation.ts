import { rotateSecret } from "@outbound/adapters/postgres/secretRotation/rotateSecret.js"
import { assertMigrated, migrate } from "@outbound/adapters/postgres/Migrations.js"
import { Effect } from "effect"
import type { DatabaseConfig } from "../Config.js"
import type { RotationReport } from "../commands/Actions.js"
import { joinDatabase } from "./Database.js"
import { patientPool } from "./PatientPool.js"
import { rotationOf } from "./Secret.js"

/** `outbound secret rotate` */
export const rotate = (config: DatabaseConfig): Effect.Effect<RotationReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const rotation = yield* rotationOf(config)
      const database = yield* joinDatabase(config)
      yield* Effect.provide(database.isOurs ? migrate() : assertMigrated(), patientPool(database))
      const { resealed, wasFinished } = yield* rotateSecret(database.url, rotation)
      return { was_finished: wasFinished, values: resealed }
    })
  )
