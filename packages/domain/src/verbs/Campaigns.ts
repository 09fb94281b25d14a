import { Schema } from "effect"
import { ORIGIN_KINDS } from "../kernel/people/origins.js"
import { CreditsFromWire } from "../kernel/money/Credits.js"
import { ListCounts, Weekday } from "./campaignFields.js"
import { EvidenceCounts } from "./evidenceFields.js"
import { EVIDENCE_MARKS } from "../kernel/sequences/evidence.js"
import {
  CampaignStateField,
  Count,
  Cursor,
  integerInput,
  InterestStatus,
  LeadStateField,
  MailboxStateField,
  text,
  Timestamp,
  TimestampInput,
  Uuid
} from "./fields.js"
import { defineVerb, READ_HINTS, READS } from "./Verb.js"

/** What a campaign can bring, in the order in which it is said. */
export const OUTCOMES = ["replied", "interested", "meeting_booked", "won", "crm_open_deal", "crm_customer"] as const
export type Outcome = (typeof OUTCOMES)[number]

/** What is known of people who were not written to as well: a status that somebody set, and what the CRM says. */
export const COMPARED_OUTCOMES = ["interested", "meeting_booked", "won", "crm_open_deal", "crm_customer"] as const
export type ComparedOutcome = (typeof COMPARED_OUTCOMES)[number]

export const CAMPAIGNS_PAGE_MAX = 100
export const CAMPAIGNS_PAGE_DEFAULT = 50
export const LEADS_PAGE_MAX = 200
export const LEADS_PAGE_DEFAULT = 100

export const PauseReasonField = Schema.NullOr(
  Schema.Literals(["awaiting_approval", "killed", "owner", "capacity"]).annotate({ identifier: "PauseReason" })
)

const people = Count.annotate({ description: "People in this state." })

const summary = {
  campaign_id: Uuid,
  name: Schema.String,
  state: CampaignStateField,
  paused_because: PauseReasonField,
  created_at: Timestamp,
  launched_at: Schema.NullOr(Timestamp),
  leads: Count.annotate({ description: "People, in any state." }),
  sent: Count.annotate({ description: "Messages that left." }),
  replied: people,
  bounced: people,
  unsubscribed: people
} as const

const Variant = Schema.NullOr(Schema.String).annotate({
  description: "The variant of the step, `A` for the first; null for a step with one wording."
})

export const ListCampaigns = defineVerb({
  name: "list_campaigns",
  route: { method: "GET", path: "/v1/campaigns" },
  summary: "List campaigns, newest first.",
  description: "Free. Shows what became of each: messages sent, people who replied, bounced or unsubscribed.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({
    state: Schema.optional(CampaignStateField),
    since: Schema.optional(TimestampInput).annotate({ description: "Created at this time or later." }),
    limit: Schema.optional(integerInput(1, CAMPAIGNS_PAGE_MAX, CAMPAIGNS_PAGE_DEFAULT)),
    cursor: Schema.optional(Cursor)
  }),
  result: Schema.Struct({
    campaigns: Schema.Array(Schema.Struct(summary).annotate({ identifier: "CampaignSummary" })),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  errors: [],
  tool: { title: "List campaigns", ...READ_HINTS }
})

export const GetCampaign = defineVerb({
  name: "get_campaign",
  route: { method: "GET", path: "/v1/campaigns/:campaign_id" },
  summary: "Show how a campaign is doing, and why it is not sending.",
  description: "Free. Counts by state and by step, its mailboxes, its hours, when the next message is due.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({ campaign_id: Uuid }),
  result: Schema.Struct({
    ...summary,
    outcomes: Schema.Struct({
      people_written: Count.annotate({
        description: "People who were sent something."
      }),
      credits: CreditsFromWire.annotate({
        description: "What all calls that named one of the campaign's people were charged, each once."
      }),
      vendor_cost_usd: Schema.String.annotate({
        description: "What vendors asked for these calls on the workspace's own keys."
      }),
      brought: Schema.Array(
        Schema.Struct({
          outcome: Schema.Literals(OUTCOMES),
          people: Count,
          credits_each: Schema.NullOr(CreditsFromWire).annotate({ description: "Rounded up. Null: there is none." }),
          vendor_cost_usd_each: Schema.NullOr(Schema.String)
        }).annotate({ identifier: "CampaignOutcome" })
      ),
      holdout: Schema.NullOr(
        Schema.Struct({
          percent: Schema.Int,
          seed: Schema.String.annotate({ description: "With it, and the ids of the people, anybody can draw again." }),
          drawn_at: Timestamp,
          people: Count,
          compared: Schema.Array(
            Schema.Struct({
              outcome: Schema.Literals(COMPARED_OUTCOMES),
              written: Count,
              held_out: Count,
              difference_percent: Schema.NullOr(Schema.Number),
              low_percent: Schema.NullOr(Schema.Number),
              high_percent: Schema.NullOr(Schema.Number)
            }).annotate({ identifier: "OutcomeDifference" })
          ).annotate({
            description:
              "By statuses that were set and by the CRM. The share among those written to, less that among those held out, with an interval that holds at every look: it misses the truth at any time in at most 5 of 100 campaigns. Where it contains 0, nothing is proven."
          })
        })
      ),
      says: Schema.NullOr(Schema.String).annotate({ description: "What is not known without a holdout." })
    }).annotate({ identifier: "CampaignOutcomes", description: "What it brought, and what each outcome cost." }),
    leads_by_state: Schema.Record(LeadStateField, Count),
    list: ListCounts,
    evidence: EvidenceCounts,
    steps: Schema.Array(
      Schema.Struct({
        step: Schema.Int.check(Schema.isGreaterThan(0)),
        variant: Variant,
        sent: Count,
        failed: Count,
        unknown: Count,
        replied: Count,
        interested: Count,
        bounced: Count,
        unsubscribed: Count
      }).annotate({ identifier: "CampaignStep" })
    ).annotate({
      description: "Messages of each step, and people for whom it was the last step that they were sent."
    }),
    mailboxes: Schema.Array(
      Schema.Struct({
        mailbox_id: Uuid,
        address: Schema.String,
        state: MailboxStateField,
        sent: Count
      }).annotate({ identifier: "CampaignMailbox" })
    ),
    schedule: Schema.Struct({
      timezone: Schema.String,
      days: Schema.Array(Weekday),
      start_hour: Schema.Int,
      end_hour: Schema.Int,
      recipient_timezone: Schema.Boolean,
      skip_holidays: Schema.Array(Schema.String)
    }),
    next_due_at: Schema.NullOr(Timestamp).annotate({
      description:
        "The earliest moment at which the next message can leave, within hours, caps and rests, after what other campaigns send before it. Null: nothing is due, or nothing leaves before somebody acts."
    }),
    why_not_sending: Schema.Array(
      Schema.Struct({ reason: Schema.String, until: Schema.NullOr(Timestamp) }).annotate({
        identifier: "WhyNotSending"
      })
    ).annotate({ description: "Empty while it sends." })
  }),
  errors: ["not_found"],
  tool: { title: "How a campaign is doing", ...READ_HINTS }
})

export const ListLeads = defineVerb({
  name: "list_leads",
  route: { method: "GET", path: "/v1/campaigns/:campaign_id/leads" },
  summary: "List the people of a campaign, in the order of their import.",
  description: "Free. Shows each person's state, the step they have reached and when the next message is due.",
  ...READS,
  scope: "data:read",
  request: Schema.Struct({
    campaign_id: Uuid,
    state: Schema.optional(LeadStateField),
    email: Schema.optional(text(1, 320)).annotate({ description: "The whole address." }),
    limit: Schema.optional(integerInput(1, LEADS_PAGE_MAX, LEADS_PAGE_DEFAULT)),
    cursor: Schema.optional(Cursor)
  }),
  result: Schema.Struct({
    leads: Schema.Array(
      Schema.Struct({
        campaign_lead_id: Uuid,
        email: Schema.String,
        state: LeadStateField,
        step: Count.annotate({ description: "The last step that was sent; 0 for none." }),
        variant: Variant,
        last_sent_at: Schema.NullOr(Timestamp),
        next_due_at: Schema.NullOr(Timestamp).annotate({
          description:
            "The earliest moment at which the next message to them can leave, within hours, caps and rests; people who are due before them may delay it. Null: nothing is due, or nothing leaves before somebody acts."
        }),
        status: Schema.NullOr(InterestStatus),
        evidence: Schema.optional(
          Schema.Array(
            Schema.Struct({ variable: Schema.String, mark: Schema.Literals(EVIDENCE_MARKS) }).annotate({
              identifier: "MarkedValue"
            })
          )
        ).annotate({
          description:
            "Each value that the messages merge, with the mark of its evidence. Absent: nobody of the campaign came with evidence, and the workspace does not ask for it."
        }),
        origin: Schema.NullOr(
          Schema.Struct({
            kind: Schema.Literals(ORIGIN_KINDS).annotate({
              description: "A list of the workspace's own, a search in others' data, or a call that named them."
            }),
            how: Schema.String.annotate({ description: "The verb, or `directory_import`." }),
            at: Timestamp,
            by: Schema.NullOr(Schema.String).annotate({ description: "The key's name. Null: no key called." }),
            request_id: Schema.NullOr(Schema.String),
            line: Schema.NullOr(Schema.Int).annotate({ description: "Of the table that a person uploaded." }),
            file: Schema.NullOr(Schema.String).annotate({ description: "That table's file." }),
            sources: Schema.Array(Schema.Struct({ name: Schema.String, licence: Schema.NullOr(Schema.String) }))
          }).annotate({ identifier: "LeadOrigin" })
        ).annotate({
          description: "Where their address came from first. Null: they joined before this was kept."
        })
      }).annotate({ identifier: "LeadLine" })
    ),
    next_cursor: Schema.NullOr(Schema.String)
  }),
  errors: ["not_found"],
  tool: { title: "List the people of a campaign", ...READ_HINTS }
})
