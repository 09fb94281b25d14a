/** Statements that every store makes of its rows' fields. */
import type { Machine } from "@outbound/domain/kernel/machine.js"
import { type Context, Effect, Layer, Schema } from "effect"
import { changes, countRows, date, firstRow, jsonRows, literals, Millis, rows, run, statesInto } from "./Columns.js"
import { membersOf } from "../platform/membersOf.js"
import { SqlClient, Statement } from "./Sql.js"

/** Fields of these names, all of them texts. */
export const texts = <N extends string>(...names: ReadonlyArray<N>) => membersOf(Schema.String, names)

/** The same, each of which may be null. */
export const textsOrNull = <N extends string>(...names: ReadonlyArray<N>) =>
  membersOf(Schema.NullOr(Schema.String), names)

/** The same for whole numbers. */
export const integers = <N extends string>(...names: ReadonlyArray<N>) => membersOf(Schema.Int, names)

/** The same for times, in milliseconds. */
export const times = <N extends string>(...names: ReadonlyArray<N>) => membersOf(Millis, names)

export const timesOrNull = <N extends string>(...names: ReadonlyArray<N>) => membersOf(Schema.NullOr(Millis), names)

export const booleans = <N extends string>(...names: ReadonlyArray<N>) => membersOf(Schema.Boolean, names)

/** The column of a field: `expiresAtMillis` is kept in `expires_at`. */
export const columnNameOf = (field: string): string =>
  field.replace(/Millis$/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * The columns of a row in a SELECT, each under the name of its field. `others`: the fields that are read differently.
 * `before`: what stands before each name, where several rows are read as one (`rowUnder`).
 */
export const columnsOf = <Fields extends Schema.Struct.Fields>(
  row: Schema.Struct<Fields>,
  table: string,
  others?: { readonly [Field in keyof Fields]?: string },
  before = ""
): string =>
  (Object.keys(row.fields) as ReadonlyArray<keyof Fields & string>)
    .map((field) => `${others?.[field] ?? `${table}.${columnNameOf(field)}`} AS "${before}${field}"`)
    .join(", ")

/** Of a row that several were read as: the one whose names begin so, by the names of its fields. */
export const rowUnder = (row: object, before: string): object =>
  Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      name.startsWith(before) ? [[name.slice(before.length), value]] : []
    )
  )

/** A row's values by their columns, for `sql.insert`. `others`: the fields whose values are written differently. */
export const valuesOf = <Fields extends Schema.Struct.Fields>(
  row: Schema.Struct<Fields>,
  values: { readonly [Field in keyof Fields]: unknown },
  others?: { readonly [Field in keyof Fields]?: unknown }
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    (Object.keys(row.fields) as ReadonlyArray<keyof Fields & string>).map((field) => {
      // What is written differently may be null.
      const value = others !== undefined && Object.hasOwn(others, field) ? others[field] : values[field]
      return [columnNameOf(field), field.endsWith("Millis") && typeof value === "number" ? date(value) : value]
    })
  )

/** The layer of a store that is made of statements alone. */
export const storeLayer = <Id, Store>(
  tag: Context.Key<Id, Store>,
  make: (sql: SqlClient) => NoInfer<Store>
): Layer.Layer<Id, never, SqlClient> => Layer.effect(tag, Effect.map(SqlClient, make))

/** Fields and the values that a row has in them. */
type Fields = Readonly<Record<string, unknown>>

/** Fields' values by their columns, for `sql.insert` and `sql.update`. Times are in milliseconds. */
const written = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [columnNameOf(field), valueIn(field, value)]))

const valueIn = (field: string, value: unknown) =>
  field.endsWith("Millis") && typeof value === "number" ? date(value) : value

/** Whether a row has these values; null: it has none. */
const equal = (sql: SqlClient, fields: Fields, alias: string): Statement.Fragment =>
  sql.and(
    Object.entries(fields).map(([field, value]) => {
      const column = sql.literal(`${alias}.${columnNameOf(field)}`)
      return value === null ? sql`${column} IS NULL` : sql`${column} = ${valueIn(field, value)}`
    })
  )

/** Inserts a row of these fields. */
export const insert = (sql: SqlClient, table: string, fields: Fields) =>
  sql`INSERT INTO ${sql.literal(table)} ${sql.insert(written(fields))}`

/** Gives these fields of a key's rows other values. */
export const update = (sql: SqlClient, table: string, key: Fields, fields: Fields) =>
  sql`UPDATE ${sql.literal(table)} SET ${sql.update(written(fields))} WHERE ${equal(sql, key, table)} RETURNING 1`

export const remove = (sql: SqlClient, table: string, key: Fields) =>
  sql`DELETE FROM ${sql.literal(table)} WHERE ${equal(sql, key, table)} RETURNING 1`

/** How a row that is read is held; empty: not at all. */
export type Lock = "FOR NO KEY UPDATE" | "FOR UPDATE" | "FOR SHARE" | ""

/**
 * Reads rows of `from`, which begins with a table and its alias (`approvals a`). What follows WHERE is said by a
 * statement's end, or by the fields of a key and perhaps a lock.
 */
export const readerOf = <A, I, B = A>(
  sql: SqlClient,
  from: string,
  row: Schema.Codec<A, I>,
  columns: string,
  to?: (row: A) => B
) => {
  const [table = "", alias = table] = from.split(" ")
  const select = sql.literal(`SELECT ${columns} FROM ${from} WHERE `)
  const found = (where: Statement.Fragment | Fields, lock: string) =>
    Statement.isFragment(where)
      ? sql`${select}${where}`
      : sql`${select}${equal(sql, where, alias)} ${sql.literal(lock)}`
  return {
    /** For statements that read these rows in other ways. */
    columns: sql.literal(columns),
    one:
      (operation: string) =>
      (where: Statement.Fragment | Fields, lock: Lock = "") =>
        firstRow(operation, row, to)(found(where, lock)),
    all: (operation: string) => (where: Statement.Fragment | Fields) => rows(operation, row, to)(found(where, ""))
  }
}

/** Inserts a row with these values by their columns, or gives the one of the same key the values beside the key. */
export const upsert = (sql: SqlClient, table: string, key: ReadonlyArray<string>, values: Fields) => {
  const set = Object.keys(values).filter((column) => !key.includes(column))
  return sql`
    INSERT INTO ${sql.literal(table)} ${sql.insert(values)} ON CONFLICT (${sql.literal(key.join(", "))})
    DO UPDATE SET ${sql.literal(set.map((column) => `${column} = EXCLUDED.${column}`).join(", "))}
  `
}

/**
 * Updates the row of a key to a later state of its machine: some of its fields, and its state, which must follow from
 * the one it has (`changes`).
 */
export const moverOf =
  <Row extends Schema.Struct.Fields, S extends string, V extends string>(
    sql: SqlClient,
    table: string,
    row: Schema.Struct<Row>,
    machine: Machine<S, V>,
    state = "state"
  ) =>
  (
    operation: string,
    key: Fields,
    next: { readonly [Field in keyof Row]: unknown },
    others?: { readonly [Field in keyof Row]?: unknown }
  ) =>
    sql`
      UPDATE ${sql.literal(table)} SET ${sql.update(valuesOf(row, next, others))}
      WHERE ${equal(sql, key, table)}
        AND ${sql.literal(`${table}.${state}`)} IN (${sql.literal(literals(statesInto(machine, next[state] as S)))})
      RETURNING 1
    `.pipe(changes(operation))

/**
 * Removes or changes rows of a table (`offers f`) that a condition chooses, and counts them. The condition says in which
 * order, at most how many, and how they are locked; where that matters, rows that others hold are skipped.
 */
export const chooserOf = (sql: SqlClient, from: string, key: ReadonlyArray<string>) => {
  const [, alias = ""] = from.split(" ")
  const table = sql.literal(from)
  const keys = sql.literal(key.map((column) => `${alias}.${column}`).join(", "))
  const same = sql.literal(key.map((column) => `${alias}.${column} = chosen.${column}`).join(" AND "))
  const chosen = (where: Statement.Fragment) => sql`WITH chosen AS (SELECT ${keys} FROM ${table} WHERE ${where})`
  return {
    remove: (operation: string) => (where: Statement.Fragment) =>
      sql`${chosen(where)} DELETE FROM ${table} USING chosen WHERE ${same} RETURNING 1`.pipe(countRows(operation)),
    change: (operation: string) => (where: Statement.Fragment, set: Statement.Fragment) =>
      sql`${chosen(where)} UPDATE ${table} SET ${set} FROM chosen WHERE ${same} RETURNING 1`.pipe(countRows(operation))
  }
}

/**
 * Many rows as one parameter: the relation `g` of their fields, and the columns and values of an INSERT. `types` names the
 * fields with their types (`workspaceId uuid, createdAtMillis bigint`); times come in milliseconds.
 */
export const givenOf = (sql: SqlClient, types: string) => {
  const fields = types.split(/,\s+/).map((one) => one.split(" ") as [string, string])
  const valueOf = (field: string) => (field.endsWith("Millis") ? `to_timestamp(g."${field}" / 1000.0)` : `g."${field}"`)
  const columns = sql.literal(fields.map(([field]) => columnNameOf(field)).join(", "))
  const values = sql.literal(fields.map(([field]) => valueOf(field)).join(", "))
  const typed = sql.literal(fields.map(([field, type]) => `"${field}" ${type}`).join(", "))
  const from = (given: ReadonlyArray<object>) => sql`json_to_recordset(${jsonRows(given)}::json) AS g (${typed})`
  return {
    columns,
    values,
    from,
    insert: (table: string, given: ReadonlyArray<object>) =>
      sql`INSERT INTO ${sql.literal(table)} (${columns}) SELECT ${values} FROM ${from(given)}`
  }
}

/** Waits for the lock of this name, which the transaction then holds to its end. */
export const lockNamed = (sql: SqlClient, operation: string, name: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.pipe(run(operation))
