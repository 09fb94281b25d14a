import type { Member } from "@outbound/domain/control/users/UserStore.js"
import type { Handling } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Moment } from "../../web/Words.js"
import { Csrf, Select } from "../Parts.js"
import type { Viewer } from "../Shell.js"

/** Who takes care of a reply, and whether anything is left to do. */
export const HandlingSection = (props: {
  readonly viewer: Viewer
  readonly replyId: string
  readonly of: Handling
  readonly members: ReadonlyArray<Member>
}) => {
  const { members, of, replyId, viewer } = props
  const isHandled = of.handledAtMillis !== null
  return (
    <section class="card handling" aria-label="Who takes care of it">
      <form method="post" action={`/console/replies/${replyId}/handling`}>
        <Csrf viewer={viewer} />
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
        <button type="submit">{isHandled ? "Reopen" : "Mark as handled"}</button>
      </form>
      <form method="post" action={`/console/replies/${replyId}/handling`}>
        <Csrf viewer={viewer} />
        <Select
          label="Owner"
          name="owner"
          value={of.ownerUserId ?? ""}
          options={[["", "Nobody"], ...members.map(({ email, userId }) => [userId, email] as const)]}
        />
        <button type="submit">Save owner</button>
      </form>
    </section>
  )
}
