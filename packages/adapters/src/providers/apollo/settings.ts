import { Schema } from "effect"
import { phoneSettings } from "./phones.js"

export const ApolloSettings = Schema.Struct({
  /** For how long the id that it has for a company is remembered; looking one up costs a credit. */
  ids_kept_days: Schema.optionalWith(Schema.Int.pipe(Schema.between(0, 90)), { default: () => 7 }),
  ...phoneSettings
})

export type ApolloSettings = typeof ApolloSettings.Type
