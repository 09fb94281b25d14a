import { Schema } from "effect"
import { phoneSettings } from "./phones.js"

export const ApolloSettings = Schema.Struct({
  /** How long to cache the vendor's id of a company; a lookup costs a credit. */
  ids_kept_days: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 90)), { default: () => 7 }),
  ...phoneSettings
})

export type ApolloSettings = typeof ApolloSettings.Type
