import { Effect, Option } from "effect"
import { free, type Handler } from "../../../calls/Handler.js"
import { refuse } from "../../../kernel/errors/Wire.js"
import { zero } from "../../../kernel/money/Credits.js"
import { orFail } from "../../../kernel/orFail.js"
import { UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import type { PauseCampaign } from "../../../verbs/PauseCampaign.js"
import { CampaignStore } from "../../campaigns/CampaignStore.js"
import { makePauses, pauseRefusal } from "./pauses.js"

const notFound = refuse("not_found", {})

/** Pauses a campaign. It only tightens, so it needs no approval (contract: campaigns, pause and resume). */
export const pauseCampaign = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const { pause } = yield* makePauses
  const { atomically } = yield* UnitOfWork

  const handler: Handler<typeof PauseCampaign> = {
    plan: free,
    subject: (request, scope) =>
      Effect.map(campaigns.get(scope.workspaceId, request.campaign_id.toLowerCase()), (found) =>
        Option.match(found, {
          onNone: () => ({ missing: notFound, refusal: null, wouldExceed: [] }),
          onSome: (campaign) => ({ missing: null, refusal: pauseRefusal(campaign), wouldExceed: [] })
        })
      ),
    perform: (request, call) =>
      Effect.gen(function* () {
        const { byUserId, keyId, requestId, workspaceId } = call
        const found = yield* campaigns.lock(workspaceId, request.campaign_id.toLowerCase()).pipe(orFail(notFound))
        const refusal = pauseRefusal(found)
        if (refusal !== null) return yield* Effect.fail(refusal)
        const told = { source: "api", requestId, by: byUserId ?? keyId } as const
        const { campaign, inFlight } = yield* pause(found, request.reason ?? null, told)
        const { campaignId, pauseReason, state } = campaign
        return yield* call.settleIn({
          result: { campaign_id: campaignId, state, paused_because: pauseReason, in_flight: inFlight },
          charge: zero
        })
      }).pipe(atomically)
  }
  return handler
})
