import { Clock, Context, Effect, Layer } from "effect"
import { type AnyWireError, refuse } from "../../../kernel/errors/Wire.js"
import { orFail } from "../../../kernel/orFail.js"
import { type FromStore, UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { WorkspaceStore } from "../../../kernel/workspaces/WorkspaceStore.js"
import { makeCampaignContext } from "../CampaignContext.js"
import { CampaignStore } from "../../campaigns/CampaignStore.js"
import { makePauses, pauseRefusal, resumeRefusal } from "./pauses.js"

/** What a person does to one campaign. `by`: their address. */
export interface PauseBy {
  readonly workspaceId: string
  readonly campaignId: string
  readonly by: string
}

/** A person pauses one campaign, or lets it go on. The surface checks the member's permission. */
export class CampaignPauses extends Context.Service<
  CampaignPauses,
  {
    readonly pause: (of: PauseBy, reason: string | null) => FromStore<void, AnyWireError>
    /** What was approved goes on, to whom it was approved; a campaign that runs stays as it is. */
    readonly resume: (of: PauseBy) => FromStore<void, AnyWireError>
  }
>()("@outbound/domain/outreach/launching/pausing/CampaignPauses") {}

export const layer = Layer.effect(
  CampaignPauses,
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const workspaces = yield* WorkspaceStore
    const around = yield* makeCampaignContext
    const pauses = yield* makePauses
    const { atomically } = yield* UnitOfWork

    const locked = ({ campaignId, workspaceId }: PauseBy) =>
      campaigns.lock(workspaceId, campaignId).pipe(orFail(refuse("not_found", {})))

    return CampaignPauses.of({
      pause: (of, reason) =>
        Effect.gen(function* () {
          const campaign = yield* locked(of)
          const refusal = pauseRefusal(campaign)
          if (refusal !== null) return yield* Effect.fail(refusal)
          yield* pauses.pause(campaign, reason, { source: "console", by: of.by })
        }).pipe(atomically),
      resume: (of) =>
        Effect.gen(function* () {
          // Locked before the campaign, in the same order as a kill.
          const sending = yield* workspaces.shareSending(of.workspaceId)
          const campaign = yield* locked(of)
          const refusal = resumeRefusal(yield* around(of.workspaceId, campaign, sending))
          if (refusal !== null) return yield* Effect.fail(refusal)
          yield* pauses.resume(campaign, { source: "console", by: of.by }, yield* Clock.currentTimeMillis)
        }).pipe(atomically)
    })
  })
)
