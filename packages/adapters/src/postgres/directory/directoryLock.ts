import type { SqlClient } from "@effect/sql"
import { run } from "../Columns.js"

/** Taken by every change of the people in a workspace's directory, until its transaction ends. */
export const directoryLock = (sql: SqlClient.SqlClient, workspaceId: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`directory ${workspaceId}`}, 0))`.pipe(run("directory.lock"))
