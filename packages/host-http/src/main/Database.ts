import * as EmbeddedPostgres from "@outbound/adapters/postgres/embedded/EmbeddedPostgres.js"
import type { EmbeddedPostgresError } from "@outbound/adapters/postgres/embedded/EmbeddedPostgresError.js"
import { Effect, Option, Redacted, type Scope } from "effect"
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

const named = (url: Redacted.Redacted): Database => ({
  url,
  place: `PostgreSQL at ${new URL(Redacted.value(url)).host}`,
  isOurs: false,
  lost: Effect.never
})

const embedded = (config: DatabaseConfig, server: EmbeddedPostgres.Server, isOurs: boolean): Database => ({
  url: Redacted.make(server.url),
  place: `PostgreSQL in ${resolve(config.dataDir)}`,
  isOurs,
  lost: server.lost
})

/** For the service: the configured database, or an embedded one that runs as long as the scope. */
export const openDatabase = (config: DatabaseConfig): Effect.Effect<Database, EmbeddedPostgresError, Scope.Scope> =>
  Option.match(config.url, {
    onNone: () =>
      Effect.map(EmbeddedPostgres.start({ dataDir: config.dataDir }), (server) => embedded(config, server, true)),
    onSome: (url) => Effect.succeed(named(url))
  })

/** For commands: joins the embedded database of a running service, or starts it. */
export const joinDatabase = (config: DatabaseConfig): Effect.Effect<Database, EmbeddedPostgresError, Scope.Scope> =>
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
    onSome: (url) => Effect.succeed(named(url))
  })
