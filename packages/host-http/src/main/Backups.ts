import { backUp } from "@outbound/adapters/postgres/backup/Backup.js"
import { BackupError } from "@outbound/adapters/postgres/backup/Manifest.js"
import { readManifest, restore } from "@outbound/adapters/postgres/backup/Restore.js"
import { Clock, Effect, Option } from "effect"
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import type { DatabaseConfig } from "../Config.js"
import type { BackupReport, RestoreReport } from "../commands/Actions.js"
import { joinDatabase } from "./Database.js"
import { patientPool } from "./PatientPool.js"
import { fingerprintOf, secretOf } from "./Secret.js"

const rowsOf = (tables: ReadonlyArray<{ readonly rows: number }>): number =>
  tables.reduce((sum, { rows }) => sum + rows, 0)

/** `outbound backup FOLDER` */
export const makeBackup = (config: DatabaseConfig, folder: string): Effect.Effect<BackupReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* joinDatabase(config)
      const at = new Date(yield* Clock.currentTimeMillis)
      const { madeAt, tables } = yield* backUp(database.url, resolve(folder), at)
      return {
        folder: resolve(folder),
        made_at: madeAt,
        tables: tables.length,
        rows: rowsOf(tables),
        secret: Option.match(config.secret, {
          onNone: () => resolve(join(config.dataDir, "secret")),
          onSome: () => "OUTBOUND_SECRET"
        })
      }
    })
  )

/** `outbound restore FOLDER`. The secret is compared first: with another one nothing of the backup could be used. */
export const restoreBackup = (config: DatabaseConfig, folder: string): Effect.Effect<RestoreReport, unknown> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { secretFingerprint } = yield* readManifest(resolve(folder))
      const kept = resolve(join(config.dataDir, "secret"))
      if (Option.isNone(config.secret) && !existsSync(kept)) {
        return yield* new BackupError({
          message: `There is no secret yet. Set OUTBOUND_SECRET to the one of this backup, or put it into ${kept}.`
        })
      }
      const secret = yield* secretOf(config)
      if (secretFingerprint !== null && secretFingerprint !== fingerprintOf(secret)) {
        return yield* new BackupError({
          message: Option.isSome(config.secret)
            ? "OUTBOUND_SECRET is not the one of this backup. Set the one that the service had when it was made."
            : `The secret in ${resolve(config.dataDir)} is not the one of this backup. Set OUTBOUND_SECRET to it, or put it into ${kept}.`
        })
      }
      const database = yield* joinDatabase(config)
      const { campaignsPaused, manifest } = yield* Effect.provide(
        restore(database.url, resolve(folder)),
        patientPool(database)
      )
      return { made_at: manifest.madeAt, rows: rowsOf(manifest.tables), campaigns_paused: campaignsPaused }
    })
  )
