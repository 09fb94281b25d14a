import * as EmbeddedPostgres from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import type { EmbeddedPostgresError } from "@outbound/adapters/postgres/embedded/EmbeddedPostgresError.js"
import { schemaIn, schemaMistake } from "@outbound/adapters/postgres/Schema.js"
import { Data, Effect, Option, Redacted, type Scope } from "effect"
import { resolve } from "node:path"
import type { DatabaseConfig } from "../Config.js"

/** A running database. */
export interface Database {
  readonly url: Redacted.Redacted
  /** Its location for people, without a password. */
  readonly place: string
  /** Whether this process started it. */
  readonly isOurs: boolean
  /** Fails when the database has ended; otherwise never ends. */
  readonly lost: Effect.Effect<never, EmbeddedPostgresError>
}

/** The address names a schema that can't be ours. */
export class SchemaError extends Data.TaggedError("SchemaError")<{ readonly message: string }> {}

const named = (url: Redacted.Redacted): Effect.Effect<Database, SchemaError> => {
  const schema = schemaIn(Redacted.value(url))
  const wrong = schema === null ? null : schemaMistake(schema)
  return wrong === null
    ? Effect.succeed({
        url,
        place: `PostgreSQL at ${new URL(Redacted.value(url)).host}`,
        isOurs: false,
        lost: Effect.never
      })
    : new SchemaError({ message: `The schema in DATABASE_URL: the name ${wrong}.` })
}

const embedded = (config: DatabaseConfig, server: EmbeddedPostgres.Server, isOurs: boolean): Database => ({
  url: Redacted.make(server.url),
  place: `PostgreSQL in ${resolve(config.dataDir)}`,
  isOurs,
  lost: server.lost
})

/** For the service: the configured database, or an embedded one that runs as long as the scope. */
export const openDatabase = (
  config: DatabaseConfig
): Effect.Effect<Database, EmbeddedPostgresError | SchemaError, Scope.Scope> =>
  Option.match(config.url, {
    onNone: () =>
      Effect.map(EmbeddedPostgres.start({ dataDir: config.dataDir }), (server) => embedded(config, server, true)),
    onSome: named
  })

/** For commands: joins the embedded database of a running service, or starts it. */
export const joinDatabase = (
  config: DatabaseConfig
): Effect.Effect<Database, EmbeddedPostgresError | SchemaError, Scope.Scope> =>
  Option.match(config.url, {
    onNone: () => {
      const options = { dataDir: config.dataDir, log: Effect.logDebug }
      return Effect.flatMap(
        EmbeddedPostgres.find(options),
        Option.match({
          onNone: () => Effect.map(EmbeddedPostgres.join(options), (server) => embedded(config, server, true)),
          onSome: (server) => Effect.succeed(embedded(config, server, false))
        })
      )
    },
    onSome: named
  })
