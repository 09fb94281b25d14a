import { hasVariants, variantName } from "@outbound/domain/kernel/sequences/variants.js"
import { type Campaign, mayStillSend } from "@outbound/domain/outreach/campaigns/Campaign.js"
import { FALSE_WINNERS_MAX } from "@outbound/domain/outreach/campaigns/variantEvidence.js"
import { grouped, Moment } from "../../web/Words.js"
import { mayLoosen } from "../control/acting.js"
import { Form } from "../Fields.js"
import { Note, NoteBox } from "../Parts.js"
import { useViewer } from "../Shell.js"

/** How often a winner is named at most although all variants are equally good. */
export const ERRORS = `${100 * FALSE_WINNERS_MAX} %`

/** Whether the rule that chooses variants is on, and what switches it. Nothing without variants. */
export const WinnerRuleNote = (props: { readonly campaign: Campaign; readonly path: string }) => {
  const { campaign, path } = props
  const rule = campaign.winnerRule
  if (campaign.launchedAtMillis === null || !hasVariants(campaign.sequence)) return null
  if (rule?.isOn !== true) {
    return (
      <Note>
        People choose between variants: {rule === null ? "no rule was approved" : "the rule was switched off"}. Who
        approves leads that are added may switch it on.
      </Note>
    )
  }
  return (
    <NoteBox>
      <p>
        When the evidence is strong enough, only the better variant of a message is sent from then on. This rule is on
        since <Moment atMillis={rule.sinceMillis} />, by{" "}
        <a href={`/console/approvals/${rule.approvalId}`}>this approval</a>. If all variants of a message were equally
        good, it would choose one in at most {ERRORS} of campaigns. What people choose stays.
      </p>
      {mayLoosen(useViewer()) && mayStillSend(campaign) ? (
        <Form action={`${path}/winner-rule`} button="Switch the rule off" />
      ) : null}
    </NoteBox>
  )
}

/** What the rule chose for a message, and whether that still counts. */
export const RuleChoiceNote = (props: { readonly campaign: Campaign; readonly stepIndex: number }) => {
  const { campaign, stepIndex } = props
  const choice = campaign.winnerRule?.choices.find((one) => one.stepIndex === stepIndex)
  if (choice === undefined) return null
  const answers = choice.answers.map((count, variant) => `${variantName(variant)} ${grouped(count)}`).join(", ")
  return (
    <p>
      The approved rule chose variant {variantName(choice.variant)}, <Moment atMillis={choice.atMillis} />, when the
      replies were: {answers}.
      {campaign.chosenVariants?.[stepIndex] === choice.variant ? null : " A person has chosen another since."}
    </p>
  )
}
