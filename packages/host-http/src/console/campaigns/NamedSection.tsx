import type { Handling, ReferralState, Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { referralIn } from "@outbound/domain/outreach/replies/understood.js"
import { Moment } from "../../web/Words.js"
import { Section, StateBadge, type StateWords } from "../Parts.js"

/** The newest of those whom a campaign's replies name. */
export const NAMED_SHOWN_MAX = 20

/** A person whom a reply of the campaign names, and what was decided. */
export interface Named {
  readonly replyId: string
  readonly fromEmail: string
  readonly referredEmail: string
  readonly receivedAtMillis: number
  readonly state: ReferralState
}

const WORDS: Readonly<Record<ReferralState, StateWords>> = {
  open: ["Waits for a decision", "wait"],
  approved: ["Added by a person", "good"],
  declined: ["Not to be written to", undefined]
}

export const namedOf = (replies: ReadonlyArray<Reply>, handling: ReadonlyMap<string, Handling>): ReadonlyArray<Named> =>
  replies.flatMap((reply) => {
    const { fromEmail, receivedAtMillis, replyId } = reply
    const state = handling.get(replyId)?.referral ?? null
    const referredEmail = referralIn(reply)
    return state === null || referredEmail === null
      ? []
      : [{ replyId, fromEmail, referredEmail, receivedAtMillis, state }]
  })

/** Who was named by whom, and what became of it. The decision itself is made where the reply is read. */
export const NamedSection = (props: { readonly of: ReadonlyArray<Named>; readonly path: string }) =>
  props.of.length === 0 ? null : (
    <Section id="named" title="People whom replies name">
      <ul class="list">
        {props.of.slice(0, NAMED_SHOWN_MAX).map(({ fromEmail, receivedAtMillis, referredEmail, replyId, state }) => (
          <li key={replyId} class="card">
            <p>
              <a href={`${props.path}?q=${encodeURIComponent(referredEmail)}#list`}>{referredEmail}</a>{" "}
              <StateBadge of={WORDS[state]} />
            </p>
            <p class="soft">
              Named by {fromEmail} in <a href={`/console/replies/${replyId}`}>a reply</a>,{" "}
              <Moment atMillis={receivedAtMillis} />
            </p>
          </li>
        ))}
      </ul>
      {props.of.length > NAMED_SHOWN_MAX ? <p class="soft">These are the newest {NAMED_SHOWN_MAX}.</p> : null}
    </Section>
  )
