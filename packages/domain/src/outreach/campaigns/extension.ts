import { Either } from "effect"
import type { TokenCheck } from "../../calls/approvals/Approvals.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { allows, type Refused, step } from "../../kernel/machine.js"
import { suspended } from "../sending/suspended.js"
import { RECIPIENTS_MAX } from "../../verbs/campaignFields.js"
import type { Campaign } from "./Campaign.js"
import { CampaignMachine, type CampaignState } from "./CampaignMachine.js"
import { UNSETTLED, type VendorLeadState } from "../sending/vendor/VendorLeadMachine.js"
import type { Sorted } from "./Importer.js"
import { campaignStateObstacle, capacityObstacles, type CampaignContext, type Obstacle } from "./CampaignContext.js"

/** Whom a call would add, and how many leads the campaign has without them. */
export interface Addition {
  readonly sorted: Sorted
  readonly total: number
}

/** Whether additions need an approval: the campaign was launched and may send. */
export const needsApproval = ({ state }: Campaign): boolean =>
  CampaignMachine.is.running(state) || CampaignMachine.is.paused(state)

/** Reasons against extending the campaign now. `asks`: the call asks for or uses an approval. */
export const extensionObstacles = (context: CampaignContext, asks: boolean): ReadonlyArray<Obstacle> => {
  const { campaign } = context
  const allowed = allows(CampaignMachine, campaign.state, "extend") && campaign.pauseReason !== "killed"
  return [...(allowed ? [] : [campaignStateObstacle(campaign)]), ...(asks ? capacityObstacles(context) : [])]
}

/** The people that don't fit into the campaign; null: all fit. */
export const roomObstacle = ({ sorted, total }: Addition): Obstacle | null =>
  total + sorted.accepted.length <= RECIPIENTS_MAX
    ? null
    : [
        "campaign_full",
        refuse(
          "invalid_request",
          { reason: "campaign_full" },
          `A campaign holds at most ${RECIPIENTS_MAX} people; this one holds ${total}, and ${sorted.accepted.length} would come.`
        )
      ]

/** The call's first refusal, in contract order (contract: calls, order of checks). */
export const firstRefusal = (
  token: TokenCheck,
  context: CampaignContext,
  found: ReadonlyArray<Obstacle>
): AnyWireError | null => suspended(context.sending) ?? token.before ?? found[0]?.[1] ?? token.after

/** How many of a campaign's leads are in each state at its vendor. */
export type VendorCounts = Readonly<Record<VendorLeadState, number>>

/** The sending provider's answer about imported people. */
export interface Correlation {
  readonly correlated: number
  readonly pending: number
  readonly rejected: number
}

/** If outbound schedules, our own record is the provider's: every stored lead is confirmed. */
export const correlate = (leads: ReadonlyArray<unknown>): Correlation => ({
  correlated: leads.length,
  pending: 0,
  rejected: 0
})

/** The vendor's answer: who is new, whom it refused, and who is still unconfirmed. */
export const correlateAtVendor = (before: VendorCounts, now: VendorCounts): Correlation => ({
  correlated: Math.max(0, now.present - before.present),
  pending: UNSETTLED.reduce((sum, state) => sum + now[state], 0),
  rejected: Math.max(0, now.refused - before.refused)
})

/**
 * The campaign's state after people were added or unconfirmed leads were asked about again. `unconfirmed`: a vendor
 * must still confirm some.
 */
export const stateAfter = (
  campaign: Campaign,
  how: { readonly approved: boolean; readonly finalized: Correlation | null; readonly unconfirmed: boolean }
): Either.Either<CampaignState, Refused> => {
  const { state } = campaign
  if (how.approved) return step(CampaignMachine, state, "resume")
  // Without an approval no one was added, and nothing waits for confirmation.
  if (needsApproval(campaign)) return Either.right(state)
  if (how.unconfirmed) return step(CampaignMachine, state, "import_unconfirmed")
  if (!CampaignMachine.is.awaiting(state) || how.finalized === null) return step(CampaignMachine, state, "extend")
  return step(CampaignMachine, state, how.finalized.pending === 0 ? "import_confirmed" : "import_unconfirmed")
}
