import { Clock, Context, Effect, Layer, Option } from "effect"
import { UnitOfWork, type StoreUnavailable } from "../kernel/ports/UnitOfWork.js"
import { type StepVariants, variantName, wordingsOf } from "../kernel/sequences/variants.js"
import { mayStillSend } from "../outreach/campaigns/Campaign.js"
import { CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import { actorOf, mend, refused } from "./access.js"
import type { ControlRefused } from "./Control.js"
import { makeLog } from "./logging.js"
import type { SignedIn } from "./users/UserStore.js"

/** A signed-in person's choice between the variants of a step, all of which were approved. */
export class VariantChoice extends Context.Tag("@outbound/domain/control/VariantChoice")<
  VariantChoice,
  {
    /**
     * From now on the step is sent in this variant to everybody who has yet to get it. Chance is not given back its
     * say, but another variant may be chosen. An approval that is open for the campaign showed the others too, so it has
     * to be asked for again.
     */
    readonly choose: (
      by: SignedIn,
      choice: { readonly campaignId: string; readonly stepIndex: number; readonly variant: number }
    ) => Effect.Effect<void, ControlRefused | StoreUnavailable>
  }
>() {}

const shown = (name: string, stepIndex: number, chosen: StepVariants | null) => {
  const variant = chosen?.[stepIndex] ?? null
  return { campaign: name, step: stepIndex + 1, variant: variant === null ? "by chance" : variantName(variant) }
}

export const layer = Layer.effect(
  VariantChoice,
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const log = yield* makeLog
    const { atomically } = yield* UnitOfWork
    return VariantChoice.of({
      choose: (by, { campaignId, stepIndex, variant }) =>
        atomically(
          Effect.gen(function* () {
            const nowMillis = yield* Clock.currentTimeMillis
            const { workspaceId } = by.session
            const found = yield* campaigns.lock(workspaceId, campaignId)
            if (Option.isNone(found)) return yield* refused("not_found")
            const campaign = found.value
            const { chosenVariants, name, sequence } = campaign
            const step = sequence[stepIndex]
            const variants = step?.otherVariants === undefined ? 0 : wordingsOf(step).length
            yield* mend(
              variant < variants ? [] : [{ path: "variant", message: "is none of the variants of this message" }]
            )
            yield* mend(
              mayStillSend(campaign)
                ? []
                : [{ path: "campaign", message: "is not launched, is over, or was stopped for good" }]
            )
            // Chosen already: a second press of the button changes nothing.
            if (chosenVariants?.[stepIndex] === variant) return
            const chosen = sequence.map((_, index) =>
              index === stepIndex ? variant : (chosenVariants?.[index] ?? null)
            )
            yield* campaigns.update({ ...campaign, chosenVariants: chosen })
            yield* log(nowMillis, {
              workspaceId,
              actor: actorOf(by),
              action: "choose_variant",
              direction: "none",
              before: shown(name, stepIndex, chosenVariants),
              after: shown(name, stepIndex, chosen)
            })
          })
        )
    })
  })
)
