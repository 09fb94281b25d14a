import { Schema } from "effect"

export const PredictLeadsSettings = Schema.Struct({
  /** The most rows per call; more cost nothing extra. */
  rows_max: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 1_000)), { default: () => 1_000 }),
  /** Whether the first company of a `parent` connection is the parent, as with the other kinds. */
  parent_is_first: Schema.optionalWith(Schema.Boolean, { default: () => true })
})

export type PredictLeadsSettings = typeof PredictLeadsSettings.Type
