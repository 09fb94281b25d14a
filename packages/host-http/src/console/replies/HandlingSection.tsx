import type { Member } from "@outbound/domain/control/users/UserStore.js"
import type { Handling } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Moment } from "../../web/Words.js"
import { Form, Select } from "../Fields.js"

/** Who takes care of a reply, and whether anything is left to do. */
export const HandlingSection = (props: {
  readonly replyId: string
  readonly of: Handling
  readonly members: ReadonlyArray<Member>
}) => {
  const { members, of, replyId } = props
  const isHandled = of.handledAtMillis !== null
  return (
    <section class="card handling" aria-label="Who takes care of it">
      <Form action={`/console/replies/${replyId}/handling`} button={isHandled ? "Reopen" : "Mark as handled"}>
        <input type="hidden" name="handled" value={isHandled ? "no" : "yes"} />
        <p>
          {of.handledAtMillis === null ? (
            "Nobody has handled this reply."
          ) : (
            <>
              Handled, <Moment atMillis={of.handledAtMillis} />.
            </>
          )}
        </p>
      </Form>
      <Form action={`/console/replies/${replyId}/handling`} button="Save owner">
        <Select
          label="Owner"
          name="owner"
          value={of.ownerUserId ?? ""}
          options={[["", "Nobody"], ...members.map(({ email, userId }) => [userId, email] as const)]}
        />
      </Form>
    </section>
  )
}
