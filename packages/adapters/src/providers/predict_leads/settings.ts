import { Schema } from "effect"
import { setting } from "../settings.js"

export const PredictLeadsSettings = Schema.Struct({
  /** The most rows per call; more cost nothing extra. */
  rows_max: setting(Schema.Int.pipe(Schema.between(1, 1_000)), 1_000),
  /** Whether the first company of a `parent` connection is the parent, as with the other kinds. */
  parent_is_first: setting(Schema.Boolean, true)
})

export type PredictLeadsSettings = typeof PredictLeadsSettings.Type
