import { Schema } from "effect"

export const TheirStackSettings = Schema.Struct({
  /** How many rows one request asks for. The free plan allows 25. */
  rows_per_page: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 500)), { default: () => 25 }),
  /** Its names for technologies, by the names that callers use; over what its catalogue says. */
  technology_slugs: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.NonEmptyString }), {
    default: () => ({})
  }),
  /** Where its catalogue of technologies is looked up, which costs nothing; null: nowhere, the name is its own. */
  catalogue_path: Schema.optionalWith(Schema.NullOr(Schema.NonEmptyString), { default: () => "/v0/catalog/keywords" })
})

export type TheirStackSettings = typeof TheirStackSettings.Type
