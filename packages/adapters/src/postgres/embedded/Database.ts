/** The role and the database of the embedded server. */
import { Effect } from "effect"
import pg from "pg"
import { type EmbeddedPostgresError, startFailed } from "./EmbeddedPostgresError.js"
import { DATABASE, HOST, ROLE, SUPERUSER } from "./Settings.js"
import { messageOf } from "../../platform/errors.js"

const CONNECT_MS_MAX = 10_000
const STATEMENT_MS_MAX = 60_000

/** `duplicate_object`, `duplicate_database`, and `unique_violation` when two create it at the same instant. */
const EXISTS = new Set(["42710", "42P04", "23505"])

/** The owner and a joining process may both find something missing. */
const createUnlessThere = async (client: pg.Client, statement: string): Promise<void> => {
  try {
    await client.query(statement)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && EXISTS.has(error.code ?? ""))) throw error
  }
}

const ensure = async (client: pg.Client, password: string): Promise<void> => {
  const role = await client.query("SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1", [ROLE])
  if (role.rowCount === 0) {
    const [name, secret] = [client.escapeIdentifier(ROLE), client.escapeLiteral(password)]
    await createUnlessThere(client, `CREATE ROLE ${name} LOGIN CREATEDB PASSWORD ${secret}`)
  }
  const database = await client.query("SELECT 1 FROM pg_catalog.pg_database WHERE datname = $1", [DATABASE])
  if (database.rowCount === 0) {
    const [name, owner] = [client.escapeIdentifier(DATABASE), client.escapeIdentifier(ROLE)]
    await createUnlessThere(client, `CREATE DATABASE ${name} OWNER ${owner}`)
  }
}

/** Creates what is missing. Its connection also proves that the server is ours: both sides must know the password. */
export const ensureDatabase = (port: number, password: string): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const client = new pg.Client({
        host: HOST,
        port,
        user: SUPERUSER,
        password,
        database: "postgres",
        ssl: false,
        connectionTimeoutMillis: CONNECT_MS_MAX,
        statement_timeout: STATEMENT_MS_MAX
      })
      // The next query reports a connection lost while idle. Without a listener the event would end the process.
      client.on("error", () => undefined)
      return client
    }),
    (client) =>
      Effect.tryPromise({
        try: async () => {
          await client.connect()
          await ensure(client, password)
        },
        catch: (cause) =>
          startFailed(
            `The PostgreSQL server on ${HOST}:${port} runs, but its database could not be made ready: ` +
              messageOf(cause),
            cause
          )
      }),
    (client) => Effect.promise(() => client.end().catch(() => undefined))
  )
