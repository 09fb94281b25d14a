import { Clock, Context, Effect, Layer, Option } from "effect"
import { type FromStore, UnitOfWork } from "../kernel/ports/UnitOfWork.js"
import { type StepVariants, variantName, wordingsOf } from "../kernel/sequences/variants.js"
import { type Campaign, CampaignStore, mayStillSend } from "../outreach/campaigns/CampaignStore.js"
import { actorOf, makeLog, makeLogBy, mend, orNotFound, owner } from "./access.js"
import type { ControlRefused } from "./Control.js"
import type { SignedIn } from "./users/UserStore.js"
import type { Actor } from "./ControlLog.js"
import { DONE, type JobHandler } from "../kernel/ports/LongWork.js"
import { evidenceFor } from "../outreach/campaigns/variantEvidence.js"
import { campaignRefOf, choicesDue, type RuleChoice, type WinnerRule } from "../outreach/campaigns/winnerRule.js"

/** A signed-in person's choice between the variants of a step, all of which were approved, and whether the rule chooses. */
export class VariantChoice extends Context.Service<
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
>()("@outbound/domain/control/VariantChoice") {}

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

const because = (answers: ReadonlyArray<number>) => {
  const { evidence, needed } = evidenceFor(answers)
  return {
    answers: answers.map((count, variant) => `${variantName(variant)} ${count}`),
    evidence: Number(evidence.toFixed(1)),
    evidence_needed: needed
  }
}

/**
 * Chooses what the rule of a campaign chooses by now, as a person would. It decides under the campaign's lock, for steps
 * for which nothing was chosen yet: so a second host, or one that comes back, changes nothing, and a person's choice
 * stays.
 */
export const makeWinnerHandler = Effect.gen(function* () {
  const campaigns = yield* CampaignStore
  const choose = yield* makeChooseVariant
  const { atomically } = yield* UnitOfWork

  const due = (campaign: Campaign, nowMillis: number) =>
    Effect.map(campaigns.answers(campaign.workspaceId, campaign.campaignId), (answers) =>
      choicesDue(campaign, answers, nowMillis)
    )

  const chosen = (campaign: Campaign, rule: WinnerRule, choice: RuleChoice) =>
    choose({ ...campaign, winnerRule: { ...rule, choices: [...rule.choices, choice] } }, choice, {
      actor: { kind: "rule", approvalId: rule.approvalId },
      because: because(choice.answers)
    })

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const { campaignId, workspaceId } = campaignRefOf(key)
      // Most answers decide nothing: they don't lock the campaign.
      const seen = yield* campaigns.get(workspaceId, campaignId)
      if (Option.isNone(seen) || (yield* due(seen.value, 0)).length === 0) return DONE
      yield* Effect.gen(function* () {
        const nowMillis = yield* Clock.currentTimeMillis
        const found = yield* campaigns.lock(workspaceId, campaignId)
        if (Option.isNone(found) || !mayStillSend(found.value)) return
        let campaign = found.value
        for (const choice of yield* due(campaign, nowMillis)) {
          if (campaign.winnerRule !== null) campaign = yield* chosen(campaign, campaign.winnerRule, choice)
        }
      }).pipe(atomically)
      return DONE
    })
  return handler
})
