import { Schema } from "effect"
import { setting } from "../../platform/setting.js"

export const InstantlySettings = Schema.Struct({
  /** The first day of its schedules; its specification doesn't say. */
  first_weekday: setting(Schema.Literals(["sunday", "monday"]), "sunday"),
  /** Send messages without HTML. */
  text_only: setting(Schema.Boolean, false),
  /** Set a mailbox's daily limit there to the workspace's cap for mailboxes. */
  set_mailbox_limits: setting(Schema.Boolean, true),
  /** The host of bought mailboxes: 1 Google, 2 AirMail. */
  email_provider: setting(Schema.Literals([1, 2]), 1),
  /** Mailboxes are ready only once MX, SPF, DKIM and DMARC of their domain pass. */
  await_vitals: setting(Schema.Boolean, true)
})
export type InstantlySettings = typeof InstantlySettings.Type
