import { databaseFacts, type DatabaseFacts } from "@outbound/adapters/postgres/DatabaseFacts.js"
import { assertMigrated } from "@outbound/adapters/postgres/Migrations.js"
import { Cause, Clock, Effect, Option, Result } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { failureWords } from "../../commands/failureWords.js"
import type { DatabaseConfig } from "../../Config.js"
import { type Database, joinDatabase } from "../Database.js"
import { patientPool } from "../PatientPool.js"
import { assertSecret, secretOf } from "../Secret.js"
import { bad, type Finding, good, skipped, warning } from "../../commands/Finding.js"

/** The release that every test runs on. */
const POSTGRES_MAJOR = 18

/** A worker opens up to this many connections. */
const CONNECTIONS_WANTED = 30

/** Times within a second don't matter; beyond half a minute, windows and limits are visibly wrong. */
const CLOCK_MILLIS_GOOD = 1_000
const CLOCK_MILLIS_BAD = 30_000

const wordsOf = (error: unknown): string => failureWords(Cause.fail(error)) ?? "unknown"

const server = (
  place: string,
  { isReadOnly, isSchemaThere, major, mayCreate, schema, version }: DatabaseFacts
): Finding => {
  const about = "database"
  if (isReadOnly) {
    return bad(about, `${place} accepts only reads`, "Set DATABASE_URL to the primary server, not to a standby.")
  }
  if (!mayCreate) {
    const grant = isSchemaThere
      ? `GRANT CREATE, USAGE ON SCHEMA ${schema} TO <user>;`
      : `CREATE SCHEMA ${schema} AUTHORIZATION <user>;`
    return bad(about, "the user of DATABASE_URL may not create tables", `As the database's owner: ${grant}`)
  }
  const words = `${place}, version ${version}`
  return major < POSTGRES_MAJOR
    ? warning(about, words, `Use PostgreSQL ${POSTGRES_MAJOR}: nobody has tried older ones.`)
    : good(about, words)
}

const durability = ({ isDurable }: DatabaseFacts): Finding =>
  isDurable
    ? good("durability", "a commit is on the disk when it is acknowledged")
    : bad(
        "durability",
        "commits are acknowledged before they are on the disk",
        "Turn on fsync and synchronous_commit: otherwise a crash forgets what was sent and paid."
      )

const connections = ({ connectionsMax, connectionsUsed }: DatabaseFacts, workers: number): Finding => {
  const words = `${connectionsUsed} of ${connectionsMax} in use`
  const wanted = CONNECTIONS_WANTED * workers
  return connectionsMax - connectionsUsed < wanted
    ? warning(
        "connections",
        words,
        `Raise max_connections, or lower OUTBOUND_WORKERS (${workers}): this host uses up to ${wanted}.`
      )
    : good("connections", words)
}

const clock = ({ nowMillis }: DatabaseFacts, localMillis: number): Finding => {
  const apart = Math.abs(nowMillis - localMillis)
  const words = `the database's clock and this machine's are ${(apart / 1_000).toFixed(1)} s apart`
  if (apart <= CLOCK_MILLIS_GOOD) return good("clock", words)
  const mend = "Set both by NTP."
  return apart > CLOCK_MILLIS_BAD ? bad("clock", words, mend) : warning("clock", words, mend)
}

const schema = (database: Database) =>
  Effect.map(Effect.result(assertMigrated()), (found) =>
    Result.isSuccess(found)
      ? good("migrations", "all are applied")
      : database.isOurs
        ? good("migrations", "some are missing; the service applies them when it starts")
        : bad("migrations", wordsOf(found.failure), "Run: outbound migrate")
  )

const secret = (config: DatabaseConfig) =>
  Effect.gen(function* () {
    const kept = yield* Effect.result(Effect.flatMap(secretOf(config), (given) => assertSecret(config, given)))
    const mend = "Set OUTBOUND_SECRET to the secret with which this database was first used."
    return Result.isSuccess(kept) ? good("secret", "fits the database") : bad("secret", wordsOf(kept.failure), mend)
  })

const opened = (config: DatabaseConfig, database: Database, workers: number) =>
  Effect.gen(function* () {
    const found = yield* Effect.result(databaseFacts)
    if (Result.isFailure(found)) return yield* Effect.fail(found.failure)
    const facts = found.success
    const localMillis = yield* Clock.currentTimeMillis
    const reached = server(database.place, facts)
    const first = [reached, durability(facts), connections(facts, workers), clock(facts, localMillis)]
    if (reached.state === "bad") return [...first, skipped("migrations", "the database has to be usable first")]
    const migrated = yield* schema(database)
    if (migrated.state === "bad" || database.isOurs) return [...first, migrated]
    return [...first, migrated, yield* secret(config)]
  })

/** The first sentence: what to do follows in the finding. */
const causeOf = (error: unknown): string => wordsOf(error).split(". ", 1)[0] ?? ""

/**
 * The database, and whether this program and it belong together. An embedded one that doesn't run is started for it; one
 * that was never started is left to the service.
 */
export const examineDatabase = (config: DatabaseConfig, workers: number): Effect.Effect<ReadonlyArray<Finding>> => {
  if (Option.isNone(config.url) && !existsSync(join(config.dataDir, "postgres"))) {
    return Effect.succeed([skipped("database", "none yet; the service makes one when it first starts")])
  }
  return Effect.scoped(
    Effect.gen(function* () {
      const database = yield* joinDatabase(config)
      return yield* Effect.provide(opened(config, database, workers), patientPool(database))
    })
  ).pipe(
    Effect.catch((error) => {
      const mend = Option.isSome(config.url)
        ? "Check the host, port, user, password and database in DATABASE_URL, and that its server runs."
        : "Read the log of the embedded database in the data directory."
      return Effect.succeed([bad("database", causeOf(error), mend)])
    })
  )
}
