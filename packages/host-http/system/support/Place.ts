import * as EmbeddedPostgres from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import { locate } from "@outbound/adapters/postgres/embedded/Location.js"
import { processesOn } from "@outbound/adapters/postgres/embedded/Processes.js"
import { removeDirectory } from "@outbound/testkit/files/removeDirectory.js"
import { Effect, Option, type Scope } from "effect"
import { randomBytes } from "node:crypto"
import { chmodSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { killAll } from "../../../adapters/test/support/processes.js"
import { migratedDatabase } from "../../../adapters/test/support/TestDatabase.js"

/** Where a service keeps its state, as its configuration says it. */
export interface Place {
  readonly environment: Readonly<Record<string, string>>
  /** Of the database, once a service runs on it. */
  readonly databaseUrl: Effect.Effect<string>
}

/** A place whose database is the service's own, to be killed and found again. */
export interface EmbeddedPlace extends Place {
  /** The server's first process; it ends with its backends. */
  readonly postmaster: () => number
  /** Every process of the server, the first one included. */
  readonly databaseProcesses: () => ReadonlyArray<number>
}

export const temporaryDirectory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    const directory = mkdtempSync(join(tmpdir(), "outbound-system-"))
    // As root the database runs as another account, which must be able to walk here.
    chmodSync(directory, 0o711)
    return directory
  }),
  (directory) => Effect.sync(() => removeDirectory(directory))
)

/** A data directory of its own. What a killed service left running in it is ended with the scope. */
export const embeddedPlace: Effect.Effect<EmbeddedPlace, never, Scope.Scope> = Effect.gen(function* () {
  const dataDir = yield* temporaryDirectory
  const { cluster } = locate(dataDir)
  const databaseProcesses = () => processesOn(cluster)
  yield* Effect.addFinalizer(() => Effect.sync(() => killAll(databaseProcesses())))
  return {
    environment: { OUTBOUND_DATA_DIR: dataDir },
    databaseUrl: EmbeddedPostgres.find({ dataDir }).pipe(
      Effect.map((found) => Option.getOrThrow(found).url),
      Effect.orDie
    ),
    postmaster: () => Number(readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n")[0]),
    databaseProcesses
  }
})

/** A database of the run's server with every migration, for as many hosts as a test wants. */
export const sharedPlace: Effect.Effect<Place, never, Scope.Scope> = Effect.gen(function* () {
  const { url } = yield* migratedDatabase
  return {
    environment: { DATABASE_URL: url, OUTBOUND_SECRET: randomBytes(32).toString("base64url") },
    databaseUrl: Effect.succeed(url)
  }
})
