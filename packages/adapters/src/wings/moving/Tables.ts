import type pg from "pg"
import { type Table, tablesOf } from "../../postgres/backup/Tables.js"
import { SCHEMA_OID } from "../../postgres/Schema.js"

/**
 * Tables of workspaces that stay behind. People sign in anew where the workspace arrives. A workspace with calls under way
 * is not exported. Which rows came late to a sealed month is found anew, and leads and messages are counted as they arrive.
 */
export const LEFT_BEHIND = [
  "sessions",
  "sign_in_links",
  "open_calls",
  "late_rows",
  "campaign_counts",
  "campaign_day_counts",
  "mail_use_counts"
]

/** Of these only the rows go whose own rows are in an archive. The others stand for rows that go themselves. */
const SUMS = ["sealed_sums", "sealed_runs"]

/** Tables that workspaces share: only the rows that the workspace names go with it. */
export const SHARED = ["users", "oauth_clients"] as const

export interface MovedTable extends Table {
  /** Whether its rows are the workspace's own. */
  readonly isOwn: boolean
}

/** The tables that go with a workspace, in an order that satisfies their foreign keys. */
export const movedTables = async (client: pg.ClientBase): Promise<ReadonlyArray<MovedTable>> =>
  (await tablesOf(client))
    .map((table) => ({ ...table, isOwn: table.columns.includes("workspace_id") }))
    .filter(({ isOwn, name }) => (isOwn ? !LEFT_BEHIND.includes(name) : SHARED.some((shared) => shared === name)))

/** Columns of workspaces that name a person who signs in. */
const USER_COLUMNS = /(^|_)user_id$|^actor_id$/

/** The condition for the rows that go with the workspace, whose id is a literal. */
export const rowsOfWorkspace = (
  client: pg.ClientBase,
  table: MovedTable,
  all: ReadonlyArray<MovedTable>,
  workspace: string
): string => {
  if (table.isOwn) return `workspace_id = ${workspace}${SUMS.includes(table.name) ? " AND archived" : ""}`
  const key = table.name === "users" ? "user_id" : "client_id"
  const named = all
    .filter(({ isOwn }) => isOwn)
    .flatMap(({ columns, name }) =>
      columns
        .filter((column) => (key === "user_id" ? USER_COLUMNS.test(column) : column === key))
        .map(
          (column) =>
            `SELECT ${client.escapeIdentifier(column)} FROM ${client.escapeIdentifier(name)} WHERE workspace_id = ${workspace}`
        )
    )
  return `${key} IN (${named.join(" UNION ")})`
}

/** The statement that adds rows, given as a JSON array of arrays of texts. */
export const insertInto = async (client: pg.ClientBase, { columns, name }: Table): Promise<string> => {
  const { rows } = await client.query<{ readonly column: string; readonly type: string }>(
    `SELECT attname AS column, format_type(atttypid, atttypmod) AS type FROM pg_attribute
     WHERE attrelid = quote_ident($1)::regclass AND attnum > 0 AND NOT attisdropped`,
    [name]
  )
  const types = new Map(rows.map(({ column, type }) => [column, type]))
  const targets = columns.map((column) => client.escapeIdentifier(column)).join(", ")
  const values = columns.map((column, index) => `(r ->> ${index})::${types.get(column)}`).join(", ")
  return `INSERT INTO ${client.escapeIdentifier(name)} (${targets}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM json_array_elements($1::json) r`
}

/** Moves each sequence past what was added, so that the next number is a new one. */
export const passSequences = async (client: pg.ClientBase, tables: ReadonlyArray<Table>): Promise<void> => {
  const { rows } = await client.query<{ readonly table: string; readonly column: string; readonly sequence: string }>(
    `SELECT DISTINCT c.relname AS table, a.attname AS column, s.relname AS sequence
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     LEFT JOIN pg_attrdef f ON f.adrelid = a.attrelid AND f.adnum = a.attnum
     JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.refclassid = 'pg_class'::regclass
         AND d.refobjid = a.attrelid AND d.refobjsubid = a.attnum
       OR d.classid = 'pg_attrdef'::regclass AND d.objid = f.oid
     JOIN pg_class s ON s.relkind = 'S' AND s.oid IN (d.objid, d.refobjid)
     WHERE c.relname = ANY($1) AND c.relnamespace = ${SCHEMA_OID} AND a.attnum > 0`,
    [tables.map(({ name }) => name)]
  )
  for (const { column, sequence, table } of rows) {
    const [of, on, numbers] = [table, column, sequence].map((name) => client.escapeIdentifier(name))
    await client.query(
      `SELECT setval(quote_ident($1)::regclass, m.last) FROM (SELECT max(${on}) AS last FROM ${of}) m, ${numbers} s
       WHERE m.last > s.last_value`,
      [sequence]
    )
  }
}
