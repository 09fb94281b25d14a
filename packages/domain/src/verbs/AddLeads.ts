import { Schema } from "effect"
import { RecipientField, RECIPIENTS_MAX } from "./campaignFields.js"
import {
  CampaignStateField,
  ConfirmationToken,
  Count,
  DryRun,
  ReasonCounts,
  STABLE_FILTER,
  Timestamp,
  Uuid
} from "./fields.js"
import { CONFIRMATION_ERRORS, defineVerb } from "./Verb.js"

const counts = { leads_accepted: Count, leads_suppressed: Count, suppressed_reasons: ReasonCounts } as const

const Request = Schema.Struct({
  campaign_id: Uuid,
  leads: Schema.optional(Schema.Array(RecipientField).pipe(Schema.maxItems(RECIPIENTS_MAX))).annotations({
    description: "Whom to add. May be empty only with `finalize_incomplete`."
  }),
  finalize_incomplete: Schema.optional(Schema.Boolean).annotations({
    description: "Ask the sending provider again about the leads of an incomplete campaign that it has not confirmed."
  }),
  confirmation_token: Schema.optional(ConfirmationToken),
  dry_run: Schema.optional(DryRun)
})
  .pipe(
    Schema.filter(
      (request) =>
        (request.leads ?? []).length > 0 || request.finalize_incomplete === true
          ? []
          : [{ path: ["leads"], message: "must have at least 1 item, unless finalize_incomplete is true" }],
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
  .annotations({
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
  summary: "Add people to a campaign.",
  description:
    "Free. To a draft they are added at once. Adding to an active campaign pauses it and returns a single-use `confirmation_token` " +
    "(24 hours); once a human has approved it, the same call with the token adds them and the campaign goes on. Suppressed and " +
    "invalid recipients are filtered out and counted; who is in the campaign already is neither added nor counted. " +
    `A campaign holds at most ${RECIPIENTS_MAX} people.`,
  mode: "act",
  scope: "campaign:write",
  idempotency: "required",
  approval: "leads",
  planVersion: 1,
  request: Request,
  result: Schema.Union(
    Schema.Struct({
      status: Schema.Literal("needs_confirmation"),
      confirmation_token: Schema.String,
      approval_url: Schema.String,
      expires_at: Timestamp,
      preview: Schema.Struct({
        campaign_id: Uuid,
        ...counts,
        campaign_lead_total: Count.annotations({ description: "With those who would be added." }),
        mailboxes_attached: Count,
        daily_send_limit: Count
      })
    }),
    Schema.Struct({
      campaign_id: Uuid,
      state: CampaignStateField,
      leads_accepted: Count.annotations({ description: "Who came into the campaign by this call." }),
      leads_correlated: Count.annotations({ description: "Whom the sending provider confirmed in this call." }),
      leads_pending: Count.annotations({ description: "Whom it has not confirmed yet." }),
      leads_rejected: Count.annotations({ description: "Whom it refused." }),
      leads_suppressed: Count.annotations({ description: "Who was left out, for whatever reason." }),
      campaign_lead_total: Count
    })
  ),
  would: Schema.Struct({ ...counts, pauses_campaign: Schema.Boolean, needs_confirmation: Schema.Boolean }),
  errors: [...CONFIRMATION_ERRORS, "mailbox_unavailable", "contact_history_unavailable"],
  tool: { title: "Add people to a campaign", destructive: true, idempotent: true, openWorld: true }
})
