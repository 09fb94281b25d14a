import { Effect, Result } from "effect"
import { type CallScope, FREE_PLAN, type Handler, type Plan } from "../../calls/Handler.js"
import { zero } from "../../kernel/money/Credits.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeScheduling, ruleObstacle, zoneObstacle } from "../sending/vendor/Scheduling.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import type { CreateCampaign } from "../../verbs/CreateCampaign.js"
import type { RequestOf } from "../../verbs/Verb.js"
import { DEFAULT_SCHEDULE, type Schedule, type SequenceStep, type Wording } from "../../kernel/sequences/Sequence.js"
import { RuleStore } from "../../kernel/workspaces/RuleStore.js"
import { makeEvidenceCheck } from "../evidence/checkEvidence.js"
import { makeStopRefusing, stoppedOf } from "./stopRefusing.js"
import { seenByNow } from "../evidence/seenAhead.js"
import { CampaignMachine, type CampaignState } from "../campaigns/CampaignMachine.js"
import { type Campaign, CampaignStore } from "../campaigns/CampaignStore.js"
import { type CompanyRules, NO_COMPANY_RULES } from "../campaigns/companyRules.js"
import {
  type Candidates,
  countsOf,
  invalidOf,
  invalidWarnings,
  makeImporter,
  type Sorted
} from "../campaigns/Importer.js"
import { evidenceCounts } from "./evidenceGate.js"

type Request = RequestOf<typeof CreateCampaign>

/** The state until its vendor has confirmed every lead. */
const UNCONFIRMED: CampaignState = "incomplete"

interface DraftPlan extends Plan {
  readonly sequence: ReadonlyArray<SequenceStep>
}

type GivenStep = Request["sequence"][number]

const wordingOf = ({ body, subject }: Pick<GivenStep, "subject" | "body">): Wording => ({
  subject: subject ?? null,
  body: body ?? ""
})

const sequenceOf = (request: Request): ReadonlyArray<SequenceStep> =>
  request.sequence.map((step) => {
    const [first = step, ...others] = step.variants ?? []
    return {
      ...wordingOf(first),
      waitDays: step.wait_days ?? 0,
      ...(others.length === 0 ? {} : { otherVariants: others.map(wordingOf) })
    }
  })

const scheduleOf = ({ schedule = {} }: Request): Schedule => ({
  timezone: schedule.timezone ?? DEFAULT_SCHEDULE.timezone,
  days: schedule.days ?? DEFAULT_SCHEDULE.days,
  startHour: schedule.start_hour ?? DEFAULT_SCHEDULE.startHour,
  endHour: schedule.end_hour ?? DEFAULT_SCHEDULE.endHour,
  ...(schedule.recipient_timezone === true ? { recipientTimezone: true as const } : {}),
  ...(schedule.skip_holidays === undefined || schedule.skip_holidays.length === 0
    ? {}
    : { skipHolidays: schedule.skip_holidays })
})

const rulesOf = (request: Request): CompanyRules => ({
  stopForCompany: request.stop_for_company ?? NO_COMPANY_RULES.stopForCompany,
  maxPerCompanyPerDay: request.max_per_company_per_day ?? NO_COMPANY_RULES.maxPerCompanyPerDay
})

export const createCampaign = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const importer = yield* makeImporter
  const refusing = yield* makeStopRefusing
  const tell = yield* makeTell
  const ids = yield* Ids
  const scheduling = yield* makeScheduling
  const checkEvidence = yield* makeEvidenceCheck
  const { rules } = yield* RuleStore
  const { atomically } = yield* UnitOfWork

  const read = (request: Request, plan: DraftPlan, { workspaceId }: CallScope) =>
    importer.read(workspaceId, request.recipients, plan.sequence)

  const sort = (
    campaignId: string,
    candidates: Candidates,
    { nowMillis, requestId, workspaceId }: CallScope,
    keyName: string | null
  ) =>
    importer.sort(candidates, {
      workspaceId,
      campaignId,
      contactedMillis: nowMillis,
      by: { verb: "create_campaign", requestId, atMillis: nowMillis, keyName }
    })

  /** The marks of the values of those who are accepted. */
  const marks = (workspaceId: string, { accepted }: Sorted, { sequence }: DraftPlan, nowMillis: number) =>
    Effect.map(rules(workspaceId), ({ evidence }) =>
      evidenceCounts({ rule: evidence, sequence, people: accepted, nowMillis })
    )

  /** The vendor that will run the campaign; it must be able to keep its schedule and rules. Null: none will. */
  const scheduled = (request: Request, { sequence }: DraftPlan, { nowMillis, workspaceId, workspaceKind }: CallScope) =>
    Effect.gen(function* () {
      const scheduler = yield* scheduling.vendorFor(workspaceId, workspaceKind)
      if (scheduler === null) return null
      const obstacle =
        ruleObstacle(rulesOf(request), scheduleOf(request), sequence) ??
        zoneObstacle(scheduler.vendor, scheduleOf(request), nowMillis)
      return obstacle === null ? scheduler : yield* Effect.fail(obstacle)
    })

  const handler: Handler<typeof CreateCampaign, DraftPlan> = {
    plan: (request, { nowMillis }) =>
      Result.map(seenByNow("recipients", request.recipients, nowMillis), () => ({
        ...FREE_PLAN,
        sequence: sequenceOf(request)
      })),
    would: (request, plan, scope) =>
      Effect.andThen(
        scheduled(request, plan, scope),
        Effect.gen(function* () {
          const { nowMillis, requestId, workspaceId } = scope
          const candidates = read(request, plan, scope)
          const sorted = yield* sort(requestId, candidates, scope, null)
          // A dry run reads no page: what only a page can prove is unchecked.
          const accepted = yield* checkEvidence(workspaceId, null, sorted.accepted)
          const { leads_stopped } = stoppedOf(yield* refusing.would(scope, candidates))
          return {
            ...countsOf(sorted),
            ...(leads_stopped === undefined ? {} : { leads_stopped }),
            ...(yield* marks(workspaceId, { ...sorted, accepted }, plan, nowMillis))
          }
        })
      ),
    warnings: (request, plan, scope) => Effect.sync(() => invalidWarnings("recipients", read(request, plan, scope))),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { workspaceId, nowMillis, requestId } = call
        const vendor = yield* scheduled(request, call.plan, call)
        const campaignId = ids.next(nowMillis)
        const candidates = read(request, call.plan, call)
        const given = yield* sort(campaignId, candidates, call, call.admitted.key.name)
        const accepted = yield* checkEvidence(workspaceId, call.providers.siteReaders, given.accepted)
        const sorted = { ...given, accepted }
        const marked = yield* marks(workspaceId, sorted, call.plan, nowMillis)
        const { events, leads } = importer.admit(sorted, nowMillis, {
          workspaceId,
          source: "api",
          requestId,
          campaignId
        })
        const campaign: Campaign = {
          workspaceId,
          campaignId,
          name: request.name,
          state: vendor === null || leads.length === 0 ? CampaignMachine.initial : UNCONFIRMED,
          pauseReason: null,
          sequence: call.plan.sequence,
          chosenVariants: null,
          winnerRule: null,
          schedule: scheduleOf(request),
          ...rulesOf(request),
          recipientsVersion: 1,
          createdAtMillis: nowMillis,
          launchedAtMillis: null
        }
        return yield* Effect.gen(function* () {
          yield* campaigns.insert(campaign, leads)
          yield* campaigns.leaveOut(workspaceId, campaignId, importer.leftOut(sorted, nowMillis))
          const stopped = yield* refusing.stop(call, candidates)
          if (vendor !== null) {
            const leadIds = leads.map(({ campaignLeadId }) => campaignLeadId)
            yield* scheduling.open(campaign, vendor, leadIds, nowMillis)
          }
          yield* tell(nowMillis, events)
          yield* refusing.wake(call, stopped)
          return yield* call.settleIn({
            result: {
              campaign_id: campaignId,
              name: request.name,
              state: campaign.state,
              ...countsOf(sorted),
              ...invalidOf(sorted),
              ...stoppedOf(stopped),
              ...marked,
              created_at: new Date(nowMillis).toISOString()
            },
            charge: zero
          })
        }).pipe(atomically)
      })
  }
  return handler
})
