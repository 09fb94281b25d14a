import { Schema } from "effect"

export const InstantlySettings = Schema.Struct({
  /** The first day of its schedules; its specification doesn't say. */
  first_weekday: Schema.optionalWith(Schema.Literal("sunday", "monday"), { default: () => "sunday" as const }),
  /** Send messages without HTML. */
  text_only: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** Set a mailbox's daily limit there to the workspace's cap for mailboxes. */
  set_mailbox_limits: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  /** The host of bought mailboxes: 1 Google, 2 AirMail. */
  email_provider: Schema.optionalWith(Schema.Literal(1, 2), { default: () => 1 as const }),
  /** Mailboxes are ready only once MX, SPF, DKIM and DMARC of their domain pass. */
  await_vitals: Schema.optionalWith(Schema.Boolean, { default: () => true })
})
export type InstantlySettings = typeof InstantlySettings.Type
