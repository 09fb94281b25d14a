import { Effect, Redacted } from "effect"
import pg from "pg"
import { chooseSchema } from "../Schema.js"
import { BackupError } from "./Manifest.js"
import { messageOf } from "../../platform/errors.js"

const CONNECT_MILLIS_MAX = 10_000

/** Runs the work on a connection of its own, without a limit of time: tables are copied whole. */
export const withConnection = <A>(
  url: Redacted.Redacted,
  work: (client: pg.Client) => Promise<A>
): Effect.Effect<A, BackupError> =>
  Effect.acquireUseRelease(
    Effect.tryPromise({
      try: async () => {
        const client = new pg.Client({
          connectionString: Redacted.value(url),
          application_name: "outbound-operator",
          connectionTimeoutMillis: CONNECT_MILLIS_MAX,
          options: "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=0"
        })
        // A connection that breaks fails the statement under way, which is what the caller hears.
        client.on("error", () => {})
        await client.connect()
        await client.query(chooseSchema(Redacted.value(url)))
        return client
      },
      catch: failure
    }),
    (client) => Effect.tryPromise({ try: () => work(client), catch: failure }),
    (client) => Effect.promise(() => client.end().catch(() => {}))
  )

const failure = (error: unknown): BackupError =>
  error instanceof BackupError ? error : new BackupError({ message: messageOf(error) })
