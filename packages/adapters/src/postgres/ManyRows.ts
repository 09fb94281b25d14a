/**
 * Reads of thousands of rows, column by column in one value: a schema that looks at each field of each row takes longer
 * than the statement. The values are checked all the same, a column at a time.
 */
import type { StoreUnavailable } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect } from "effect"
import { orUnavailable } from "./PgErrors.js"
import type { SqlClient, SqlError, Statement } from "./Sql.js"

/** What one value of a column may be. */
type Is<A> = (value: unknown) => value is A

export const isText: Is<string> = (value): value is string => typeof value === "string"
export const isWhole: Is<number> = (value): value is number => Number.isSafeInteger(value)

export const orNull =
  <A>(is: Is<A>): Is<A | null> =>
  (value): value is A | null =>
    value === null || is(value)

export const isOneOf =
  <A extends string>(names: ReadonlyArray<A>): Is<A> =>
  (value): value is A =>
    names.some((name) => name === value)

type Columns = Readonly<Record<string, Is<unknown>>>
type RowOf<C extends Columns> = { readonly [Name in keyof C]: C[Name] extends Is<infer A> ? A : never }

/** A `timestamptz` as whole epoch milliseconds, as `Millis` reads it. */
export const millisOf = (expression: string): string => `floor(extract(epoch FROM ${expression}) * 1000)`

/** The rows of a SELECT that names these columns, in its order. A value that is none of its column is a defect. */
export const manyRows = <C extends Columns>(sql: SqlClient, operation: string, columns: C) => {
  const checks = Object.entries(columns)
  const gathered = sql.literal(checks.map(([name]) => `coalesce(json_agg(row."${name}"), '[]')`).join(", "))
  const rowsOf = (found: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlyArray<RowOf<C>> => {
    for (const [index, [name, is]] of checks.entries()) {
      if (found[index]?.every(is) !== true) throw new Error(`${operation} read something else in ${name}`)
    }
    const made = (found[0] ?? []).map((): Record<string, unknown> => ({}))
    for (const [index, [name]] of checks.entries()) {
      const column = found[index] ?? []
      made.forEach((row, at) => (row[name] = column[at]))
    }
    return made as ReadonlyArray<RowOf<C>>
  }
  return (select: Statement.Fragment): Effect.Effect<ReadonlyArray<RowOf<C>>, StoreUnavailable> =>
    (
      sql`SELECT json_build_array(${gathered}) AS gathered FROM (${select}) row` as Effect.Effect<
        ReadonlyArray<{ readonly gathered: ReadonlyArray<ReadonlyArray<unknown>> }>,
        SqlError
      >
    ).pipe(
      orUnavailable(operation),
      Effect.map(([first]) => rowsOf(first?.gathered ?? []))
    )
}
