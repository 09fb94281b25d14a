import { Schema } from "effect"
import { setting } from "../settings.js"

export const OceanIoSettings = Schema.Struct({
  /** Its industry names, by canonical name. */
  industry_names: setting(Schema.Record({ key: Schema.String, value: Schema.Array(Schema.NonEmptyString) }), {}),
  /** Don't send industries that have no name above. */
  only_named_industries: setting(Schema.Boolean, false)
})

export type OceanIoSettings = typeof OceanIoSettings.Type
