import { Schema } from "effect"

export const InstantlySettings = Schema.Struct({
  /** Which day its schedules count as the first: its specification does not say. */
  first_weekday: Schema.optionalWith(Schema.Literal("sunday", "monday"), { default: () => "sunday" as const }),
  /** Whether messages go out without HTML. */
  text_only: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  /** Whether a mailbox's own daily limit there follows the workspace's cap for mailboxes. */
  set_mailbox_limits: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  /** Who hosts mailboxes that are bought: 1 Google, 2 AirMail. */
  email_provider: Schema.optionalWith(Schema.Literal(1, 2), { default: () => 1 as const }),
  /** Whether mailboxes count as ready only once MX, SPF, DKIM and DMARC of their domain pass. */
  await_vitals: Schema.optionalWith(Schema.Boolean, { default: () => true })
})
export type InstantlySettings = typeof InstantlySettings.Type
