import { Schema } from "effect"
import { CreditsFromWire } from "../../kernel/money/Credits.js"

/** How many recipients an approval page shows by name; the rest is a count. */
export const SNAPSHOT_RECIPIENTS_MAX = 50

/** What is asked when sending capacity is bought. */
export const PurchaseSnapshot = Schema.Struct({
  kind: Schema.Literal("purchase"),
  brand: Schema.String,
  identity: Schema.Struct({ first_name: Schema.String, last_name: Schema.String }),
  daily_sends: Schema.Int,
  domains: Schema.Array(Schema.Struct({ domain: Schema.String, mailboxes: Schema.Array(Schema.String) })),
  setup_credits: CreditsFromWire,
  upkeep_credits_per_month: CreditsFromWire
})

/** What is asked when a campaign is launched. */
export const LaunchSnapshot = Schema.Struct({
  kind: Schema.Literal("launch"),
  campaign_id: Schema.String,
  campaign_name: Schema.String,
  leads: Schema.Int,
  leads_removed: Schema.Int,
  recipients: Schema.Array(
    Schema.Struct({
      email: Schema.String,
      name: Schema.NullOr(Schema.String),
      company_name: Schema.NullOr(Schema.String)
    })
  ).pipe(Schema.maxItems(SNAPSHOT_RECIPIENTS_MAX)),
  mailboxes: Schema.Array(Schema.String),
  steps: Schema.Array(
    Schema.Struct({
      subject: Schema.NullOr(Schema.String),
      body: Schema.String,
      wait_days: Schema.Int
    })
  ),
  schedule: Schema.Struct({
    timezone: Schema.String,
    days: Schema.Array(Schema.String),
    start_hour: Schema.Int,
    end_hour: Schema.Int
  }),
  daily_send_limit: Schema.Int,
  postal_address: Schema.String,
  credits: CreditsFromWire
})

/** What is asked when people are added to a campaign that was launched: `leads` of them, to make `campaign_lead_total`. */
export const AddLeadsSnapshot = Schema.Struct({
  ...LaunchSnapshot.fields,
  kind: Schema.Literal("add_leads"),
  campaign_lead_total: Schema.Int,
  /** Why the campaign stands still until this is decided. */
  pause_reason: Schema.String
})

/** How much of the message that is answered an approval page shows. */
export const REPLY_EXCERPT_CHARS_MAX = 20_000

/** What is asked when an answer is sent in a thread. `answers` is third-party text. */
export const ReplySnapshot = Schema.Struct({
  kind: Schema.Literal("reply"),
  reply_id: Schema.String,
  to_email: Schema.String,
  from_email: Schema.String,
  subject: Schema.String,
  body_text: Schema.String,
  answers: Schema.Struct({
    from_email: Schema.String,
    subject: Schema.String,
    received_at: Schema.String,
    text: Schema.String,
    truncated: Schema.Boolean
  })
})

/** Exactly what a human is shown and decides on. */
export const ApprovalSnapshot = Schema.Union(PurchaseSnapshot, LaunchSnapshot, AddLeadsSnapshot, ReplySnapshot)
export type ApprovalSnapshot = typeof ApprovalSnapshot.Type
