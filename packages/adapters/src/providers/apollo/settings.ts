import { Schema } from "effect"
import { phoneSettings } from "./phones.js"
import { setting } from "../settings.js"

export const ApolloSettings = Schema.Struct({
  /** How long to cache the vendor's id of a company; a lookup costs a credit. */
  ids_kept_days: setting(Schema.Int.pipe(Schema.between(0, 90)), 7),
  ...phoneSettings
})

export type ApolloSettings = typeof ApolloSettings.Type
