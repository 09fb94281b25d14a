/** How values of the domain stand in columns, and rows come back as values. */
import { SqlError } from "@effect/sql/SqlError"
import type { Machine } from "@outbound/domain/kernel/machine.js"
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Option, Schema } from "effect"
import { orUnavailable } from "./PgErrors.js"

/** A `timestamptz`, as epoch milliseconds. */
export const Millis = Schema.transform(Schema.DateFromSelf, Schema.Number, {
  strict: true,
  decode: (date) => date.getTime(),
  encode: (millis) => new Date(millis)
})

export const date = (millis: number): Date => new Date(millis)

/** Before every id. */
export const NIL = "00000000-0000-0000-0000-000000000000"

export const dateOrNull = (millis: number | null): Date | null => (millis === null ? null : new Date(millis))

const UNSTORABLE = /[\0\p{Surrogate}]/gu
const REPLACEMENT = "\uFFFD"

/** Text as PostgreSQL can hold it: NUL and lone surrogates, which it refuses, become U+FFFD. */
export const storable = (text: string): string => text.replace(UNSTORABLE, REPLACEMENT)

const storableValue = (_key: string, value: unknown): unknown => (typeof value === "string" ? storable(value) : value)

/** A value for a `json` column, which takes any JSON as it is. */
export const json = (value: unknown): string => JSON.stringify(value)

/** Many rows as one parameter of `json_to_recordset`. */
export const jsonRows = (rows: ReadonlyArray<object>): string => JSON.stringify(rows, storableValue)

/** `'a', 'b'`: names of ours as literals, so that partial indexes are found whatever the plan. */
export const literals = (names: ReadonlyArray<string>): string =>
  names.map((name) => `'${name.replaceAll("'", "''")}'`).join(", ")

/** The states that an update to `state` may find: itself, and those from which an event of the machine leads there. */
export const statesInto = <S extends string, V extends string>(
  machine: Machine<S, V>,
  state: NoInfer<S>
): ReadonlyArray<S> =>
  machine.states.filter(
    (from) => from === state || machine.events.some((event) => machine.table[from][event] === state)
  )

/** Runs a statement and decodes its rows. A row that does not decode is a defect: code and schema disagree. */
export const rows =
  <A, I>(operation: string, row: Schema.Schema<A, I>) =>
  <R>(
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>
  ): Effect.Effect<ReadonlyArray<A>, StoreUnavailable, R> => {
    const decode = Schema.decodeUnknown(Schema.Array(row))
    return statement.pipe(
      orUnavailable(operation),
      Effect.flatMap((found) => Effect.orDie(decode(found)))
    )
  }

export const firstRow =
  <A, I>(operation: string, row: Schema.Schema<A, I>) =>
  <R>(
    statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>
  ): Effect.Effect<Option.Option<A>, StoreUnavailable, R> =>
    Effect.map(rows(operation, row)(statement), (found) => Option.fromNullable(found[0]))

export const run =
  (operation: string) =>
  <R>(statement: Effect.Effect<unknown, SqlError, R>): Effect.Effect<void, StoreUnavailable, R> =>
    statement.pipe(Effect.asVoid, orUnavailable(operation))

/**
 * Runs a guarded write that returns a row for each one changed. Rows were locked and their next state computed by
 * the domain before: where the guard let fewer pass, that did not happen, and the transaction must not stand.
 */
export const changes =
  (operation: string, count = 1) =>
  <R>(statement: Effect.Effect<ReadonlyArray<unknown>, SqlError, R>): Effect.Effect<void, StoreUnavailable, R> =>
    statement.pipe(
      orUnavailable(operation),
      Effect.flatMap((changed) =>
        changed.length === count
          ? Effect.void
          : Effect.dieMessage(`${operation} changed ${changed.length} rows instead of ${count}`)
      )
    )
