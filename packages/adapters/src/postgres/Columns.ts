/** Conversion between domain values and columns. */
import type { SqlClient } from "./Sql.js"
import { repaired } from "@outbound/domain/kernel/text.js"
import type { Machine } from "@outbound/domain/kernel/machine.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Array, Effect, flow, identity, Schema, SchemaTransformation } from "effect"
import { orUnavailable } from "./PgErrors.js"
import { SqlError } from "./Sql.js"

/** A `timestamptz`, as epoch milliseconds. */
export const Millis = Schema.Date.pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({ decode: (date) => date.getTime(), encode: (millis) => new Date(millis) })
  )
)

/** A count; the driver returns it as `bigint`. */
export const Count = Schema.BigInt.pipe(
  Schema.decodeTo(Schema.Number, SchemaTransformation.transform({ decode: Number, encode: BigInt }))
)

export const date = (millis: number): Date => new Date(millis)

/** Sorts before every id. */
export const NIL = "00000000-0000-0000-0000-000000000000"

export const dateOrNull = (millis: number | null): Date | null => (millis === null ? null : new Date(millis))

/** Text as PostgreSQL can store it. It refuses NUL and lone surrogates; they become U+FFFD. */
export const storable = repaired

const storableValue = (_key: string, value: unknown): unknown => (typeof value === "string" ? storable(value) : value)

/** A value for a `json` column. */
export const json = (value: unknown): string => JSON.stringify(value)

/** Rows as one parameter of `json_to_recordset`. */
export const jsonRows = (rows: ReadonlyArray<object>): string => JSON.stringify(rows, storableValue)

/** Our own names as SQL literals: `'a', 'b'`. As parameters they could keep the planner from partial indexes. */
export const literals = (names: ReadonlyArray<string>): string =>
  names.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ")

/** A group of a machine's states, for `state IN (…)`. */
export const statesOf =
  (sql: SqlClient) =>
  (names: ReadonlyArray<string>): ReturnType<SqlClient["literal"]> =>
    sql.literal(names.length === 0 ? "NULL" : literals(names))

/**
 * The states that an update to `state` may start from: itself, and those with an event of the machine that leads there.
 */
export const statesInto = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>
): ReadonlyArray<S> =>
  machine.states.filter(
    (from) => from === state || machine.events.some((event) => machine.table[from][event] === state)
  )

/**
 * Runs a statement, decodes its rows, and makes of each what the port wants. A row that does not decode is a defect: code
 * and schema disagree.
 */
export const rows =
  <A, I, B = A>(operation: string, row: Schema.Codec<A, I>, to: (row: A) => B = identity as unknown as (row: A) => B) =>
  <R>(
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>
  ): Effect.Effect<ReadonlyArray<B>, StoreUnavailable, R> => {
    const decode = Schema.decodeUnknownEffect(Schema.Array(row))
    return statement.pipe(
      orUnavailable(operation),
      Effect.flatMap((found) => Effect.orDie(decode(found))),
      Effect.map((found) => found.map(to))
    )
  }

export const firstRow = <A, I, B = A>(operation: string, row: Schema.Codec<A, I>, to?: (row: A) => B) =>
  flow(rows(operation, row, to), Effect.map(Array.head))

/** Runs a statement that returns one column, and decodes its values. */
export const column =
  <A, I>(operation: string, value: Schema.Codec<A, I>) =>
  <R>(
    statement: Effect.Effect<ReadonlyArray<object>, SqlError, R>
  ): Effect.Effect<ReadonlyArray<A>, StoreUnavailable, R> =>
    rows(operation, value)(Effect.map(statement, (found) => found.map((row) => Object.values(row)[0])))

/** The value of the first row's one column; `none` where there is no row. */
export const firstValue =
  <A, I, N>(operation: string, value: Schema.Codec<A, I>, none: N) =>
  <R>(statement: Effect.Effect<ReadonlyArray<object>, SqlError, R>): Effect.Effect<A | N, StoreUnavailable, R> =>
    Effect.map(column(operation, value)(statement), (found) => (found.length === 0 ? none : (found[0] as A)))

/** Runs a statement and makes of each row an entry of a map. */
export const mapOf =
  <A, I, K, V>(operation: string, row: Schema.Codec<A, I>, entry: (row: A) => readonly [K, V]) =>
  <R>(
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>
  ): Effect.Effect<ReadonlyMap<K, V>, StoreUnavailable, R> =>
    Effect.map(rows(operation, row, entry)(statement), (found) => new Map(found))

/** Runs a statement that returns one column, and gathers its values. */
export const setOf = <A, I>(operation: string, value: Schema.Codec<A, I>) =>
  flow(
    column(operation, value),
    Effect.map((found): ReadonlySet<A> => new Set(found))
  )

/** Runs a statement and counts its rows. */
export const countRows =
  (operation: string) =>
  <R>(statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>): Effect.Effect<number, StoreUnavailable, R> =>
    statement.pipe(
      orUnavailable(operation),
      Effect.map((found) => found.length)
    )

/** Runs a statement and tells whether it returned a row. */
export const hasRows =
  (operation: string) =>
  <R>(statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>): Effect.Effect<boolean, StoreUnavailable, R> =>
    Effect.map(countRows(operation)(statement), (count) => count > 0)

export const run =
  (operation: string) =>
  <R>(statement: Effect.Effect<unknown, SqlError, R>): Effect.Effect<void, StoreUnavailable, R> =>
    statement.pipe(Effect.asVoid, orUnavailable(operation))

/**
 * Runs a guarded write and returns a row per change. The domain had locked the rows and computed their next state, so
 * if the guard lets fewer pass, code and data disagree and the transaction must roll back.
 */
export const changes =
  (operation: string, count = 1) =>
  <R>(statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>): Effect.Effect<void, StoreUnavailable, R> =>
    statement.pipe(
      orUnavailable(operation),
      Effect.flatMap((changed) =>
        changed.length === count
          ? Effect.void
          : Effect.die(new Error(`${operation} changed ${changed.length} rows instead of ${count}`))
      )
    )

/** Ids begin with their time, so every earlier id sorts before this one. */
export const firstIdOf = (millis: number): string => {
  const hex = Math.max(0, millis).toString(16).padStart(12, "0")
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** The time that an id begins with. */
export const millisOf = (id: string): number => parseInt(id.replaceAll("-", "").slice(0, 12), 16)
