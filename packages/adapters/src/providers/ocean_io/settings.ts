import { Schema } from "effect"

export const OceanIoSettings = Schema.Struct({
  /** Its names for industries, by the canonical ones. */
  industry_names: Schema.optionalWith(
    Schema.Record({ key: Schema.String, value: Schema.Array(Schema.NonEmptyString) }),
    { default: () => ({}) }
  ),
  /** Set where an industry without a name of its own above is not to be sent by its canonical one. */
  only_named_industries: Schema.optionalWith(Schema.Boolean, { default: () => false })
})

export type OceanIoSettings = typeof OceanIoSettings.Type
