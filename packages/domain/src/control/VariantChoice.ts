import { Context, Effect, Layer } from "effect"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { wordingsOf } from "../kernel/sequences/variants.js"
import { CampaignStore, mayStillSend } from "../outreach/campaigns/CampaignStore.js"
import { actorOf, makeLogBy, mend, orNotFound, owner } from "./access.js"
import { makeChooseVariant } from "./chooseVariant.js"
import type { ControlRefused } from "./Control.js"
import type { SignedIn } from "./users/UserStore.js"

/** A signed-in person's choice between the variants of a step, all of which were approved, and whether the rule chooses. */
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
    ) => FromStore<void, ControlRefused>
    /**
     * Only owners. The rule chooses nothing more; what it chose stays. It is switched on again by an approval. One that
     * is open for the campaign showed it, so it has to be asked for again.
     */
    readonly switchRuleOff: (by: SignedIn, campaignId: string) => FromStore<void, ControlRefused>
  }
>() {}

export const layer = Layer.effect(
  VariantChoice,
  Effect.gen(function* () {
    const campaigns = yield* CampaignStore
    const choose = yield* makeChooseVariant
    const logBy = yield* makeLogBy
    const { atomically } = yield* UnitOfWork
    return VariantChoice.of({
      choose: (by, { campaignId, stepIndex, variant }) =>
        Effect.gen(function* () {
          const campaign = yield* orNotFound(campaigns.lock(by.session.workspaceId, campaignId))
          const step = campaign.sequence[stepIndex]
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
          if (campaign.chosenVariants?.[stepIndex] === variant) return
          yield* choose(campaign, { stepIndex, variant }, { actor: actorOf(by) })
        }).pipe(atomically),
      switchRuleOff: (by, campaignId) =>
        Effect.gen(function* () {
          const campaign = yield* orNotFound(campaigns.lock(by.session.workspaceId, campaignId))
          yield* owner(by)
          const { name, winnerRule } = campaign
          // Off already: a second press of the button changes nothing.
          if (winnerRule?.isOn !== true) return
          yield* campaigns.update({ ...campaign, winnerRule: { ...winnerRule, isOn: false } })
          yield* logBy(by, "set_winner_rule", "tighten", {
            before: { campaign: name, rule: "on" },
            after: { campaign: name, rule: "off" }
          })
        }).pipe(atomically)
    })
  })
)
