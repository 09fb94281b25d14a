import type { SqlClient } from "@effect/sql"
import { run } from "../Columns.js"

/** Held until the transaction ends by whoever changes the people of a workspace's directory. */
export const directoryLock = (sql: SqlClient.SqlClient, workspaceId: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`directory ${workspaceId}`}, 0))`.pipe(run("directory.lock"))
