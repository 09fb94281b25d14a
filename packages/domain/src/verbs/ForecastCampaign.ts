import { Schema } from "effect"
import { Count, ReasonCounts, Timestamp, Uuid } from "./fields.js"
import { defineVerb, READS } from "./Verb.js"
import { IN_PLACE } from "./keywords.js"

/** Why a person gets no further message, or not within the forecast. */
export const LEFT_OUT_REASONS = [
  "opted_out",
  "platform_blocked",
  "capped",
  "other",
  "company_answered",
  "not_approved",
  "no_mailbox",
  "scheduled_by_vendor",
  "campaign_over",
  "beyond_last_day"
] as const
export type LeftOutReason = (typeof LEFT_OUT_REASONS)[number]

export const ForecastCampaign = defineVerb({
  name: "forecast_campaign",
  route: { method: "GET", path: "/v1/campaigns/:campaign_id/forecast" },
  summary: "Show on which days a campaign's messages would leave, from which mailboxes.",
  description:
    "Free. As if it were launched now, or went on now, and nobody answered: within its hours, daily caps, its limit for each company and the ramps of new mailboxes. It counts what other active campaigns take of the same mailboxes and caps, their 5,000 people who are due first. At most 400 days.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({ campaign_id: Uuid }),
  result: Schema.Struct({
    days: Schema.Array(
      Schema.Struct({
        date: Schema.String.annotate({ description: "The day (UTC), as YYYY-MM-DD." }),
        mailbox: Schema.String.annotate({ description: "Its address." }),
        messages: Count
      }).annotate({ identifier: "ForecastDay" })
    ),
    last_message_at: Schema.NullOr(Timestamp).annotate({ description: "Null: nothing would leave." }),
    recipients_left_out: ReasonCounts.annotate({
      [IN_PLACE]: {
        description: `People who would get no further message, by reason: ${LEFT_OUT_REASONS.join(", ")}.`
      }
    })
  }),
  errors: ["not_found", "contact_history_unavailable"],
  tool: {
    title: "Forecast a campaign",
    destructive: false,
    idempotent: true,
    openWorld: false
  }
})
