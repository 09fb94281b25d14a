import type { CampaignView } from "@outbound/domain/control/console/ConsoleReads.js"
import { hasVariants, variantName, wordingsOf } from "@outbound/domain/kernel/sequences/variants.js"
import { type Campaign, mayStillSend } from "@outbound/domain/outreach/campaigns/CampaignStore.js"
import { evidenceFor, FALSE_WINNERS_MAX, winnerOf } from "@outbound/domain/outreach/campaigns/variantEvidence.js"
import { grouped, Moment } from "../../web/Words.js"
import { Marked } from "../approvals/Marked.js"
import { fitted, Form, Note, NoteBox, Table } from "../Parts.js"
import { mayLoosen } from "../control/acting.js"
import { useViewer } from "../Viewer.js"

/** How often a winner is named at most although all variants are equally good. */
const ERRORS = `${100 * FALSE_WINNERS_MAX} %`

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
const RuleChoiceNote = (props: { readonly campaign: Campaign; readonly stepIndex: number }) => {
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

const NOTHING = { sent: 0, replied: 0, interested: 0, bounced: 0, unsubscribed: 0 }

const shareOf = (part: number, of: number): string => (of === 0 ? "–" : `${((100 * part) / of).toFixed(1)} %`)

const Verdict = (props: { readonly replied: ReadonlyArray<number> }) => {
  const { evidence, leader, needed } = evidenceFor(props.replied)
  if (leader === null) return <p>No variant has more replies than the others yet.</p>
  return winnerOf(props.replied) === leader ? (
    <p>
      <strong>Variant {variantName(leader)} brings more replies.</strong> If all were equally good, a page like this
      would name a winner in at most {ERRORS} of campaigns, however often you look.
    </p>
  ) : (
    <p>
      Variant {variantName(leader)} leads, which may be chance: the evidence is {evidence.toFixed(1)}, and from{" "}
      {grouped(needed)} on it counts as proof. You may look as often as you like.
    </p>
  )
}

/** The variants of one message: their texts, what became of each, and the choice between them. */
export const Variants = (props: {
  readonly view: CampaignView
  readonly stepIndex: number
  readonly path: string
  readonly bytesMax: number
}) => {
  const { path, stepIndex, view } = props
  const { campaign } = view
  const step = campaign.sequence[stepIndex]
  if (step?.otherVariants === undefined) return null
  const wordings = wordingsOf(step)
  const chosen = campaign.chosenVariants?.[stepIndex] ?? null
  const countOf = (variant: number) =>
    view.steps.find((one) => one.stepIndex === stepIndex && one.variant === variant) ?? NOTHING
  return (
    <div class="variants">
      <Table
        label={`Variants of message ${stepIndex + 1}`}
        head={["Variant", "Sent", "Replied", "Interested", "Bounced", "Unsubscribed"]}
        numbers={[1, 2, 3, 4, 5]}
      >
        {wordings.map((_, variant) => {
          const { bounced, interested, replied, sent, unsubscribed } = countOf(variant)
          return (
            <tr key={variant}>
              <th scope="row">
                {variantName(variant)}
                {variant === chosen ? " (chosen)" : ""}
              </th>
              <td class="number">{grouped(sent)}</td>
              <td class="number">
                {grouped(replied)} <span class="soft">{shareOf(replied, sent)}</span>
              </td>
              <td class="number">{grouped(interested)}</td>
              <td class="number">{grouped(bounced)}</td>
              <td class="number">{grouped(unsubscribed)}</td>
            </tr>
          )
        })}
      </Table>
      {chosen === null ? (
        <Verdict replied={wordings.map((_, variant) => countOf(variant).replied)} />
      ) : (
        <p>Everybody who has yet to get this message gets variant {variantName(chosen)}.</p>
      )}
      <RuleChoiceNote campaign={campaign} stepIndex={stepIndex} />
      {wordings.map(({ body, subject }, variant) => {
        const text = fitted(body, Math.floor(props.bytesMax / wordings.length))
        return (
          <section key={variant} aria-label={`Variant ${variantName(variant)}`}>
            <h3>
              {variantName(variant)}. <Marked text={fitted(subject ?? "In the same thread", 1_000).text} />
            </h3>
            <div class="mail">
              <Marked text={text.text} />
              {text.isCut ? "…" : ""}
            </div>
            {mayStillSend(campaign) && variant !== chosen ? (
              <Form action={`${path}/variants`} button={`Send only variant ${variantName(variant)} from now on`}>
                <input type="hidden" name="step" value={stepIndex + 1} />
                <input type="hidden" name="variant" value={variantName(variant)} />
              </Form>
            ) : null}
          </section>
        )
      })}
    </div>
  )
}
