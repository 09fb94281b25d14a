import { Effect } from "effect"
import type { Migration } from "../../src/postgres/migrations/Migration.js"
import { SqlClient } from "../../src/postgres/Sql.js"

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly required: boolean
  /** Filled without being named: a default, an identity, or generated. */
  readonly filled: boolean
}

interface Rule {
  readonly table: string
  readonly name: string
  readonly kind: "check" | "foreign" | "unique"
  readonly definition: string
  readonly columns: ReadonlyArray<string>
}

/** What programs rely on, and what shows that a table was locked. */
export interface Catalogue {
  /** With the file that holds its rows: another one after a rewrite. */
  readonly tables: ReadonlyMap<string, string>
  readonly columns: ReadonlyMap<string, Column>
  readonly rules: ReadonlyMap<string, Rule>
  readonly indexes: ReadonlyMap<string, { readonly table: string; readonly unique: boolean }>
  /** Views, functions by their arguments, and sequences. */
  readonly others: ReadonlySet<string>
}

const OURS = "relnamespace = 'outbound'::regnamespace"

export const catalogue: Effect.Effect<Catalogue, unknown, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const read = <A extends object>(text: string) => sql.unsafe<A>(text)
  const tables = yield* read<{ readonly name: string; readonly file: string }>(
    `SELECT relname AS name, pg_relation_filenode(oid)::text AS file FROM pg_class WHERE ${OURS} AND relkind IN ('r', 'p')
       AND NOT relispartition`
  )
  const columns = yield* read<Column>(
    `SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type,
       a.attnotnull AS required, a.atthasdef OR a.attidentity <> '' AS filled
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.${OURS} AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`
  )
  const rules = yield* read<Rule>(
    `SELECT c.relname AS "table", k.conname AS name, pg_get_constraintdef(k.oid) AS definition,
       CASE k.contype WHEN 'c' THEN 'check' WHEN 'f' THEN 'foreign' ELSE 'unique' END AS kind,
       ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = k.conrelid AND a.attnum = ANY(k.conkey)) AS columns
     FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid WHERE c.${OURS} AND k.contype IN ('c', 'f', 'p', 'u', 'x')`
  )
  const indexes = yield* read<{ readonly name: string; readonly table: string; readonly unique: boolean }>(
    `SELECT i.relname AS name, t.relname AS "table", x.indisunique AS unique
     FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid WHERE t.${OURS}`
  )
  const others = yield* read<{ readonly name: string }>(
    `SELECT CASE relkind WHEN 'v' THEN 'view ' ELSE 'sequence ' END || relname AS name FROM pg_class
     WHERE ${OURS} AND relkind IN ('v', 'S')
     UNION ALL SELECT 'function ' || oid::regprocedure::text FROM pg_proc
     WHERE pronamespace = 'outbound'::regnamespace AND NOT EXISTS (
       SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = pg_proc.oid AND d.deptype = 'e'
     )`
  )
  return {
    tables: new Map(tables.map(({ file, name }) => [name, file])),
    columns: new Map(columns.map((one) => [`${one.table}.${one.column}`, one])),
    rules: new Map(rules.map((one) => [`${one.table}.${one.name}`, one])),
    indexes: new Map(indexes.map(({ name, ...one }) => [name, one])),
    others: new Set(others.map(({ name }) => name))
  }
})

const LITERALS = /'(?:[^']|'')*'(?:::text)?/g

/** What a rule demands, without spaces. */
const demandOf = (definition: string): string => definition.replace(/\s+/g, "").replace(/^CHECK\((.*)\)$/, "$1")

/** Whether a list of allowed texts only became longer, or something else is allowed beside what was. */
const isWider = (before: string, after: string): boolean => {
  const shape = (text: string) => text.replace(LITERALS, "?").replace(/\?(?:, \?)+/g, "?")
  const texts = (text: string) => new Set(text.match(LITERALS) ?? [])
  const wider = texts(after)
  if (demandOf(after).startsWith(`(${demandOf(before)}OR`)) return true
  return (
    / = ANY |<@ ARRAY/.test(before) &&
    shape(before) === shape(after) &&
    [...texts(before)].every((one) => wider.has(one))
  )
}

/** What a program of before would miss, or be refused. */
export const breaks = (before: Catalogue, after: Catalogue): ReadonlyArray<string> => {
  const found: Array<string> = []
  const isNew = (table: string) => !before.tables.has(table)
  const areNew = (table: string, columns: ReadonlyArray<string>) =>
    columns.length > 0 && columns.every((column) => !before.columns.has(`${table}.${column}`))
  for (const name of before.others) if (!after.others.has(name)) found.push(`the ${name} is gone`)
  for (const name of before.tables.keys()) if (!after.tables.has(name)) found.push(`the table ${name} is gone`)
  for (const [name, was] of before.columns) {
    const is = after.columns.get(name)
    if (!after.tables.has(was.table)) continue
    if (is === undefined) found.push(`the column ${name} is gone`)
    else if (is.type !== was.type) found.push(`the column ${name} is ${is.type} instead of ${was.type}`)
    else if (is.required && !was.required) found.push(`the column ${name} may not be null any more`)
    else if (is.required && was.filled && !is.filled) found.push(`the column ${name} has no default any more`)
  }
  for (const [name, is] of after.columns) {
    if (before.columns.has(name) || isNew(is.table)) continue
    if (is.required && !is.filled) found.push(`the new column ${name} must be written`)
  }
  for (const [name, is] of after.rules) {
    const was = before.rules.get(name)
    if (isNew(is.table) || was?.definition === is.definition || areNew(is.table, is.columns)) continue
    if (was === undefined || !isWider(was.definition, is.definition)) found.push(`the rule ${name} refuses more`)
  }
  for (const [name, was] of before.rules) {
    if (was.kind === "unique" && after.tables.has(was.table) && !after.rules.has(name))
      found.push(`the key ${name} is gone`)
  }
  for (const [name, { table, unique }] of before.indexes) {
    if (after.tables.has(table) && !after.indexes.has(name))
      found.push(`the ${unique ? "key" : "index"} ${name} is gone`)
  }
  for (const [name, { table, unique }] of after.indexes) {
    if (!before.indexes.has(name) && !isNew(table) && unique && !after.rules.has(`${table}.${name}`)) {
      found.push(`the key ${name} refuses more`)
    }
  }
  return found
}

const COMMENT = /--[^\n]*/g
const BODY = /\$\$[\s\S]*?\$\$/g
const LONG = /^(UPDATE|DELETE FROM|LOCK TABLE|TRUNCATE|VACUUM FULL|CLUSTER)\b\s+(?:ONLY\s+)?(\w+)/i

/** Why hosts would wait while it runs. */
export const stalls = (
  before: Catalogue,
  after: Catalogue,
  { indexes = [], sql }: Migration
): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [name, file] of before.tables) {
    const now = after.tables.get(name)
    if (now !== undefined && now !== file) found.push(`the table ${name} is rewritten`)
  }
  for (const [name, { table }] of after.indexes) {
    const isLate = indexes.some((late) => late.name === name)
    if (!before.indexes.has(name) && before.tables.has(table) && !isLate)
      found.push(`the index ${name} is built under a lock`)
  }
  for (const statement of sql.replace(COMMENT, "").replace(BODY, "").split(";")) {
    const [, verb, table = ""] = LONG.exec(statement.trim()) ?? []
    if (verb !== undefined && before.tables.has(table)) found.push(`${verb} ${table}`)
  }
  return found
}
