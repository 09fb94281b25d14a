/**
 * A rule that people approved with a launch or with more people: once the evidence names a winner among the variants of
 * a message, only that one is sent (contract: campaigns, variants). Pure.
 */
import type { SequenceStep } from "../../kernel/sequences/Sequence.js"
import { hasVariants, stillSent, type StepVariants, wordingsOf } from "../../kernel/sequences/variants.js"
import type { Job } from "../../kernel/ports/LongWork.js"
import { FALSE_WINNERS_MAX, winnerOf } from "./variantEvidence.js"

/** What the rule chose. */
export interface RuleChoice {
  readonly stepIndex: number
  readonly variant: number
  readonly atMillis: number
  /** The answers to each variant by then. */
  readonly answers: ReadonlyArray<number>
}

export interface WinnerRule {
  readonly isOn: boolean
  /** The approval by which it was switched on last, and when. */
  readonly approvalId: string
  readonly sinceMillis: number
  /** Oldest first. A person may have chosen otherwise since. */
  readonly choices: ReadonlyArray<RuleChoice>
}

/** People who replied, by the variant that they were sent last. */
export interface VariantAnswers {
  readonly stepIndex: number
  readonly variant: number
  readonly answers: number
}

/** A campaign, as far as the rule is concerned. */
interface Ruled {
  readonly sequence: ReadonlyArray<SequenceStep>
  readonly chosenVariants: StepVariants | null
  readonly winnerRule: WinnerRule | null
}

export interface CampaignRef {
  readonly workspaceId: string
  readonly campaignId: string
}

/** Wakes a host that looks at the answers to a campaign's variants. */
export const winnerJob = ({ campaignId, workspaceId }: CampaignRef): Job => ({
  kind: "winner",
  key: `${workspaceId}/${campaignId}`
})

export const campaignRefOf = (key: string): CampaignRef => {
  const [workspaceId = "", campaignId = ""] = key.split("/")
  return { workspaceId, campaignId }
}

/** What an approval's page says of the rule. Nothing where no message is sent in several variants any more. */
export const shownWinnerRule = (campaign: Ruled) =>
  hasVariants(stillSent(campaign))
    ? {
        winner_rule: {
          is_on: campaign.winnerRule?.isOn === true,
          false_winners_percent: Math.round(100 * FALSE_WINNERS_MAX)
        }
      }
    : {}

/** The rule after an approval was executed: on if it approved the rule, and as before if not. */
export const ruleAfter = (
  before: WinnerRule | null,
  { approvalId, approvesWinnerRule }: { readonly approvalId: string; readonly approvesWinnerRule: boolean },
  sinceMillis: number
): WinnerRule | null =>
  approvesWinnerRule ? { isOn: true, approvalId, sinceMillis, choices: before?.choices ?? [] } : before

/** What an approval wakes: there may be answers enough already. */
export const ruleWakes = (
  campaign: CampaignRef,
  { approvesWinnerRule }: { readonly approvesWinnerRule: boolean }
): ReadonlyArray<Job> => (approvesWinnerRule ? [winnerJob(campaign)] : [])

/** The variant that the rule would choose for a step now; null: none. Nothing was chosen for the step yet. */
const dueOf = (step: SequenceStep, stepIndex: number, counts: ReadonlyArray<VariantAnswers>) => {
  const answers = wordingsOf(step).map((_, variant) =>
    counts.reduce((sum, one) => (one.stepIndex === stepIndex && one.variant === variant ? sum + one.answers : sum), 0)
  )
  const variant = winnerOf(answers)
  return variant === null ? null : { stepIndex, variant, answers }
}

/** What the rule chooses now: for steps with variants for which nobody chose, and the rule did not either. */
export const choicesDue = (
  { chosenVariants, sequence, winnerRule }: Ruled,
  counts: ReadonlyArray<VariantAnswers>,
  atMillis: number
): ReadonlyArray<RuleChoice> =>
  winnerRule?.isOn === true
    ? sequence.flatMap((step, stepIndex) => {
        if (step.otherVariants === undefined || typeof chosenVariants?.[stepIndex] === "number") return []
        const due = dueOf(step, stepIndex, counts)
        return due === null ? [] : [{ ...due, atMillis }]
      })
    : []
