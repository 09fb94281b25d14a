import { Schema } from "effect"
import { setting } from "../../platform/setting.js"

export const TheirStackSettings = Schema.Struct({
  /** Rows per request. The free plan allows 25. */
  rows_per_page: setting(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })), 25),
  /** Its technology names by callers' names; overrides its catalogue. */
  technology_slugs: setting(Schema.Record(Schema.String, Schema.NonEmptyString), {}),
  /** Where its technology catalogue is searched, for free. Null: not at all; names are used as given. */
  catalogue_path: setting(Schema.NullOr(Schema.NonEmptyString), "/v0/catalog/keywords")
})

export type TheirStackSettings = typeof TheirStackSettings.Type
