/** Rows of campaigns and their leads, for the stores that read them. */
import { ValueEvidenceJson } from "@outbound/domain/kernel/sequences/evidence.js"
import { WEEKDAYS, INTEREST_STATUSES } from "@outbound/domain/kernel/sequences/Sequence.js"
import { CampaignMachine, PAUSE_REASONS } from "@outbound/domain/outreach/campaigns/CampaignMachine.js"
import { LeadMachine, PROVIDER_SYNC_STATUSES } from "@outbound/domain/outreach/campaigns/LeadMachine.js"
import { ORIGIN_KINDS } from "@outbound/domain/kernel/people/origins.js"
import { LeadWords } from "@outbound/domain/kernel/words/notice.js"
import { statesAllowing } from "@outbound/domain/kernel/machine.js"
import { Effect, Schema } from "effect"
import { literals, Millis } from "./Columns.js"
import { columnsOf, integers, texts, textsOrNull } from "./Table.js"

const Wording = Schema.Struct({ subject: Schema.NullOr(Schema.String), body: Schema.String })
const StepVariants = Schema.NullOr(Schema.Array(Schema.NullOr(Schema.Int)))

export const CampaignRow = Schema.Struct({
  ...texts("workspaceId", "campaignId", "name"),
  state: Schema.Literals(CampaignMachine.states),
  pauseReason: Schema.NullOr(Schema.Literals(PAUSE_REASONS)),
  sequence: Schema.Array(
    Schema.Struct({
      ...Wording.fields,
      waitDays: Schema.Int,
      otherVariants: Schema.optionalKey(Schema.Array(Wording))
    })
  ),
  chosenVariants: StepVariants,
  winnerRule: Schema.NullOr(
    Schema.Struct({
      isOn: Schema.Boolean,
      approvalId: Schema.String,
      sinceMillis: Schema.Number,
      choices: Schema.Array(
        Schema.Struct({
          ...integers("stepIndex", "variant"),
          atMillis: Schema.Number,
          answers: Schema.Array(Schema.Int)
        })
      )
    })
  ),
  schedule: Schema.Struct({
    timezone: Schema.String,
    days: Schema.Array(Schema.Literals(WEEKDAYS)),
    ...integers("startHour", "endHour"),
    recipientTimezone: Schema.optionalKey(Schema.Literal(true)),
    skipHolidays: Schema.optionalKey(Schema.Array(Schema.String))
  }),
  stopForCompany: Schema.Boolean,
  maxPerCompanyPerDay: Schema.NullOr(Schema.Int),
  recipientsVersion: Schema.Int,
  createdAtMillis: Millis,
  launchedAtMillis: Schema.NullOr(Millis)
})

export const CAMPAIGN_COLUMNS = columnsOf(CampaignRow, "c")

export const LeadOriginRow = Schema.Struct({
  kind: Schema.Literals(ORIGIN_KINDS),
  ...texts("how", "at"),
  ...textsOrNull("by", "request_id"),
  line: Schema.NullOr(Schema.Int),
  // Older origins have none.
  file: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefault(Effect.succeed(null))),
  sources: Schema.Array(Schema.String),
  ...textsOrNull("country")
})

export const LeadRow = Schema.Struct({
  ...texts("workspaceId", "campaignId", "campaignLeadId", "email"),
  ...textsOrNull("firstName", "lastName", "companyName"),
  custom: Schema.Record(Schema.String, Schema.String),
  evidence: Schema.NullOr(Schema.Array(ValueEvidenceJson)),
  state: Schema.Literals(LeadMachine.states),
  interestStatus: Schema.NullOr(Schema.Literals(INTEREST_STATUSES)),
  providerSyncStatus: Schema.NullOr(Schema.Literals(PROVIDER_SYNC_STATUSES)),
  addressHash: Schema.String,
  ...textsOrNull("approvalId", "mailboxId", "hours"),
  variants: StepVariants,
  origin: Schema.NullOr(LeadOriginRow),
  words: Schema.NullOr(LeadWords),
  stepsSent: Schema.Int,
  nextAtMillis: Schema.NullOr(Millis)
})

export const LEAD_COLUMNS = columnsOf(LeadRow, "l")

/** A lead that may be emailed, has a step left and is covered: the condition of the index `campaign_leads_due`. */
export const SENDABLE_LEAD = `
  l.state IN (${literals(statesAllowing(LeadMachine, "send"))}) AND l.steps_sent < l.steps AND l.approval_id IS NOT NULL
`
