import { Effect, Option, Result } from "effect"
import type { Approval } from "../../calls/approvals/ApprovalStore.js"
import { Approvals } from "../../calls/approvals/Approvals.js"
import type { SubjectCheck } from "../../calls/Attempt.js"
import { type CallScope, free, type Handler } from "../../calls/Handler.js"
import { type AnyWireError, isWireError, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { suspended } from "../sending/suspended.js"
import { VendorRounds } from "../sending/vendor/VendorRounds.js"
import { VendorStore } from "../sending/vendor/VendorStore.js"
import { approvalUrl, Settings } from "../../kernel/Settings.js"
import type { AddLeads } from "../../verbs/AddLeads.js"
import { RECIPIENTS_MAX } from "../../verbs/campaignFields.js"
import type { RequestOf } from "../../verbs/Verb.js"
import { WorkspaceStore } from "../../kernel/workspaces/WorkspaceStore.js"
import { CampaignMachine } from "../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../campaigns/CampaignStore.js"
import {
  type Addition,
  type ExtendCall,
  extensionObstacles,
  firstRefusal,
  makeExtend,
  needsApproval,
  obstaclesOf
} from "./extendCampaign.js"
import { makeStopRefusing, stoppedOf } from "./stopRefusing.js"
import { makeListGate, ruledOut, shownList } from "./list/listGate.js"
import type { ValueEvidence } from "../../kernel/sequences/evidence.js"
import {
  type Candidates,
  type Hashed,
  countsOf,
  invalidWarnings,
  makeImporter,
  without
} from "../campaigns/Importer.js"
import {
  bindingTextOf,
  type CampaignContext,
  campaignStateObstacle,
  makeCampaignContext,
  showsEach
} from "./CampaignContext.js"
import { makeLookAhead } from "./authentication.js"
import { makeContent } from "./content/Content.js"
import { evidenceCounts, evidenceObstacle } from "./evidenceGate.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import { makeEvidenceCheck } from "../evidence/checkEvidence.js"
import { EvidenceStore } from "../evidence/EvidenceStore.js"
import { seenByNow } from "../evidence/seenAhead.js"

type Request = RequestOf<typeof AddLeads>

const notFound = refuse("not_found", {})

const idOf = (request: Request): string => request.campaign_id.toLowerCase()

const leadsOf = (request: Request) => request.leads ?? []

/** Whether the call adds people to a launched campaign. A call that only finalizes adds no one. */
const asksFor = (request: Request, campaign: Campaign): boolean =>
  leadsOf(request).length > 0 && needsApproval(campaign)

/** What is the same in evidence that is given twice. */
const givenIn = ({ excerpt, requestId, seenAt, url, variable }: ValueEvidence): string =>
  JSON.stringify([variable, requestId, url, excerpt, seenAt])

/** A person with what was found of their evidence when it was shown. What was found of other evidence says nothing of it. */
export const withFindings = (person: Hashed, shown: ReadonlyArray<ValueEvidence>): Hashed => {
  if ((person.evidence ?? []).length === 0) return person
  const found = new Map(shown.map((one) => [givenIn(one), one.finding]))
  return {
    ...person,
    evidence: (person.evidence ?? []).map((one) => ({ ...one, finding: found.get(givenIn(one)) ?? null }))
  }
}

/**
 * Adds people to a campaign (contract: campaigns, adding people). A draft accepts them at once. A launched campaign is
 * paused until a person approves: only the approved call adds people, and its approval covers exactly those shown.
 */
export const addLeads = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const workspaces = yield* WorkspaceStore
  const around = yield* makeCampaignContext
  const lookAhead = yield* makeLookAhead
  const importer = yield* makeImporter
  const { ask, extend } = yield* makeExtend(importer)
  const refusing = yield* makeStopRefusing
  const gate = yield* makeListGate
  const approvals = yield* Approvals
  const content = yield* makeContent
  const crypto = yield* Crypto
  const settings = yield* Settings
  const vendors = yield* VendorStore
  const rounds = yield* VendorRounds
  const checkEvidence = yield* makeEvidenceCheck
  const evidence = yield* EvidenceStore
  const { rules } = yield* RuleStore
  const { atomically } = yield* UnitOfWork

  const read = (request: Request, { sequence, workspaceId }: Campaign): Candidates =>
    importer.read(workspaceId, leadsOf(request), sequence)

  /**
   * `shownMillis`: when the approver saw the additions; people left out then stay out. A launched campaign takes nobody
   * whom the workspace's rules leave out; of a draft they are removed at its launch.
   */
  const additionOf = (
    candidates: Candidates,
    campaign: Campaign,
    shownMillis: number,
    { nowMillis, requestId }: CallScope,
    keyName: string | null = null
  ) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = campaign
      const held = yield* rules(workspaceId)
      const total = yield* campaigns.countLeads(workspaceId, campaignId)
      const hashes = [...candidates.usable, ...candidates.invalid].map((one) => one.addressHash)
      const present = yield* campaigns.present(workspaceId, campaignId, hashes)
      const by = { verb: "add_leads", requestId, atMillis: nowMillis, keyName }
      const isRuledOut = needsApproval(campaign) ? ruledOut(held) : () => false
      const at = { workspaceId, campaignId, contactedMillis: shownMillis, by, isRuledOut }
      const sorted = yield* importer.sort(without(candidates, present), at)
      const score = yield* gate.score(workspaceId, sorted.accepted, held, nowMillis)
      return { candidates, sorted, total, score, rules: held } satisfies Addition
    })

  /** The values without proof, as far as is known before any page is read. */
  const unproven = (request: Request, context: CampaignContext, nowMillis: number) =>
    Effect.gen(function* () {
      const { campaign } = context
      const rule = context.rules.evidence
      if (rule !== "require" || !asksFor(request, campaign)) return null
      const people = yield* checkEvidence(campaign.workspaceId, null, read(request, campaign).usable)
      return evidenceObstacle({ rule, sequence: campaign.sequence, people, nowMillis }, "known")
    })

  /**
   * The candidates with their evidence looked at; of an approved call, as its approval shows it, because a page may say
   * something else by now.
   */
  const proven = (call: ExtendCall, candidates: Candidates) =>
    call.tokenHash === null
      ? Effect.map(checkEvidence(call.workspaceId, call.providers.siteReaders, candidates.usable), (usable) => ({
          ...candidates,
          usable
        }))
      : Effect.succeed(candidates)

  const asShown = (candidates: Candidates, { approvalId, workspaceId }: Approval) =>
    Effect.map(evidence.shown(workspaceId, approvalId), (shown): Candidates => ({
      ...candidates,
      usable: candidates.usable.map((one) => withFindings(one, shown.get(one.addressHash) ?? []))
    }))

  /** Before admission, look people up only if there could be too many, or a rule asks. Few calls come near the limit. */
  const refusalsOf = (request: Request, { campaign, rules: held }: CampaignContext, scope: CallScope) =>
    Effect.gen(function* () {
      const total = yield* campaigns.countLeads(campaign.workspaceId, campaign.campaignId)
      const isRuled = asksFor(request, campaign) && held.unverifiedMaxPercent !== null
      if (total + leadsOf(request).length <= RECIPIENTS_MAX && !isRuled) return []
      return obstaclesOf(campaign, yield* additionOf(read(request, campaign), campaign, scope.nowMillis, scope))
    }).pipe(
      // If the check is impossible now, the handler refuses later.
      Effect.catchIf(isWireError, () => Effect.succeed([]))
    )

  const changed = (approval: Approval, context: CampaignContext, { sorted }: Addition) =>
    Effect.map(content.covers(approval, context, sorted.accepted), (isCovered): AnyWireError | null =>
      isCovered &&
      approval.binding === crypto.sha256Hex(bindingTextOf(context)) &&
      showsEach(approval, context.mailboxes)
        ? null
        : refuse("approval_changed", { approval_url: approvalUrl(settings, approval.approvalId) })
    )

  /** Asks the campaign's vendor about its unconfirmed leads. The answer is recorded separately. */
  const askAgain = ({ campaignId, workspaceId }: Campaign, nowMillis: number) =>
    Effect.andThen(
      atomically(vendors.hurry(workspaceId, campaignId, nowMillis)),
      rounds.advance(workspaceId, campaignId)
    )

  const handler: Handler<typeof AddLeads> = {
    plan: (request, { nowMillis }) => Result.flatMap(seenByNow("leads", leadsOf(request), nowMillis), free),
    subject: (request, scope) =>
      Effect.gen(function* () {
        const campaign = yield* campaigns.get(scope.workspaceId, idOf(request))
        if (Option.isNone(campaign)) return { missing: notFound, refusal: null, wouldExceed: [] } satisfies SubjectCheck
        const asks = asksFor(request, campaign.value)
        if (asks) yield* lookAhead(campaign.value)
        const sending = yield* workspaces.sending(scope.workspaceId)
        const context = yield* around(scope.workspaceId, campaign.value, sending)
        const token = yield* approvals.look(scope, "add_leads")
        const against = yield* refusalsOf(request, context, scope)
        const claims = yield* unproven(request, context, scope.nowMillis)
        const found = [...extensionObstacles(context, asks), ...against, ...(claims === null ? [] : [claims])]
        const check: SubjectCheck = {
          missing: null,
          asks,
          refusal: firstRefusal(token, context, found),
          wouldExceed: [
            ...(suspended(context.sending) === null ? [] : ["agent_suspended"]),
            ...found.map(([name]) => name)
          ]
        }
        return check
      }),
    would: (request, _plan, scope) =>
      Effect.gen(function* () {
        const campaign = yield* campaigns.get(scope.workspaceId, idOf(request)).pipe(orFail(notFound))
        const candidates = read(request, campaign)
        const { score, sorted } = yield* additionOf(candidates, campaign, scope.nowMillis, scope)
        const { leads_stopped } = stoppedOf(yield* refusing.would(scope, candidates))
        const asks = asksFor(request, campaign)
        const people = yield* checkEvidence(scope.workspaceId, null, sorted.accepted)
        const rule = (yield* rules(scope.workspaceId)).evidence
        return {
          ...countsOf(sorted),
          ...(leads_stopped === undefined ? {} : { leads_stopped }),
          list: shownList(score),
          ...evidenceCounts({ rule, sequence: campaign.sequence, people, nowMillis: scope.nowMillis }),
          pauses_campaign: asks && CampaignMachine.is.running(campaign.state),
          needs_confirmation: asks
        }
      }),
    warnings: (request, _plan, scope) =>
      Effect.map(campaigns.get(scope.workspaceId, idOf(request)).pipe(orFail(notFound)), (campaign) =>
        invalidWarnings("leads", read(request, campaign))
      ),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { workspaceId, nowMillis } = call
        // A campaign's sequence never changes, so the required fields can be read before the lock.
        const before = yield* campaigns.get(workspaceId, idOf(request)).pipe(orFail(notFound))
        const candidates = yield* proven(call, read(request, before))
        const finalize = request.finalize_incomplete === true
        const vendorCampaign = yield* vendors.get(workspaceId, before.campaignId)
        const counts = Option.isNone(vendorCampaign) ? null : yield* vendors.counts(workspaceId, before.campaignId)
        if (finalize && counts !== null) yield* askAgain(before, nowMillis)
        return yield* Effect.gen(function* () {
          const sending = yield* workspaces.shareSending(workspaceId)
          const held = yield* campaigns.holdToExtend(workspaceId, idOf(request))
          if (!held) return yield* Effect.fail(campaignStateObstacle(before)[1])
          const campaign = yield* campaigns.lock(workspaceId, idOf(request)).pipe(orFail(notFound))
          const context = yield* around(workspaceId, campaign, sending)
          const token = yield* approvals.check(call, "add_leads")
          const asks = asksFor(request, campaign)
          const refusal = firstRefusal(token, context, extensionObstacles(context, asks))
          if (refusal !== null) return yield* Effect.fail(refusal)
          // Admission saw a draft, but it may have been launched since.
          if (asks && !call.admitted.key.autonomousExternalActions) {
            return yield* Effect.fail(refuse("forbidden", { reason: "autonomy_off" }))
          }
          const { approval } = token
          const people = approval === null ? candidates : yield* asShown(candidates, approval)
          const addition = yield* additionOf(
            people,
            campaign,
            approval?.createdAtMillis ?? nowMillis,
            call,
            call.admitted.key.name
          )
          const [against] = obstaclesOf(campaign, addition)
          if (against !== undefined) return yield* Effect.fail(against[1])
          const { accepted } = addition.sorted
          const asked = {
            rule: context.rules.evidence,
            sequence: campaign.sequence,
            people: accepted,
            nowMillis
          }
          const claims = asks ? evidenceObstacle(asked, "all") : null
          if (claims !== null) return yield* Effect.fail(claims[1])
          if (asks && approval === null) return yield* ask(call, context, addition)
          const other = approval === null ? null : yield* changed(approval, context, addition)
          if (other !== null) return yield* Effect.fail(other)
          return yield* extend(call, context, addition, { approval, finalize, before: counts })
        }).pipe(atomically)
      })
  }
  return handler
})
