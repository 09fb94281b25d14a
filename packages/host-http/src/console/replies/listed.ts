import type { Member } from "@outbound/domain/control/users/UserStore.js"
import { NOT_HANDLED, type Reply, type ReplyStore } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect } from "effect"
import type { Listed } from "./ReplyItem.js"

/** Replies with how far people are with them. */
export const listedOf = (
  replies: ReplyStore["Service"],
  workspaceId: string,
  found: ReadonlyArray<Reply>,
  members: ReadonlyArray<Member>
) =>
  Effect.map(
    replies.handling(
      workspaceId,
      found.map(({ replyId }) => replyId)
    ),
    (handling) =>
      found.map((reply): Listed => {
        const of = handling.get(reply.replyId) ?? NOT_HANDLED
        const owner = members.find(({ userId }) => userId === of.ownerUserId)
        return { reply, handling: of, ownerEmail: owner?.email ?? null }
      })
  )
