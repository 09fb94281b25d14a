import { Clock, Effect, Result } from "effect"
import { step } from "../../kernel/machine.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeTell } from "../../kernel/trail/TrailEvent.js"
import { CampaignMachine } from "./CampaignMachine.js"
import { CampaignStore } from "./CampaignStore.js"

const SWEEP_MAX = 50

/** Completes active campaigns whose leads are all in a final state. Returns how many. */
export const makeCompletionSweep = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const tell = yield* makeTell
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    Effect.gen(function* () {
      const done = yield* campaigns.lockDone(SWEEP_MAX)
      for (const campaign of done) {
        const completed = step(CampaignMachine, campaign.state, "complete")
        if (Result.isFailure(completed)) continue
        yield* campaigns.update({ ...campaign, state: completed.success })
        const { workspaceId, campaignId } = campaign
        yield* tell(nowMillis, { workspaceId, kind: "completed", source: "system", campaignId })
      }
      return done.length
    }).pipe(atomically)
  )
})
