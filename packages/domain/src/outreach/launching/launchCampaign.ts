import { Effect, Option } from "effect"
import { type Approval } from "../../calls/approvals/ApprovalStore.js"
import { APPROVAL_MILLIS, Approvals, type TokenCheck, needsDecision } from "../../calls/approvals/Approvals.js"
import type { ApprovalSnapshot } from "../../calls/approvals/Snapshot.js"
import type { SubjectCheck } from "../../calls/Attempt.js"
import { type Call, type CallScope, free, type Handler, type Plan } from "../../calls/Handler.js"
import { type AnyWireError, isWireError, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { after, allows } from "../../kernel/machine.js"
import { zero } from "../../kernel/money/Credits.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { approvalUrl, Settings } from "../../kernel/Settings.js"
import { suspended } from "../sending/suspended.js"
import { makeOpenWindows } from "../sending/SendingCalendar.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { Contactability } from "../suppression/Contactability.js"
import { shownReason } from "../suppression/SuppressionStore.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import type { LaunchCampaign } from "../../verbs/LaunchCampaign.js"
import { RECIPIENTS_MAX } from "../../verbs/campaignFields.js"
import type { ResultOf } from "../../verbs/Verb.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { type Campaign, type CampaignLead, CampaignStore, type LeadCover } from "../campaigns/CampaignStore.js"
import { ruleAfter, ruleWakes } from "../campaigns/winnerRule.js"
import { drawHoldout, heldOutOf } from "./holdout/drawHoldout.js"
import { HoldoutStore } from "./holdout/HoldoutStore.js"
import { makeLookAhead } from "./authentication.js"
import { contentPreview, makeContent, type Shown } from "./content/Content.js"
import {
  bindingTextOf,
  type CampaignContext,
  campaignStateObstacle,
  capacityObstacles,
  coversOf,
  makeCampaignContext,
  type Obstacle,
  shownMailboxes,
  shownRecipients,
  shownSenders,
  shownTerms,
  showsEach
} from "./CampaignContext.js"
import { listObstacles, previewOf, type Rechecked, type Removal } from "./launchPreview.js"
import { makeListGate, ruledOut, scorecardOf } from "./list/listGate.js"
import { evidenceCounts, evidenceObstacle } from "./evidenceGate.js"
import { hasOpenEvidence, makeEvidenceCheck } from "../evidence/checkEvidence.js"
import { EvidenceStore, type LeadEvidence } from "../evidence/EvidenceStore.js"

/** The leads that a launch emails or removes. */
const LAUNCHABLE = ["pending", "ready", "active"] as const

/** Enough of a digest that nobody finds a call with the draw that they like. */
const SEED_CHARS = 32

/** Reasons against launching now, with their names in a dry run. Those of single people come beside them. */
const obstacles = (context: CampaignContext, percent: number | undefined): ReadonlyArray<Obstacle> => {
  const { campaign } = context
  const allowed = allows(CampaignMachine, campaign.state, "launch") && campaign.pauseReason !== "killed"
  const late = holdoutObstacle(campaign, percent)
  return [
    ...(allowed ? [] : [campaignStateObstacle(campaign)]),
    ...(late === null ? [] : [late]),
    ...capacityObstacles(context)
  ]
}

const firstOf = (
  token: TokenCheck,
  context: CampaignContext,
  percent: number | undefined,
  beside: ReadonlyArray<Obstacle> = []
): AnyWireError | null =>
  suspended(context.sending) ?? token.before ?? [...obstacles(context, percent), ...beside][0]?.[1] ?? token.after

const wouldExceed = (
  context: CampaignContext,
  percent: number | undefined,
  beside: ReadonlyArray<Obstacle>
): ReadonlyArray<string> => [
  ...(suspended(context.sending) === null ? [] : ["agent_suspended"]),
  ...[...obstacles(context, percent), ...beside].map(([name]) => name)
]

/** A holdout is drawn among those who are there at the first launch; later there is none to compare with. */
const holdoutObstacle = (campaign: Campaign, percent: number | undefined): Obstacle | null =>
  percent === undefined || campaign.launchedAtMillis === null
    ? null
    : ["holdout_late", refuse("invalid_request", { reason: "holdout_late" })]

export const launchCampaign = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const workspaces = yield* WorkspaceStore
  const around = yield* makeCampaignContext
  const lookAhead = yield* makeLookAhead
  const openWindows = yield* makeOpenWindows
  const vendors = yield* VendorStore
  const contactability = yield* Contactability
  const gate = yield* makeListGate
  const approvals = yield* Approvals
  const content = yield* makeContent
  const tell = yield* makeTell
  const holdouts = yield* HoldoutStore
  const crypto = yield* Crypto
  const settings = yield* Settings
  const checkEvidence = yield* makeEvidenceCheck
  const evidence = yield* EvidenceStore
  const { atomically } = yield* UnitOfWork

  const notFound = refuse("not_found", {})

  const bindingOf = (context: CampaignContext): string => crypto.sha256Hex(bindingTextOf(context))

  const changed = (approval: Approval): AnyWireError =>
    refuse("approval_changed", { approval_url: approvalUrl(settings, approval.approvalId) })

  /**
   * Which launchable leads must not be emailed. People shown as removed stay removed: the contact history is checked as
   * of the time shown, so an entry that expires in between adds no one.
   */
  const recheck = (scope: CallScope, { campaign, rules }: CampaignContext, shownMillis?: number) =>
    Effect.gen(function* () {
      const { workspaceId } = scope
      const nowMillis = shownMillis ?? scope.nowMillis
      const { campaignId } = campaign
      const leads = yield* campaigns.firstLeads(workspaceId, campaignId, LAUNCHABLE, RECIPIENTS_MAX)
      const forbidden = yield* contactability.check({
        workspaceId,
        campaignId,
        people: leads,
        nowMillis,
        mayWait: true
      })
      const isOut = ruledOut(rules)
      const removals = leads.flatMap((lead): ReadonlyArray<Removal> => {
        const reason = forbidden.get(lead.addressHash) ?? (isOut(lead.email) ? "role_address" : null)
        return reason === null ? [] : [{ lead, reason }]
      })
      const removed = new Set(removals.map(({ lead }) => lead))
      const kept = leads.filter((lead) => !removed.has(lead))
      const score = yield* gate.score(workspaceId, kept, rules, scope.nowMillis)
      return { leads, removals, kept, score } satisfies Rechecked
    })

  /** What the rules say of the list before admission. If it can't be read now, the handler refuses later. */
  const listRefusals = (scope: CallScope, context: CampaignContext) =>
    context.rules.unverifiedMaxPercent === null
      ? Effect.succeed([])
      : Effect.map(recheck(scope, context), (checked) => listObstacles(checked, context.rules)).pipe(
          Effect.catchIf(isWireError, () => Effect.succeed([]))
        )

  /** The values without proof; `known`: as far as is known before what could not be checked is looked at again. */
  const unproven = (
    { campaign, rules }: CampaignContext,
    people: ReadonlyArray<CampaignLead>,
    nowMillis: number,
    extent: "known" | "all"
  ): Obstacle | null =>
    evidenceObstacle({ rule: rules.evidence, sequence: campaign.sequence, people, nowMillis }, extent)

  /** The same before admission. If nobody can say now who would be emailed, the handler refuses later. */
  const unprovenLeads = (scope: CallScope, context: CampaignContext, extent: "known" | "all") =>
    context.rules.evidence !== "require"
      ? Effect.succeed(null)
      : Effect.map(recheck(scope, context), ({ kept }) => unproven(context, kept, scope.nowMillis, extent)).pipe(
          Effect.catchIf(isWireError, () => Effect.succeed(null))
        )

  /** Looks again at evidence that could not be checked when its lead was added. Reads pages, so outside a transaction. */
  const lookAgain = (call: LaunchCall, campaignId: string) =>
    Effect.gen(function* () {
      const { workspaceId } = call
      const leads = yield* campaigns.firstLeads(workspaceId, campaignId, LAUNCHABLE, RECIPIENTS_MAX)
      if (!hasOpenEvidence(leads)) return []
      const checked = yield* checkEvidence(workspaceId, call.providers.siteReaders, leads)
      return checked.flatMap((lead, index): ReadonlyArray<LeadEvidence> =>
        lead === leads[index] ? [] : [{ campaignLeadId: lead.campaignLeadId, evidence: lead.evidence ?? [] }]
      )
    })

  const snapshotOf = (
    context: CampaignContext,
    { kept, removals, score }: Rechecked,
    { origins, summary, words }: Shown,
    percent: number | undefined
  ): ApprovalSnapshot => ({
    kind: "launch",
    ...shownTerms(
      context,
      kept.map(({ hours }) => hours)
    ),
    leads: kept.length,
    leads_removed: removals.length,
    recipients: shownRecipients(kept),
    list: scorecardOf(score, context.rules),
    content: summary,
    words,
    origins,
    ...(percent === undefined ? {} : { holdout: { percent, people: heldOutOf(kept.length, percent) } })
  })

  type LaunchCall = Call<Plan, ResultOf<typeof LaunchCampaign>>

  const ask = (call: LaunchCall, context: CampaignContext, percent: number | undefined) =>
    Effect.gen(function* () {
      const { campaign } = context
      const checked = yield* recheck(call, context)
      const { kept } = checked
      const [refused] = listObstacles(checked, context.rules)
      if (refused !== undefined) return yield* Effect.fail(refused[1])
      const claims = unproven(context, kept, call.nowMillis, "all")
      if (claims !== null) return yield* Effect.fail(claims[1])
      const shown = yield* content.shown(context, kept, call.nowMillis)
      const target = `campaign:${campaign.campaignId}`
      const asked = yield* approvals.ask(call, {
        verb: "launch_campaign",
        target,
        binding: bindingOf(context),
        snapshot: snapshotOf(context, checked, shown, percent),
        lifetimeMillis: APPROVAL_MILLIS,
        requested: { kind: "launch_requested", campaignId: campaign.campaignId, replyId: null }
      })
      yield* content.keep(call.workspaceId, asked.approvalId, target, shown)
      const preview = { ...previewOf(context, checked, percent), ...contentPreview(shown.summary) }
      return yield* call.settleIn(
        needsDecision(asked, {
          campaign_id: campaign.campaignId,
          ...preview,
          mailboxes: shownSenders(context),
          ...context.shownPeople(kept.map(({ hours }) => hours))
        })
      )
    })

  /**
   * Leads that the vendor has not confirmed are covered now and become ready once it has. Read after locking the leads,
   * so that a concurrent confirmation waits and then finds the cover.
   */
  const confirmedOnly = ({ campaignId, workspaceId }: Campaign, covers: ReadonlyArray<LeadCover>) =>
    Effect.map(vendors.presentLeads(workspaceId, campaignId), (present) =>
      covers.map((cover): LeadCover =>
        present.has(cover.campaignLeadId) ? cover : { ...cover, isUnconfirmed: true as const }
      )
    )

  const launch = (call: LaunchCall, context: CampaignContext, approval: Approval) =>
    Effect.gen(function* () {
      const { workspaceId, nowMillis, requestId } = call
      const { campaign, mailboxes } = context
      const { campaignId } = campaign
      yield* campaigns.lockLeads(workspaceId, campaignId, LAUNCHABLE)
      const checked = yield* recheck(call, context, approval.createdAtMillis)
      const { kept, removals } = checked
      const [refused] = listObstacles(checked, context.rules)
      if (refused !== undefined) return yield* Effect.fail(refused[1])
      if (!(yield* content.covers(approval, context, kept))) return yield* Effect.fail(changed(approval))
      const claims = unproven(context, kept, nowMillis, "all")
      if (claims !== null) return yield* Effect.fail(claims[1])
      yield* campaigns.removeLeads(
        workspaceId,
        removals.map((removal) => removal.lead.campaignLeadId)
      )
      yield* campaigns.bindMailboxes(workspaceId, campaignId, shownMailboxes(approval), nowMillis)
      // Nobody could know it before the people were shown: the call that executes is made after that.
      const seed = crypto.sha256Hex(`${approval.approvalId} ${requestId}`).slice(0, SEED_CHARS)
      const percent = "holdout" in approval.snapshot ? approval.snapshot.holdout?.percent : undefined
      const { heldOut, written } =
        percent === undefined ? { heldOut: [], written: kept } : drawHoldout(kept, percent, seed, crypto.sha256Hex)
      if (percent !== undefined) {
        yield* holdouts.keep(workspaceId, campaignId, { percent, seed, drawnAtMillis: nowMillis }, [
          ...heldOut.map(({ campaignLeadId }) => ({ campaignLeadId, isHeldOut: true })),
          ...written.map(({ campaignLeadId }) => ({ campaignLeadId, isHeldOut: false }))
        ])
        yield* campaigns.removeLeads(
          workspaceId,
          heldOut.map(({ campaignLeadId }) => campaignLeadId)
        )
      }
      const covers = coversOf(written, context, yield* content.wordsFor(context, written), nowMillis)
      yield* campaigns.coverLeads(
        workspaceId,
        campaignId,
        approval.approvalId,
        context.vendorCampaign === null ? covers : yield* confirmedOnly(campaign, covers)
      )
      yield* campaigns.update({
        ...campaign,
        state: after(CampaignMachine, campaign.state, "launch"),
        pauseReason: null,
        winnerRule: ruleAfter(campaign.winnerRule, approval, nowMillis),
        launchedAtMillis: campaign.launchedAtMillis ?? nowMillis
      })
      if (context.vendorCampaign === null) {
        const hours = new Set([null, ...written.map((lead) => lead.hours)])
        yield* openWindows(campaign, context.workspace.kind, mailboxes, hours, nowMillis)
      } else yield* vendors.wake(workspaceId, [campaignId], nowMillis)
      yield* approvals.use(call, approval)
      const common = { workspaceId, source: "api" as const, requestId, campaignId }
      yield* tell(nowMillis, [
        ...removals.map(({ lead: { campaignLeadId, email }, reason }) => {
          const kind = "removed" as const
          return { ...common, kind, campaignLeadId, email, detail: shownReason(reason) }
        }),
        ...heldOut.map(({ campaignLeadId, email }) => {
          const kind = "removed" as const
          return { ...common, kind, campaignLeadId, email, detail: { reason: "holdout" } }
        }),
        {
          ...common,
          kind: "launched" as const,
          ...(percent === undefined
            ? {}
            : { detail: { holdout_percent: percent, holdout_seed: seed, leads_held_out: heldOut.length } })
        }
      ])
      return yield* call.settleIn({
        result: {
          status: "launched",
          campaign_id: campaignId,
          mailboxes_attached: mailboxes.length,
          leads_active: written.length,
          leads_suppressed_at_launch: removals.length,
          ...(percent === undefined ? {} : { leads_held_out: heldOut.length })
        },
        charge: zero,
        wakes: ruleWakes(campaign, approval)
      })
    })

  const handler: Handler<typeof LaunchCampaign> = {
    plan: free,
    subject: (request, scope) =>
      Effect.gen(function* () {
        const campaign = yield* campaigns.get(scope.workspaceId, request.campaign_id.toLowerCase())
        if (Option.isNone(campaign)) return { missing: notFound, refusal: null, wouldExceed: [] } satisfies SubjectCheck
        yield* lookAhead(campaign.value)
        const sending = yield* workspaces.sending(scope.workspaceId)
        const context = yield* around(scope.workspaceId, campaign.value, sending)
        const token = yield* approvals.look(scope, "launch_campaign")
        const known = yield* unprovenLeads(scope, context, "known")
        const all = known ?? (yield* unprovenLeads(scope, context, "all"))
        const list = yield* listRefusals(scope, context)
        return {
          missing: null,
          refusal: firstOf(token, context, request.holdout_percent, [...list, ...(known === null ? [] : [known])]),
          wouldExceed: wouldExceed(context, request.holdout_percent, [...list, ...(all === null ? [] : [all])])
        }
      }),
    would: (request, _plan, scope) =>
      Effect.gen(function* () {
        const campaign = yield* campaigns
          .get(scope.workspaceId, request.campaign_id.toLowerCase())
          .pipe(orFail(notFound))
        const context = yield* around(scope.workspaceId, campaign, yield* workspaces.sending(scope.workspaceId))
        const checked = yield* recheck(scope, context)
        const { nowMillis } = scope
        const marked = { rule: context.rules.evidence, sequence: campaign.sequence, people: checked.kept, nowMillis }
        return {
          ...previewOf(context, checked, request.holdout_percent),
          ...evidenceCounts(marked),
          needs_confirmation: true
        }
      }),
    perform: (request, call) =>
      Effect.gen(function* () {
        const looked = call.tokenHash === null ? yield* lookAgain(call, request.campaign_id.toLowerCase()) : []
        return yield* Effect.gen(function* () {
          const sending = yield* workspaces.shareSending(call.workspaceId)
          const id = request.campaign_id.toLowerCase()
          if (call.tokenHash !== null) yield* campaigns.holdToLaunch(call.workspaceId, id)
          const campaign = yield* campaigns.lock(call.workspaceId, id).pipe(orFail(notFound))
          if (looked.length > 0) yield* evidence.keep(call.workspaceId, looked)
          const context = yield* around(call.workspaceId, campaign, sending)
          const token = yield* approvals.check(call, "launch_campaign")
          const refusal = firstOf(token, context, request.holdout_percent)
          if (refusal !== null) return yield* Effect.fail(refusal)
          if (token.approval === null) return yield* ask(call, context, request.holdout_percent)
          const isShown = token.approval.binding === bindingOf(context) && showsEach(token.approval, context.mailboxes)
          if (!isShown) return yield* Effect.fail(changed(token.approval))
          return yield* launch(call, context, token.approval)
        }).pipe(atomically)
      })
  }
  return handler
})
