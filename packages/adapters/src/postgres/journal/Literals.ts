/** Parameters in text form, for both the raw protocol and `effect/sql`. */
export type Value = string | null

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`

/** An array of values without quotes: ids, numbers, booleans, times. */
export const plainArray = (values: ReadonlyArray<string | number | bigint | boolean | null>): string =>
  `{${values.map((value) => (value === null ? "NULL" : String(value))).join(",")}}`

/** An array of any texts. */
export const textArray = (values: ReadonlyArray<string | null>): string =>
  `{${values.map((value) => (value === null ? "NULL" : quoted(value))).join(",")}}`

export const timestamp = (millis: number): string => new Date(millis).toISOString()

/** An array of times. */
export const timestampArray = (millis: ReadonlyArray<number>): string => `{${millis.map(timestamp).join(",")}}`

type Rows<Field extends string, A> = ReadonlyArray<Readonly<Record<Field, A>>>

/** A parameter for each of the fields: the values of all rows, without quotes. */
export const plainArrays = <Field extends string>(
  rows: Rows<Field, Parameters<typeof plainArray>[0][number]>,
  ...fields: ReadonlyArray<Field>
): ReadonlyArray<string> => fields.map((field) => plainArray(rows.map((row) => row[field])))

/** The same for any texts. */
export const textArrays = <Field extends string>(
  rows: Rows<Field, string | null>,
  ...fields: ReadonlyArray<Field>
): ReadonlyArray<string> => fields.map((field) => textArray(rows.map((row) => row[field])))

/** The same for times. */
export const timestampArrays = <Field extends string>(
  rows: Rows<Field, number>,
  ...fields: ReadonlyArray<Field>
): ReadonlyArray<string> => fields.map((field) => timestampArray(rows.map((row) => row[field])))
