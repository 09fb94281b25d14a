import { TestHosts } from "@outbound/testkit/memory/Hooks.js"
import { Effect, Layer, Redacted } from "effect"
import { layer as journal, makeHost } from "../../src/postgres/PgCallJournal.js"
import { layer as creditStore } from "../../src/postgres/PgCreditStore.js"
import { layer as enrichmentCache } from "../../src/postgres/PgEnrichmentCache.js"
import { layer as keyStore } from "../../src/postgres/PgKeyStore.js"
import { check } from "../../src/postgres/PgInvariants.js"
import { layer as offerStore } from "../../src/postgres/PgOfferStore.js"
import { layer as pool, RawPool } from "../../src/postgres/PgPool.js"
import { layer as runStore } from "../../src/postgres/PgRunStore.js"
import { layer as unitOfWork } from "../../src/postgres/PgUnitOfWork.js"
import { layer as userStore } from "../../src/postgres/PgUserStore.js"
import { layer as workspaceStore } from "../../src/postgres/PgWorkspaceStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { TestDatabase } from "../support/TestDatabase.js"

/** Text that PostgreSQL cannot hold: whatever batch writes it fails. */
export const UNWRITABLE = "\0"

/** What the stored state breaks, over all workspaces of the file. */
export const breaches = Effect.map(check(), (reports) => reports.filter(({ count }) => count > 0))

/** On a busy machine a crowd waits longer than a caller would; what is tested is what becomes of it. */
const PATIENCE_MILLIS = 30_000

export const poolTo = (url: string) =>
  pool({
    url: Redacted.make(url),
    applicationName: "test",
    connectionsMax: 8,
    acquireMillisMax: PATIENCE_MILLIS,
    lockMillisMax: PATIENCE_MILLIS
  })

/** A pool to the test file's migrated database. */
export const database = Layer.unwrap(Effect.map(TestDatabase, ({ url }) => poolTo(url))).pipe(
  Layer.provideMerge(TestDatabase.migrated)
)

/** Other hosts on the same database. They die as far as the database can tell. */
export const hosts = Layer.effect(
  TestHosts,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const raw = yield* RawPool
    return TestHosts.of({
      start: makeHost.pipe(
        Effect.provideService(SqlClient, sql),
        Effect.provideService(RawPool, raw),
        Effect.orDie,
        Effect.map(({ incarnation, journal }) => ({
          journal,
          kill: Effect.suspend(
            () => sql`
              UPDATE hosts SET heartbeat_at = heartbeat_at - interval '1 day' WHERE incarnation = ${incarnation()}
            `
          ).pipe(Effect.asVoid, Effect.orDie)
        }))
      )
    })
  })
)

/** Every store of this folder, on a database of the test file's own. */
export const stores = Layer.mergeAll(
  unitOfWork,
  journal,
  creditStore,
  keyStore,
  offerStore,
  runStore,
  workspaceStore,
  enrichmentCache,
  userStore,
  hosts
).pipe(Layer.provideMerge(database), Layer.orDie)
