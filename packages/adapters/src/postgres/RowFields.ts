import { Schema } from "effect"
import { membersOf } from "../platform/membersOf.js"
import { date, Millis } from "./Columns.js"

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

/** The columns of a row in a SELECT, each under the name of its field. `others`: the fields that are read differently. */
export const columnsOf = <Fields extends Schema.Struct.Fields>(
  row: Schema.Struct<Fields>,
  table: string,
  others?: { readonly [Field in keyof Fields]?: string }
): string =>
  (Object.keys(row.fields) as ReadonlyArray<keyof Fields & string>)
    .map((field) => `${others?.[field] ?? `${table}.${columnNameOf(field)}`} AS "${field}"`)
    .join(", ")

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
