import { Schema } from "effect"

export const PredictLeadsSettings = Schema.Struct({
  /** How many rows it gives at once at most; more of them cost nothing more. */
  rows_max: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 1_000)), { default: () => 1_000 }),
  /** Whether the first company of a connection of the kind `parent` is the parent, as it is with its other kinds. */
  parent_is_first: Schema.optionalWith(Schema.Boolean, { default: () => true })
})

export type PredictLeadsSettings = typeof PredictLeadsSettings.Type
