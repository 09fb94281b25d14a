import { Schema } from "effect"
import {
  ContentPreview,
  HoursPreview,
  InvalidRecipients,
  ListCounts,
  RecipientField,
  RECIPIENTS_MAX,
  StoppedLeads
} from "./campaignFields.js"
import {
  CampaignStateField,
  ConfirmationToken,
  Count,
  DryRun,
  ReasonCounts,
  SenderAddresses,
  Uuid,
  needsConfirmation
} from "./fields.js"
import { EvidenceCounts } from "./evidenceFields.js"
import { STABLE_FILTER } from "./stableFilters.js"
import { ACTS, CONFIRMATION_ERRORS, defineVerb } from "./Verb.js"

const counts = {
  leads_accepted: Count,
  leads_suppressed: Count,
  suppressed_reasons: ReasonCounts,
  list: ListCounts
} as const

const Request = Schema.Struct({
  campaign_id: Uuid,
  leads: Schema.optional(Schema.Array(RecipientField).check(Schema.isMaxLength(RECIPIENTS_MAX))).annotate({
    description: "The leads to add. Can be empty only with `finalize_incomplete`."
  }),
  finalize_incomplete: Schema.optional(Schema.Boolean).annotate({
    description: "For an incomplete campaign: ask the sending provider again about the leads that it has not confirmed."
  }),
  confirmation_token: Schema.optional(ConfirmationToken),
  dry_run: Schema.optional(DryRun)
})
  .check(
    Schema.makeFilter(
      (request) =>
        (request.leads ?? []).length > 0 || request.finalize_incomplete === true
          ? []
          : [{ path: ["leads"], issue: "must have at least 1 item, unless finalize_incomplete is true" }],
      {
        [STABLE_FILTER]: true,
        jsonSchema: {
          allOf: [
            {
              anyOf: [
                { required: ["leads"], properties: { leads: { minItems: 1 } } },
                {
                  required: ["finalize_incomplete"],
                  properties: { finalize_incomplete: { const: true } }
                }
              ]
            }
          ]
        }
      }
    )
  )
  .annotate({
    examples: [
      {
        campaign_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70",
        leads: [{ email: "interested@magic.test", first_name: "Ann" }]
      }
    ]
  })

export const AddLeads = defineVerb({
  name: "add_leads",
  route: { method: "POST", path: "/v1/add_leads" },
  summary: "Add leads to a campaign.",
  description:
    "Free. Leads are added to a draft at once. Adding to an active campaign pauses it and returns a single-use `confirmation_token` " +
    "(24 hours). Once a human has approved it, the same call with the token adds them and resumes the campaign. Suppressed and " +
    "invalid recipients are left out and counted; leads already in the campaign are neither added nor counted. " +
    "Who is a lead already, and of whom a row says that they opted out, leaves every campaign at once. " +
    `A campaign can have at most ${RECIPIENTS_MAX} leads.`,
  ...ACTS,
  scope: "campaign:write",
  approval: "leads",
  request: Request,
  result: Schema.Union([
    needsConfirmation({
      campaign_id: Uuid,
      ...counts,
      invalid: InvalidRecipients,
      ...StoppedLeads,
      campaign_lead_total: Count.annotate({ description: "Including the leads to be added." }),
      mailboxes_attached: Count,
      mailboxes: SenderAddresses,
      daily_send_limit: Count,
      ...ContentPreview,
      ...HoursPreview
    }),
    Schema.Struct({
      campaign_id: Uuid,
      state: CampaignStateField,
      leads_accepted: Count.annotate({ description: "Leads added by this call." }),
      leads_correlated: Count.annotate({
        description: "Leads that the sending provider confirmed during this call."
      }),
      leads_pending: Count.annotate({ description: "Leads that it has not confirmed yet." }),
      leads_rejected: Count.annotate({ description: "Leads that it refused." }),
      leads_suppressed: Count.annotate({ description: "Leads left out, for any reason." }),
      invalid: InvalidRecipients,
      ...StoppedLeads,
      evidence: EvidenceCounts,
      campaign_lead_total: Count
    })
  ]),
  would: Schema.Struct({
    ...counts,
    leads_stopped: StoppedLeads.leads_stopped,
    evidence: EvidenceCounts,
    pauses_campaign: Schema.Boolean,
    needs_confirmation: Schema.Boolean
  }),
  errors: [...CONFIRMATION_ERRORS, "mailbox_unavailable", "contact_history_unavailable"],
  tool: { title: "Add leads to a campaign", destructive: true, idempotent: false, openWorld: true }
})
