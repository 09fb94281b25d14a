import { Effect } from "effect"
import { type StepVariants, variantName } from "../kernel/sequences/variants.js"
import { type Campaign, CampaignStore } from "../outreach/campaigns/CampaignStore.js"
import type { Actor } from "./ControlLog.js"
import { makeLog } from "./access.js"

const shown = (name: string, stepIndex: number, chosen: StepVariants | null) => {
  const variant = chosen?.[stepIndex] ?? null
  return { campaign: name, step: stepIndex + 1, variant: variant === null ? "by chance" : variantName(variant) }
}

/**
 * From now on a step of the locked campaign is sent in this variant to everybody who has yet to get it. One way for
 * people and for the rule. Returns the campaign as it is now.
 */
export const makeChooseVariant = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const log = yield* makeLog
  return (
    campaign: Campaign,
    { stepIndex, variant }: { readonly stepIndex: number; readonly variant: number },
    by: { readonly actor: Actor; readonly because?: Readonly<Record<string, unknown>> }
  ) =>
    Effect.gen(function* () {
      const { chosenVariants, name, sequence, workspaceId } = campaign
      const chosen = sequence.map((_, index) => (index === stepIndex ? variant : (chosenVariants?.[index] ?? null)))
      const now: Campaign = { ...campaign, chosenVariants: chosen }
      yield* campaigns.update(now)
      yield* log(workspaceId, by.actor, "choose_variant", "none", {
        before: shown(name, stepIndex, chosenVariants),
        after: { ...shown(name, stepIndex, chosen), ...by.because }
      })
      return now
    })
})
