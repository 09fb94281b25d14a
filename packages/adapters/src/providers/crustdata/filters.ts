// The filter grammar. Comparisons are `=>` and `=<`. Crustdata refuses an empty group, so we never build one.

export type Operator = "=" | "in" | "=>" | "=<" | "[.]" | "(.)"

export interface Leaf {
  readonly field: string
  readonly type: Operator
  readonly value: string | number | boolean | ReadonlyArray<string>
}

export interface Group {
  readonly op: "and" | "or"
  readonly conditions: ReadonlyArray<Filter>
}

export type Filter = Leaf | Group

export const leaf = (field: string, type: Operator, value: Leaf["value"]): Leaf => ({ field, type, value })

const group = (op: Group["op"], filters: ReadonlyArray<Filter | null>): Filter | null => {
  const conditions = filters.filter((filter) => filter !== null)
  return conditions.length > 1 ? { op, conditions } : (conditions[0] ?? null)
}

/** Null: no filter. */
export const allOf = (filters: ReadonlyArray<Filter | null>): Filter | null => group("and", filters)

export const anyOf = (filters: ReadonlyArray<Filter | null>): Filter | null => group("or", filters)

export const isAnyOf = (field: string, values: ReadonlyArray<string>): Filter | null =>
  values.length === 0 ? null : leaf(field, "in", values)

export const within = (field: string, min: number | null, max: number | null): Filter | null =>
  allOf([min === null ? null : leaf(field, "=>", min), max === null ? null : leaf(field, "=<", max)])
