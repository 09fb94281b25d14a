import type { AttentionStanding } from "@outbound/domain/control/attention/Attention.js"
import { foundBy, PLANTED, type Share } from "@outbound/domain/control/attention/plan.js"
import { count, grouped } from "../../web/Words.js"
import { Form, LinkLine, Section } from "../Parts.js"
import { conclusionOf, percentOf } from "./attentionWords.js"
import type { Part } from "./Part.js"

export const ATTENTION_PATH = "/console/approvals/attention"

/** Draws what to look at. The size is chosen before anything is seen, so that the conclusion holds. */
export const BeginForm = (props: { readonly approvalId: string; readonly of: AttentionStanding }) => (
  <Form action={`/console/approvals/${props.approvalId}/look/begin`}>
    <fieldset>
      <legend>How many</legend>
      {props.of.sizes.map(({ messages, share }, index) => (
        <p class="check" key={share}>
          <input id={`f-share-${index}`} type="radio" name="share" value={String(share)} checked={index === 0} />
          <label for={`f-share-${index}`}>
            {count(messages, "message")}: if none is wrong, at most {percentOf(share, 1)} of all can be
          </label>
        </p>
      ))}
    </fieldset>
    <p class="soft">
      The riskiest, and others drawn at random. Among them are up to {PLANTED} with a planted fault, which no lead gets.
    </p>
    <button class="go" type="submit">
      Begin
    </button>
  </Form>
)

const Own = (props: { readonly approvalId: string; readonly of: AttentionStanding }) => {
  const { approvalId, of } = props
  if (of.own === null) return <BeginForm approvalId={approvalId} of={of} />
  const { found } = of.own
  return found.isDone ? (
    <>
      <p>
        <strong>{conclusionOf(found)}</strong>, if you saw each fault in what you looked at.
      </p>
      <LinkLine to={`/console/approvals/${approvalId}/look?at=0`} text="Look at them again" />
    </>
  ) : (
    <>
      <p>
        {grouped(found.looked)} of {count(found.items, "message")} looked at.
      </p>
      <p>
        <a class="button go" href={`/console/approvals/${approvalId}/look`}>
          {found.looked === 0 ? "Begin to look" : "Go on"}
        </a>
      </p>
    </>
  )
}

const shareWords = (share: Share): string => percentOf(share, 1)

/** Nobody has to look, and the viewer has not begun to. */
const isOffered = (attention: AttentionStanding): boolean => !attention.isAsked && attention.own === null

/** A look at the riskiest messages, for those who want one. */
export const AttentionOffer: Part = ({ facts: { attention = null }, of }) =>
  attention === null || !isOffered(attention) ? null : (
    <Section id="attention" title="Look before you approve" isCard>
      <details class="plain">
        <summary>The riskiest messages, and others drawn at random</summary>
        <BeginForm approvalId={of.approval.approvalId} of={attention} />
      </details>
    </Section>
  )

/** What has to be looked at before the decision, and what was, after it. */
export const AttentionPart: Part = ({ attended, facts, of }) => {
  const { attention = null } = facts
  const { approvalId } = of.approval
  if (attention !== null) {
    if (isOffered(attention)) return null
    return (
      <Section id="attention" title="Look before you approve" isCard>
        {attention.isAsked && attention.own?.found.isDone !== true ? (
          <p>
            This workspace asks everybody who approves so many messages to look at some of them first: as many as show
            that at most {shareWords(0.1)} are wrong.
          </p>
        ) : null}
        <Own approvalId={approvalId} of={attention} />
      </Section>
    )
  }
  return attended.length === 0 ? null : (
    <Section id="attention" title="How it was looked at" isCard>
      <ul>
        {attended.map(({ email, looks, plan }) => {
          const found = foundBy(plan, looks)
          return (
            <li key={plan.userId}>
              {email}: {conclusionOf(found)}. {grouped(found.planted.caught)} of{" "}
              {count(found.planted.looked, "planted fault")} seen.
            </li>
          )
        })}
      </ul>
      <LinkLine to={ATTENTION_PATH} text="How approvers look" />
    </Section>
  )
}
