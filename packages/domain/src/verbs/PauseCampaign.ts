import { Schema } from "effect"
import { PauseReasonField } from "./Campaigns.js"
import { CampaignStateField, Count, Uuid, wordy } from "./fields.js"
import { ACTS, defineVerb } from "./Verb.js"

/** Longest reason of a pause, in characters. */
export const PAUSE_REASON_CHARS_MAX = 500

export const PauseCampaign = defineVerb({
  name: "pause_campaign",
  route: { method: "POST", path: "/v1/campaigns/:campaign_id/pause" },
  summary: "Pause a campaign.",
  description:
    "Free. From then on no further message of it is begun. Pausing a paused campaign changes nothing. An owner resumes it in the console, or `launch_campaign` with an approval.",
  ...ACTS,
  scope: "campaign:write",
  request: Schema.Struct({
    campaign_id: Uuid,
    reason: Schema.optional(wordy(1, PAUSE_REASON_CHARS_MAX)).annotate({ description: "Shown in the trail." })
  }),
  result: Schema.Struct({
    campaign_id: Uuid,
    state: CampaignStateField,
    paused_because: PauseReasonField,
    in_flight: Count.annotate({ description: "Messages that a mail server may already have; they can't be held back." })
  }),
  errors: ["not_found"],
  tool: { title: "Pause a campaign", destructive: false, idempotent: true, openWorld: true }
})
