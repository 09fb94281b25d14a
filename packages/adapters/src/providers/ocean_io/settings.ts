import { Schema } from "effect"

export const OceanIoSettings = Schema.Struct({
  /** Its industry names, by canonical name. */
  industry_names: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.Array(Schema.NonEmptyString) }),
    { default: () => ({}) }
  ),
  /** Don't send industries that have no name above. */
  only_named_industries: Schema.optionalWith(Schema.Boolean, { default: () => false })
})

export type OceanIoSettings = typeof OceanIoSettings.Type
