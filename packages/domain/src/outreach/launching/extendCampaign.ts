import { Effect } from "effect"
import type { Approval } from "../../calls/approvals/ApprovalStore.js"
import { APPROVAL_MILLIS, Approvals, needsDecision, type TokenCheck } from "../../calls/approvals/Approvals.js"
import type { Call, Plan } from "../../calls/Handler.js"
import { after, allows } from "../../kernel/machine.js"
import { zero } from "../../kernel/money/Credits.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { makeTellPause } from "../sending/vendor/tellPause.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { makeOpenWindows } from "../sending/SendingCalendar.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import type { AddLeads } from "../../verbs/AddLeads.js"
import type { ResultOf } from "../../verbs/Verb.js"
import { CampaignMachine, type CampaignState } from "../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../campaigns/CampaignStore.js"
import { contentPreview, makeContent } from "./content/Content.js"
import { listObstacle, scorecardOf, shownList } from "./list/listGate.js"
import type { Score } from "./list/scoreOf.js"
import type { WorkspaceRules } from "../../kernel/workspaces/WorkspaceRules.js"
import { evidenceCounts } from "./evidenceGate.js"
import { makeStopRefusing, stoppedOf } from "./stopRefusing.js"
import { hoursUnder } from "../campaigns/recipientHours.js"
import { type Candidates, countsOf, type Importer, invalidOf, type Sorted } from "../campaigns/Importer.js"
import { ruleAfter, ruleWakes } from "../campaigns/winnerRule.js"
import {
  bindingTextOf,
  type CampaignContext,
  campaignStateObstacle,
  capacityObstacles,
  coversOf,
  dailyLimitOf,
  type Obstacle,
  shownRecipients,
  shownSenders,
  shownTerms
} from "./CampaignContext.js"
import { type AnyWireError, refuse } from "../../kernel/errors/Wire.js"
import { suspended } from "../sending/suspended.js"
import { RECIPIENTS_MAX } from "../../verbs/campaignFields.js"
import { UNSETTLED, type VendorLeadState } from "../sending/vendor/VendorLeadMachine.js"

/** Whom a call would add, and how many leads the campaign has without them. */
export interface Addition {
  /** All whom the call names, those among them who are leads already. */
  readonly candidates: Candidates
  readonly sorted: Sorted
  readonly total: number
  /** What is known of those whom it would add. */
  readonly score: Score
  readonly rules: WorkspaceRules
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
const roomObstacle = ({ sorted, total }: Addition): Obstacle | null =>
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

/** Reasons against adding these people. What a draft takes, its launch examines. */
export const obstaclesOf = (campaign: Campaign, addition: Addition): ReadonlyArray<Obstacle> =>
  [roomObstacle(addition), needsApproval(campaign) ? listObstacle(addition.score, addition.rules) : null].flatMap(
    (found) => (found === null ? [] : [found])
  )

/** The call's first refusal, in contract order (contract: calls, order of checks). */
export const firstRefusal = (
  token: TokenCheck,
  context: CampaignContext,
  found: ReadonlyArray<Obstacle>
): AnyWireError | null => suspended(context.sending) ?? token.before ?? found[0]?.[1] ?? token.after

/** How many of a campaign's leads are in each state at its vendor. */
type VendorCounts = Readonly<Record<VendorLeadState, number>>

/** The sending provider's answer about imported people. */
export interface Correlation {
  readonly correlated: number
  readonly pending: number
  readonly rejected: number
}

/** If outbound schedules, our own record is the provider's: every stored lead is confirmed. */
const correlate = (leads: ReadonlyArray<unknown>): Correlation => ({
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
): CampaignState => {
  const { state } = campaign
  if (how.approved) return after(CampaignMachine, state, "resume")
  // Without an approval no one was added, and nothing waits for confirmation.
  if (needsApproval(campaign)) return state
  if (how.unconfirmed) return after(CampaignMachine, state, "import_unconfirmed")
  if (!CampaignMachine.is.awaiting(state) || how.finalized === null) return after(CampaignMachine, state, "extend")
  return after(CampaignMachine, state, how.finalized.pending === 0 ? "import_confirmed" : "import_unconfirmed")
}

export type ExtendCall = Call<Plan, ResultOf<typeof AddLeads>>

/** The two outcomes of a call that adds people, each in the caller's transaction, which holds the campaign's lock. */
export const makeExtend = (importer: Importer) =>
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const approvals = yield* Approvals
    const content = yield* makeContent
    const tell = yield* makeTell
    const crypto = yield* Crypto
    const vendors = yield* VendorStore
    const tellPause = yield* makeTellPause
    const openWindows = yield* makeOpenWindows
    const refusing = yield* makeStopRefusing

    /** Pauses the campaign if it runs, and asks for approval. Adds no one yet. */
    const ask = (call: ExtendCall, context: CampaignContext, { candidates, rules, score, sorted, total }: Addition) =>
      Effect.gen(function* () {
        const stopped = yield* refusing.stop(call, candidates)
        const { requestId } = call
        const { campaign } = context
        const { campaignId } = campaign
        const extended = after(CampaignMachine, campaign.state, "extend")
        const pauses = extended !== campaign.state
        const pauseReason = campaign.pauseReason ?? "awaiting_approval"
        const counts = countsOf(sorted)
        const campaign_lead_total = total + counts.leads_accepted
        const shown = yield* content.shown(context, sorted.accepted, call.nowMillis)
        const hours = sorted.accepted.map((one) => hoursUnder(campaign.schedule, one))
        const target = `campaign:${campaignId}`
        const asked = yield* approvals.ask(call, {
          verb: "add_leads",
          target,
          binding: crypto.sha256Hex(bindingTextOf(context)),
          snapshot: {
            kind: "add_leads",
            ...shownTerms(context, hours),
            leads: counts.leads_accepted,
            leads_removed: counts.leads_suppressed,
            recipients: shownRecipients(sorted.accepted),
            campaign_lead_total,
            pause_reason: pauseReason,
            list: scorecardOf(score, rules),
            content: shown.summary,
            words: shown.words,
            origins: shown.origins
          },
          lifetimeMillis: APPROVAL_MILLIS,
          requested: { kind: "launch_requested", campaignId, replyId: null }
        })
        yield* content.keep(call.workspaceId, asked.approvalId, target, shown)
        if (pauses) {
          yield* campaigns.update({ ...campaign, state: extended, pauseReason })
          yield* tellPause(campaign, pauseReason, { source: "api", requestId })
        }
        yield* refusing.wake(call, stopped)
        return yield* call.settleIn(
          needsDecision(asked, {
            campaign_id: campaignId,
            ...counts,
            list: shownList(score),
            ...invalidOf(sorted),
            ...stoppedOf(stopped),
            campaign_lead_total,
            mailboxes_attached: context.mailboxes.length,
            mailboxes: shownSenders(context),
            daily_send_limit: dailyLimitOf(context),
            ...contentPreview(shown.summary),
            ...context.shownPeople(hours)
          })
        )
      })

    /**
     * Adds people. An approval, if any, is spent and covers them, and the campaign continues; earlier leads keep their
     * approval. `finalize`: asks about unconfirmed leads again.
     */
    const extend = (
      call: ExtendCall,
      context: CampaignContext,
      { candidates, sorted, total }: Addition,
      how: {
        readonly approval: Approval | null
        readonly finalize: boolean
        /** The vendor's counts before the call asked again; null: no vendor. */
        readonly before: VendorCounts | null
      }
    ) =>
      Effect.gen(function* () {
        const { nowMillis, requestId, workspaceId } = call
        const { campaign } = context
        const { campaignId } = campaign
        const { approval } = how
        const common = { workspaceId, source: "api" as const, requestId, campaignId }
        const { events, leads } = importer.admit(sorted, nowMillis, common)
        const isAtVendor = context.vendorCampaign !== null
        const awaited =
          !isAtVendor && how.finalize && CampaignMachine.is.awaiting(campaign.state)
            ? yield* campaigns.leadsIn(workspaceId, campaignId, ["pending"])
            : []
        if (leads.length > 0) yield* campaigns.addLeads(campaign, leads)
        yield* campaigns.leaveOut(workspaceId, campaignId, importer.leftOut(sorted, nowMillis))
        const stopped = yield* refusing.stop(call, candidates)
        if (isAtVendor && leads.length > 0) {
          const leadIds = leads.map(({ campaignLeadId }) => campaignLeadId)
          yield* vendors.addLeads(campaign, leadIds, nowMillis)
        }
        const vendorCampaign = isAtVendor ? yield* vendors.counts(workspaceId, campaignId) : null
        const correlation =
          vendorCampaign === null
            ? correlate([...awaited, ...leads])
            : correlateAtVendor(how.before ?? vendorCampaign, vendorCampaign)
        const state = stateAfter(campaign, {
          approved: approval !== null,
          finalized: how.finalize ? correlation : null,
          unconfirmed: isAtVendor && leads.length > 0
        })
        if (approval !== null) {
          yield* approvals.use(call, approval)
          const covers = coversOf(leads, context, yield* content.wordsFor(context, leads), nowMillis)
          yield* campaigns.coverLeads(
            workspaceId,
            campaignId,
            approval.approvalId,
            isAtVendor ? covers.map((cover) => ({ ...cover, isUnconfirmed: true as const })) : covers
          )
          if (!isAtVendor) {
            const hours = new Set(leads.map((one) => hoursUnder(campaign.schedule, one)))
            hours.delete(null)
            yield* openWindows(campaign, context.workspace.kind, context.mailboxes, hours, nowMillis)
          }
          yield* vendors.wake(workspaceId, [campaignId], nowMillis)
        }
        const resumed = approval !== null && state !== campaign.state
        yield* campaigns.update({
          ...campaign,
          state,
          pauseReason: resumed ? null : campaign.pauseReason,
          winnerRule: approval === null ? campaign.winnerRule : ruleAfter(campaign.winnerRule, approval, nowMillis),
          recipientsVersion: campaign.recipientsVersion + (leads.length > 0 ? 1 : 0)
        })
        yield* refusing.wake(call, stopped)
        yield* tell(nowMillis, [...events, ...(resumed ? [{ ...common, kind: "resumed" as const }] : [])])
        return yield* call.settleIn({
          result: {
            campaign_id: campaignId,
            state,
            leads_accepted: leads.length,
            leads_correlated: correlation.correlated,
            leads_pending: correlation.pending,
            leads_rejected: correlation.rejected,
            leads_suppressed: sorted.removed.length,
            ...invalidOf(sorted),
            ...stoppedOf(stopped),
            ...evidenceCounts({
              rule: context.rules.evidence,
              sequence: campaign.sequence,
              people: sorted.accepted,
              nowMillis
            }),
            campaign_lead_total: total + leads.length
          },
          charge: zero,
          wakes: approval === null ? [] : ruleWakes(campaign, approval)
        })
      })

    return { ask, extend }
  })
