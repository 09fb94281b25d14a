import type pg from "pg"
import { SCHEMA_OID } from "../Schema.js"
import { BackupError } from "./Manifest.js"

/** Kept by the migrations themselves, and by hosts that run: whoever ran where a backup was made is gone. */
const NOT_COPIED = ["migrations", "hosts"]

export interface Table {
  readonly name: string
  readonly columns: ReadonlyArray<string>
}

/** Tables in an order in which each refers only to those before it. */
const ordered = (names: ReadonlyArray<string>, references: ReadonlyMap<string, ReadonlySet<string>>) => {
  const done: Array<string> = []
  let left = [...names]
  while (left.length > 0) {
    const free = left.filter((name) => [...(references.get(name) ?? [])].every((other) => done.includes(other)))
    if (free.length === 0) {
      throw new BackupError({ message: `Tables refer to each other in a circle: ${left.join(", ")}.` })
    }
    done.push(...free)
    left = left.filter((name) => !free.includes(name))
  }
  return done
}

/** The service's tables with the columns that are stored, in an order that satisfies their foreign keys. */
export const tablesOf = async (client: pg.ClientBase): Promise<ReadonlyArray<Table>> => {
  const { rows: columns } = await client.query<{ readonly table: string; readonly columns: ReadonlyArray<string> }>(
    `SELECT c.relname AS table, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = ${SCHEMA_OID} AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attgenerated = '' AND c.relname <> ALL($1)
     GROUP BY c.relname ORDER BY c.relname`,
    [NOT_COPIED]
  )
  const { rows: foreign } = await client.query<{ readonly table: string; readonly other: string }>(
    `SELECT k.conrelid::regclass::text AS table, k.confrelid::regclass::text AS other
     FROM pg_constraint k
     WHERE k.contype = 'f' AND k.conrelid <> k.confrelid AND k.connamespace = ${SCHEMA_OID}`
  )
  const references = new Map<string, Set<string>>()
  for (const { other, table } of foreign) references.set(table, (references.get(table) ?? new Set()).add(other))
  const found = new Map(columns.map((one) => [one.table, one.columns]))
  return ordered([...found.keys()], references).map((name) => ({ name, columns: found.get(name) ?? [] }))
}

/** Whether any of them holds a row. */
export const holdRows = async (client: pg.ClientBase, tables: ReadonlyArray<Table>): Promise<boolean> => {
  if (tables.length === 0) return false
  const each = tables.map(({ name }) => `EXISTS (SELECT 1 FROM ${client.escapeIdentifier(name)})`)
  const { rows } = await client.query<{ readonly found: boolean }>(`SELECT ${each.join(" OR ")} AS found`)
  return rows[0]?.found === true
}

/** `SELECT "column", … FROM "table"`, since COPY itself reads no partitions. */
export const selectOf = (client: pg.ClientBase, { columns, name }: Table): string =>
  `SELECT ${columns.map((column) => client.escapeIdentifier(column)).join(", ")} FROM ${client.escapeIdentifier(name)}`

/** `"table" ("column", …)`, as COPY names it. */
export const copyTarget = (client: pg.ClientBase, { columns, name }: Table): string =>
  `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(", ")})`
