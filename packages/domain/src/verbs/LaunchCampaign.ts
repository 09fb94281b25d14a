import { Schema } from "effect"
import { ContentPreview, HoursPreview, ListCounts } from "./campaignFields.js"
import { EvidenceCounts } from "./evidenceFields.js"
import { ConfirmationToken, Count, DryRun, integer, SenderAddresses, Uuid, needsConfirmation } from "./fields.js"
import { ACTS, CONFIRMATION_ERRORS, defineVerb } from "./Verb.js"

/** Largest share of a launch's people, in percent, that it may keep from being written to. */
export const HOLDOUT_PERCENT_MAX = 50

/** Leads that a launch removes, by reason. */
export const RemovedCounts = Schema.Struct({
  opted_out: Count,
  platform_blocked: Count,
  invalid: Count,
  capped: Count,
  other: Count,
  total: Count
}).annotate({ identifier: "RemovedCounts" })

const preview = {
  mailboxes_attached: Count,
  leads_active: Count,
  leads_suppressed_at_launch: Count,
  removed: RemovedCounts,
  list: ListCounts,
  daily_send_limit: Count,
  leads_held_out: Schema.optional(Count).annotate({
    description: "People of `leads_active` whom the holdout keeps from being written to. Absent: there is none."
  })
} as const

export const LaunchCampaign = defineVerb({
  name: "launch_campaign",
  route: { method: "POST", path: "/v1/launch_campaign" },
  summary: "Start sending a campaign, once a human has approved it.",
  description:
    "Free. Without a token, returns a preview and a single-use `confirmation_token` (24 hours). With an approved token, launches. " +
    "Suppression is checked again at launch; if that check fails, nothing is launched. Needs active mailboxes (`setup_sending`).",
  ...ACTS,
  scope: "campaign:launch",
  approval: "launch",
  request: Schema.Struct({
    campaign_id: Uuid,
    holdout_percent: Schema.optional(integer(1, HOLDOUT_PERCENT_MAX)).annotate({
      description:
        "So many percent of the people, drawn by chance, are not written to by this campaign, so that `get_campaign` can tell what it brought from what would have come anyway. Only at the first launch."
    }),
    confirmation_token: Schema.optional(ConfirmationToken),
    dry_run: Schema.optional(DryRun)
  }),
  result: Schema.Union([
    needsConfirmation({
      campaign_id: Uuid,
      ...preview,
      mailboxes: SenderAddresses,
      ...ContentPreview,
      ...HoursPreview
    }),
    Schema.Struct({
      status: Schema.Literal("launched"),
      campaign_id: Uuid,
      mailboxes_attached: Count,
      leads_active: Count,
      leads_suppressed_at_launch: Count,
      leads_held_out: Schema.optional(Count)
    })
  ]),
  would: Schema.Struct({ ...preview, evidence: EvidenceCounts, needs_confirmation: Schema.Boolean }),
  errors: [...CONFIRMATION_ERRORS, "mailbox_unavailable", "contact_history_unavailable"],
  tool: { title: "Launch a campaign", destructive: true, idempotent: false, openWorld: true }
})
