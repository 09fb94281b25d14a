import type { Approval } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { ApprovalStanding } from "@outbound/domain/control/console/Console.js"
import { NoteBox, Section } from "../Parts.js"
import { Moment } from "../../web/Words.js"

export const mayApprove = ({ excludedUserId, votes }: ApprovalStanding, userId: string): boolean =>
  userId !== excludedUserId && votes.every((vote) => vote.userId !== userId)

/** Who has approved, of how many, and why the viewer may not. Nothing where one person decides alone. */
export const VotesNote = (props: {
  readonly of: ApprovalStanding
  readonly isPending: boolean
  readonly userId: string
}) => {
  const { isPending, of, userId } = props
  const isExcluded = isPending && userId === of.excludedUserId
  if (of.needed === 1 && !isExcluded) return null
  const counted = of.votes.filter((vote) => vote.isMember && vote.userId !== of.excludedUserId)
  const hasApproved = isPending && of.votes.some((vote) => vote.userId === userId)
  return (
    <NoteBox>
      {of.needed === 1 ? null : (
        <p>
          <strong>
            {counted.length} of {of.needed} have approved.
          </strong>{" "}
          {isPending ? `This request needs ${of.needed} different people.` : null}
          {hasApproved ? " You have approved; somebody else has to as well." : null}
        </p>
      )}
      {isExcluded ? <p>You made the key that asks, so others have to approve. You may decline.</p> : null}
      {of.needed === 1 || of.votes.length === 0 ? null : (
        <ul>
          {of.votes.map((vote) => (
            <li key={vote.userId}>
              {vote.email} approved, <Moment atMillis={vote.atMillis} />
              {vote.isMember ? null : "; they have left, so this no longer counts"}
            </li>
          ))}
        </ul>
      )}
    </NoteBox>
  )
}

/** The form that approves; fields beside it name it. */
export const APPROVE_FORM = "approve"

const LABEL = "When the evidence is strong enough, send only the better variant from then on"

const Text = (props: {
  readonly of: Approval
  readonly standing: ApprovalStanding
  readonly isPending: boolean
  readonly userId: string
  readonly strongEnough: string
}) => {
  const { isPending, of, standing, strongEnough, userId } = props
  const { needed, votes } = standing
  if (!isPending) {
    return (
      <p>
        {of.approvesWinnerRule
          ? `Approved too: once the evidence is strong enough, only the better variant is sent from then on. ${strongEnough}`
          : "The rule that sends only the better variant was offered, and was not approved. People may choose a variant."}
      </p>
    )
  }
  const without = votes.find((vote) => vote.isMember && !vote.approvesWinnerRule)
  if (without !== undefined) {
    return (
      <p>{without.email} approved without the rule that sends only the better variant, so people alone choose one.</p>
    )
  }
  if (!mayApprove(standing, userId)) {
    return <p>With their approval, people decide too whether only the better variant is sent at some point.</p>
  }
  return (
    <p class="check">
      <input
        id="f-winner_rule"
        type="checkbox"
        name="winner_rule"
        value="on"
        form={APPROVE_FORM}
        aria-describedby="f-winner_rule-hint"
      />
      <span>
        <label for="f-winner_rule">{LABEL}</label>
        <span class="hint" id="f-winner_rule-hint">
          {strongEnough} A person’s choice comes before the rule’s, and an owner can switch the rule off.
          {needed > 1 ? " It is on only if everybody who approves ticks this." : ""}
        </span>
      </span>
    </p>
  )
}

/** The rule that chooses variants: offered with the request, on already, or decided. Nothing without variants. */
export const WinnerRuleSection = (props: {
  readonly of: Approval
  readonly standing: ApprovalStanding
  readonly isPending: boolean
  readonly userId: string
}) => {
  const { snapshot } = props.of
  if (!("winner_rule" in snapshot) || snapshot.winner_rule === undefined) return null
  const { false_winners_percent, is_on } = snapshot.winner_rule
  const strongEnough = `Strong enough means: if all variants of a message were equally good, at most ${false_winners_percent} % of campaigns would name a winner.`
  return (
    <Section id="better" title="The better variant">
      <div class="card">
        {is_on ? (
          <p>
            A rule is on that was approved before: when the evidence is strong enough, only the better variant is sent
            from then on. {strongEnough}
          </p>
        ) : (
          <Text {...props} strongEnough={strongEnough} />
        )}
      </div>
    </Section>
  )
}
