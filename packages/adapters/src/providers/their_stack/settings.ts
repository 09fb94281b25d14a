import { Schema } from "effect"

export const TheirStackSettings = Schema.Struct({
  /** Rows per request. The free plan allows 25. */
  rows_per_page: Schema.optionalWith(Schema.Int.pipe(Schema.between(1, 500)), { default: () => 25 }),
  /** Its technology names by callers' names; overrides its catalogue. */
  technology_slugs: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.NonEmptyString }), {
    default: () => ({})
  }),
  /** Where its technology catalogue is searched, for free. Null: not at all; names are used as given. */
  catalogue_path: Schema.optionalWith(Schema.NullOr(Schema.NonEmptyString), { default: () => "/v0/catalog/keywords" })
})

export type TheirStackSettings = typeof TheirStackSettings.Type
