import type { CampaignView } from "@outbound/domain/control/console/ConsoleReads.js"
import { variantName, wordingsOf } from "@outbound/domain/kernel/sequences/variants.js"
import { mayStillSend } from "@outbound/domain/outreach/campaigns/Campaign.js"
import { evidenceFor, winnerOf } from "@outbound/domain/outreach/campaigns/variantEvidence.js"
import { grouped } from "../../web/Words.js"
import { Marked } from "../approvals/Marked.js"
import { Form } from "../Fields.js"
import { fitted, Table } from "../Parts.js"
import { ERRORS, RuleChoiceNote } from "./WinnerRuleNote.js"

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
