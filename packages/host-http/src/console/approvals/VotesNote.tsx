import type { ApprovalStanding } from "@outbound/domain/control/console/Console.js"
import { Moment } from "../../web/Words.js"
import { NoteBox } from "../Parts.js"

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
