import type { Reply as Received } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { referralIn } from "@outbound/domain/outreach/meaning/understood.js"
import { Marked } from "../approvals/Marked.js"
import { Form, Section } from "../Parts.js"

/** A person whom a reply names, and the campaign to which they would be added. */
export interface Referral {
  readonly replyId: string
  readonly fromEmail: string
  readonly referredEmail: string
  readonly campaignId: string
  readonly campaignName: string
}

/** Those of the replies that name somebody to write to instead. */
export const referralsOf = (
  replies: ReadonlyArray<Received>,
  names: ReadonlyMap<string, string>
): ReadonlyArray<Referral> =>
  replies.flatMap((reply) => {
    const referredEmail = referralIn(reply)
    return referredEmail === null
      ? []
      : [
          {
            replyId: reply.replyId,
            fromEmail: reply.fromEmail,
            referredEmail,
            campaignId: reply.campaignId,
            campaignName: names.get(reply.campaignId) ?? "its campaign"
          }
        ]
  })

/** The form binds what it shows: this person, named in this reply, into this campaign. */
export const shownReferral = ({ campaignId, referredEmail, replyId }: Referral): string =>
  JSON.stringify([replyId, campaignId, referredEmail])

/** Who is named, where, and what would become of them. */
export const ReferralWords = (props: { readonly of: Referral }) => (
  <>
    <p>
      <strong>
        <Marked text={props.of.referredEmail} />
      </strong>{" "}
      is named in <a href={`/console/replies/${props.of.replyId}`}>a reply</a> from <Marked text={props.of.fromEmail} />
      . Add this person to “<Marked text={props.of.campaignName} />
      ”?
    </p>
    <p class="foreign">
      The address was written by somebody outside this service. Check that it is a person you want to write to.
    </p>
  </>
)

/** A person whom a reply names. Nobody writes to one before a person says so, on the page that shows what they would get. */
export const ReferralItem = (props: { readonly of: Referral }) => {
  const { of } = props
  return (
    <li class="card referral">
      <ReferralWords of={of} />
      <Form action={`/console/replies/${of.replyId}/referral`}>
        <input type="hidden" name="shown" value={shownReferral(of)} />
        <a class="button go" href={`/console/replies/${of.replyId}/referral`}>
          See what they would get
        </a>{" "}
        <button type="submit" name="do" value="decline">
          Don’t write to them
        </button>
      </Form>
    </li>
  )
}

export const ReferralsSection = (props: { readonly of: ReadonlyArray<Referral> }) =>
  props.of.length === 0 ? null : (
    <Section id="referrals" title="People whom replies name">
      <ul class="list">
        {props.of.map((of) => (
          <ReferralItem key={of.replyId} of={of} />
        ))}
      </ul>
    </Section>
  )
