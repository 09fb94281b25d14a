import * as PgPool from "@outbound/adapters/postgres/PgPool.js"
import type { Database } from "./Database.js"

const CONNECTIONS_MAX = 2

/** Migrations and checks may scan the whole database. */
const STATEMENT_MILLIS_MAX = 6 * 60 * 60_000

/** A small pool for long statements. */
export const patientPool = ({ url }: Database) =>
  PgPool.layer({
    url,
    applicationName: "outbound-operator",
    connectionsMax: CONNECTIONS_MAX,
    statementMillisMax: STATEMENT_MILLIS_MAX
  })
