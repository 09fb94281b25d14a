import { Schema } from "effect"
import {
  InvalidRecipients,
  MAX_PER_COMPANY_PER_DAY,
  RecipientField,
  RECIPIENTS_MAX,
  ScheduleField,
  SequenceField,
  StoppedLeads
} from "./campaignFields.js"
import { EvidenceCounts } from "./evidenceFields.js"
import { CampaignStateField, Count, DryRun, integer, ReasonCounts, text, Timestamp, Uuid } from "./fields.js"
import { ACTS, defineVerb } from "./Verb.js"

export const CreateCampaign = defineVerb({
  name: "create_campaign",
  route: { method: "POST", path: "/v1/campaigns" },
  summary: "Draft a campaign: recipients, a sequence of messages, a schedule.",
  description:
    "Free. Creates a draft; sends nothing. Suppressed and invalid recipients are left out and counted. Duplicates are merged. " +
    "Who is a lead of another campaign, and of whom a row says that they opted out, leaves it at once.",
  ...ACTS,
  scope: "campaign:write",
  request: Schema.Struct({
    name: text(1, 120).annotate({ description: "A name for people to recognize it.", examples: ["Heads of sales"] }),
    recipients: Schema.Array(RecipientField).check(Schema.isMinLength(1), Schema.isMaxLength(RECIPIENTS_MAX)),
    sequence: SequenceField,
    schedule: Schema.optional(ScheduleField).annotate({
      description: "Sending hours. Default: weekdays, 9 to 17, UTC. `end_hour` must be greater than `start_hour`."
    }),
    stop_for_company: Schema.optional(Schema.Boolean).annotate({
      description:
        "An answer, a refusal or an unsubscription of one person ends the sequence of everybody of the same company. Default: false. Addresses at mail providers, such as gmail.com, belong to no company."
    }),
    max_per_company_per_day: Schema.optional(
      integer(MAX_PER_COMPANY_PER_DAY.min, MAX_PER_COMPANY_PER_DAY.max)
    ).annotate({
      description: "Most messages of this campaign to one company on one day (UTC). Default: no limit."
    }),
    dry_run: Schema.optional(DryRun)
  }),
  result: Schema.Struct({
    campaign_id: Uuid,
    name: Schema.String,
    state: CampaignStateField,
    leads_accepted: Count,
    leads_suppressed: Count,
    suppressed_reasons: ReasonCounts,
    invalid: InvalidRecipients,
    ...StoppedLeads,
    evidence: EvidenceCounts,
    created_at: Timestamp
  }),
  would: Schema.Struct({
    leads_accepted: Count,
    leads_suppressed: Count,
    suppressed_reasons: ReasonCounts,
    leads_stopped: StoppedLeads.leads_stopped,
    evidence: EvidenceCounts
  }),
  errors: ["contact_history_unavailable"],
  tool: { title: "Draft a campaign", destructive: false, idempotent: false, openWorld: false }
})
