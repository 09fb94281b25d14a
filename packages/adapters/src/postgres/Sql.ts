/** What we use of Effect's unstable `sql` modules: only `PgClient` imports them too, so few files change when they do. */
export { SqlClient } from "effect/sql/SqlClient"
export type { Connection } from "effect/sql/SqlConnection"
export { ConnectionError, SqlError, UnknownError } from "effect/sql/SqlError"
export * as Statement from "effect/sql/Statement"
