/** Parameters in text form, for both the raw protocol and @effect/sql. */
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
