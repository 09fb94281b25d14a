import { Schema } from "effect"
import { setting } from "../settings.js"

const path = (value: string) => setting(Schema.String.pipe(Schema.startsWith("/")), value)

const Paths = Schema.Struct({
  email_finder: path("/v1/people/email-finder"),
  mobile_finder: path("/v1/people/mobile-finder"),
  email_validation: path("/v1/people/email-validation"),
  credits: path("/v1/credits")
})

export const LeadMagicSettings = Schema.Struct({
  /** Below the base address. Older accounts have no `/v1/people`, and `/email-validate` for `email_validation`. */
  paths: setting(Paths, Schema.decodeSync(Paths)({}))
})

export type LeadMagicSettings = typeof LeadMagicSettings.Type
