import { Effect, Either } from "effect"
import { type Handler, freePlan, type Plan } from "../calls/Handler.js"
import { invalid } from "../errors/Wire.js"
import { zero } from "../money/Credits.js"
import { Ids } from "../ports/Ids.js"
import { UnitOfWork } from "../ports/UnitOfWork.js"
import { Contactability, reasonCounts } from "../suppression/Contactability.js"
import type { RemovalReason } from "../suppression/SuppressionStore.js"
import { eventOf } from "../trail/events.js"
import { TrailStore } from "../trail/TrailStore.js"
import type { CreateCampaign } from "../verbs/CreateCampaign.js"
import type { RequestOf } from "../verbs/Verb.js"
import { DEFAULT_SCHEDULE, type Recipient, type Schedule, type SequenceStep } from "./Campaign.js"
import { CampaignMachine } from "./CampaignMachine.js"
import { CampaignStore } from "./CampaignStore.js"
import { readRecipients } from "./recipients.js"
import { unknownVariables } from "./template.js"

type Request = RequestOf<typeof CreateCampaign>

interface DraftPlan extends Plan {
  readonly sequence: ReadonlyArray<SequenceStep>
}

const sequenceOf = (request: Request): ReadonlyArray<SequenceStep> =>
  request.sequence.map((step) => ({
    subject: step.subject ?? null,
    body: step.body,
    waitDays: step.wait_days ?? 0
  }))

const scheduleOf = (request: Request): Schedule =>
  request.schedule === undefined
    ? DEFAULT_SCHEDULE
    : {
        timezone: request.schedule.timezone,
        days: request.schedule.days,
        startHour: request.schedule.start_hour,
        endHour: request.schedule.end_hour
      }

/** Whom an import accepts, and whom it leaves out for which reason. */
interface Sorted {
  readonly accepted: ReadonlyArray<Recipient & { readonly addressHash: string }>
  readonly removed: ReadonlyArray<{ readonly email: string; readonly reason: RemovalReason }>
}

export const createCampaign = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const contactability = yield* Contactability
  const trail = yield* TrailStore
  const ids = yield* Ids
  const { atomically } = yield* UnitOfWork

  const sort = (workspaceId: string, campaignId: string, request: Request, plan: DraftPlan, nowMillis: number) =>
    Effect.gen(function* () {
      const read = readRecipients(request.recipients, plan.sequence)
      const hashed = read.usable.map((recipient) => ({
        ...recipient,
        addressHash: contactability.hashOf(workspaceId, recipient.email)
      }))
      const forbidden = yield* contactability.check({
        workspaceId,
        campaignId,
        addressHashes: hashed.map((recipient) => recipient.addressHash),
        nowMillis
      })
      const sorted: Sorted = {
        accepted: hashed.filter((recipient) => !forbidden.has(recipient.addressHash)),
        removed: [
          ...read.invalid.map((email) => ({ email, reason: "invalid" as const })),
          ...hashed.flatMap((recipient) => {
            const reason = forbidden.get(recipient.addressHash)
            return reason === undefined ? [] : [{ email: recipient.email, reason }]
          })
        ]
      }
      return sorted
    })

  const countsOf = (sorted: Sorted) => ({
    leads_accepted: sorted.accepted.length,
    leads_suppressed: sorted.removed.length,
    suppressed_reasons: reasonCounts(sorted.removed.map((one) => one.reason))
  })

  const handler: Handler<typeof CreateCampaign, DraftPlan> = {
    plan: (request) => {
      const sequence = sequenceOf(request)
      const issues = unknownVariables(sequence)
      return issues.length > 0 ? Either.left(invalid(issues)) : Either.right({ ...freePlan(zero), sequence })
    },
    would: (request, plan, scope) =>
      Effect.map(sort(scope.workspaceId, scope.requestId, request, plan, scope.nowMillis), countsOf),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { workspaceId, nowMillis, requestId } = call
        const campaignId = ids.next(nowMillis)
        const sorted = yield* sort(workspaceId, campaignId, request, call.plan, nowMillis)
        const leads = sorted.accepted.map((recipient) => ({ ...recipient, campaignLeadId: ids.next(nowMillis) }))
        const common = { workspaceId, source: "api" as const, requestId, campaignId }
        const events = [
          ...leads.map((lead) =>
            eventOf(ids, nowMillis, {
              ...common,
              kind: "admitted",
              campaignLeadId: lead.campaignLeadId,
              email: lead.email
            })
          ),
          ...sorted.removed.map(({ email, reason }) =>
            eventOf(ids, nowMillis, { ...common, kind: "removed", email, detail: { reason } })
          )
        ]
        return yield* atomically(
          Effect.gen(function* () {
            yield* campaigns.insert(
              {
                workspaceId,
                campaignId,
                name: request.name,
                state: CampaignMachine.initial,
                pauseReason: null,
                sequence: call.plan.sequence,
                schedule: scheduleOf(request),
                recipientsVersion: 1,
                createdAtMillis: nowMillis,
                launchedAtMillis: null
              },
              leads
            )
            yield* trail.append(events)
            return yield* call.settleIn({
              result: {
                campaign_id: campaignId,
                name: request.name,
                state: CampaignMachine.initial,
                ...countsOf(sorted),
                created_at: new Date(nowMillis).toISOString()
              },
              charge: zero
            })
          })
        )
      })
  }
  return handler
})
