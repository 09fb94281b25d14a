import * as RenewedMail from "@outbound/adapters/mail/RenewedMail.js"
import * as Zones from "@outbound/adapters/dns/Zones.js"
import { resolveBy } from "@outbound/adapters/site/Gate.js"
import * as NodeIds from "@outbound/adapters/platform/NodeIds.js"
import { assertMigrated, migrate } from "@outbound/adapters/postgres/Migrations.js"
import { check } from "@outbound/adapters/postgres/PgInvariants.js"
import { keepMonthsNow } from "@outbound/adapters/postgres/months/Months.js"
import * as PgCallStories from "@outbound/adapters/postgres/PgCallStories.js"
import * as PgMarginStore from "@outbound/adapters/postgres/PgMarginStore.js"
import * as PgSealStore from "@outbound/adapters/postgres/PgSealStore.js"
import * as PgStores from "@outbound/adapters/postgres/PgStores.js"
import * as GraphileWork from "@outbound/adapters/work/GraphileWork.js"
import * as AdminLive from "@outbound/domain/app/Admin.js"
import * as MailboxAdminLive from "@outbound/domain/outreach/sending/MailboxAdminLive.js"
import * as DomainsLive from "@outbound/domain/control/domains/Domains.js"
import * as ConsoleLive from "@outbound/domain/control/console/Console.js"
import * as Wings from "@outbound/domain/wings/wings.js"
import * as DirectoryImportLive from "@outbound/domain/data/directory/DirectoryImport.js"
import * as PersonFilesLive from "@outbound/domain/control/personFile/PersonFile.js"
import * as ErasureLive from "@outbound/domain/control/erasure/Erasure.js"
import * as SuppressionImportLive from "@outbound/domain/control/suppressionImport/SuppressionImport.js"
import { SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import { isAtHome, Settings } from "@outbound/domain/kernel/Settings.js"
import { Effect, Layer } from "effect"
import { resolve } from "node:path"
import type { DatabaseConfig, OutboundConfig } from "../Config.js"
import { type Database, joinDatabase } from "./Database.js"
import { archives } from "../wings/archives.js"
import { wingGround } from "../wings/layers.js"
import * as Mail from "./Mail.js"
import * as SignUps from "./SignUps.js"
import { patientPool } from "./PatientPool.js"
import { readConfigured } from "./Providers.js"
import { assertSecret, cryptoFor, secretOf } from "./Secret.js"

/** Migrates a database that we started, its jobs too; any other must already be migrated. */
const upToDate = (database: Database) =>
  database.isOurs ? Effect.andThen(migrate(), GraphileWork.install) : assertMigrated()

/** The configured database, its secret, and a connection that is checked against the secret. */
export const opened = (config: Pick<OutboundConfig, "database">) =>
  Effect.gen(function* () {
    const database = yield* joinDatabase(config.database)
    const secret = yield* secretOf(config.database)
    const ready = Layer.effectDiscard(Effect.andThen(upToDate(database), assertSecret(config.database, secret)))
    return {
      secret,
      keys: cryptoFor(config.database, secret),
      url: database.url,
      connection: Layer.provideMerge(ready, patientPool(database))
    }
  })

/** The services and stores of the operator's commands. */
export const layer = (config: OutboundConfig) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { connection, keys } = yield* opened(config)
      // A mistake in the file of providers keeps no operator from their work. The machine's name servers are asked then.
      const configured = yield* readConfigured(config).pipe(
        Effect.catch((mistakes) =>
          Effect.as(Effect.logWarning("the providers' resolvers are not used", mistakes), null)
        )
      )
      const resolvers = configured?.prober.resolvers
      const outside = { isAtHome: isAtHome(config.baseUrl), resolve: resolveBy(resolvers) }
      return Layer.mergeAll(
        AdminLive.layer,
        Wings.services,
        Layer.provideMerge(SignUps.layer(config), ConsoleLive.layer),
        MailboxAdminLive.layer,
        DomainsLive.layer,
        DirectoryImportLive.layer,
        ErasureLive.layer,
        PersonFilesLive.layer,
        SuppressionImportLive.layer,
        PgCallStories.layer,
        PgMarginStore.layer,
        PgSealStore.layer
      ).pipe(
        Layer.provide(RenewedMail.layer(outside)),
        Layer.provide(Layer.merge(PgStores.stores, GraphileWork.layer)),
        Layer.provide(
          Layer.mergeAll(
            NodeIds.layer,
            Zones.layer(),
            keys,
            Mail.layer(config, resolvers),
            wingGround({ config, outside }),
            Layer.succeed(Settings, { baseUrl: config.baseUrl })
          )
        ),
        Layer.provide(connection)
      )
    })
  )

/** The most trails whose last seal `outbound check` prints. */
const HEADS_MAX = 20

/** `outbound check`: a report for each invariant, and the heads of the trails, if the database is migrated. */
export const checkDatabase = (
  config: DatabaseConfig,
  { all, archive }: { readonly all: boolean; readonly archive: string | null }
) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* joinDatabase(config)
      const found = Effect.gen(function* () {
        yield* upToDate(database)
        const rules = yield* check(all ? "archived" : "sealed")
        const { heads } = yield* SealStore
        const archived = archive === null ? [] : [yield* archives.verify(database.url, resolve(archive))]
        return { rules: [...rules, ...archived], ...(yield* heads(HEADS_MAX)) }
      })
      return yield* Effect.provide(found, Layer.provideMerge(PgSealStore.layer, patientPool(database)))
    })
  )

/** `outbound migrate`: returns the names of the applied migrations. */
export const migrateDatabase = (config: DatabaseConfig) =>
  Effect.scoped(
    Effect.gen(function* () {
      const database = yield* joinDatabase(config)
      const applied = yield* Effect.provide(
        migrate().pipe(
          Effect.tap(GraphileWork.install),
          // Hosts make them too, if their role may.
          Effect.tap(keepMonthsNow)
        ),
        patientPool(database)
      )
      return applied.map(({ name }) => name)
    })
  )
