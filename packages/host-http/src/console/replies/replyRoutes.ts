import { isUuid } from "@outbound/domain/kernel/ports/Ids.js"
import type { Reply } from "@outbound/domain/outreach/replies/ReplyStore.js"
import { Effect, Option } from "effect"
import { text } from "../../http/Pages.js"
import { afterOf, afterWords, CARDS_MAX, pageOf } from "../paging.js"
import type { ConsoleServices } from "../ConsoleServices.js"
import { missingPage } from "../Shell.js"
import type { Inside, Page, Route } from "../Visit.js"
import { repliesPage } from "./RepliesPage.js"
import { replyPage } from "./ReplyPage.js"
import { shownOf } from "./replyWords.js"

/** How many campaigns the filters offer, newest first. */
export const CAMPAIGNS_OFFERED_MAX = 50

const cursorOf = ({ receivedAtMillis, replyId }: Reply): string =>
  afterWords({ atMillis: receivedAtMillis, id: replyId })

/** The id of a filter, or null. */
export const idOf = (given: string | null): string | null =>
  given !== null && isUuid(given) ? given.toLowerCase() : null

export const replyRoutes = ({ reads, replies }: ConsoleServices): ReadonlyArray<Route> => {
  const list = ({ query, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const place = afterOf(query.get("after"))
      const campaignId = idOf(query.get("campaign"))
      const tab = shownOf(query.get("classification"))
      const found = yield* replies.page({
        workspaceId,
        sinceMillis: null,
        campaignId,
        classification: tab === "all" ? null : tab,
        limit: CARDS_MAX + 1,
        after: place === null ? null : { receivedAtMillis: place.atMillis, replyId: place.id }
      })
      const { next, shown } = pageOf(found, CARDS_MAX, cursorOf)
      const named = [
        ...new Set([...shown.map(({ campaignId }) => campaignId), ...(campaignId === null ? [] : [campaignId])])
      ]
      const campaigns = yield* reads.campaignNames(workspaceId, named, CAMPAIGNS_OFFERED_MAX)
      const counts = yield* reads.repliesByClass(workspaceId, campaignId)
      return repliesPage({ viewer, shown, next, isLater: place !== null, campaigns, campaignId, tab, counts })
    })

  const show = ({ id, viewer, workspaceId }: Inside): Page =>
    Effect.gen(function* () {
      const of = yield* replies.get(workspaceId, id)
      if (Option.isNone(of)) return missingPage(viewer)
      const conversation = yield* reads.conversation(workspaceId, of.value.reply.campaignLeadId)
      if (Option.isNone(conversation)) return missingPage(viewer)
      return replyPage({ viewer, of: of.value, conversation: conversation.value })
    })

  /** The stored body as plain text. */
  const whole = ({ id, viewer, workspaceId }: Inside): Page =>
    Effect.map(
      replies.get(workspaceId, id),
      Option.match({
        onNone: () => missingPage(viewer),
        onSome: ({ reply: { bodyHtml, bodyText } }) => {
          const plain = text(200, bodyText.trim() === "" ? (bodyHtml ?? "") : bodyText)
          return {
            ...plain,
            headers: {
              ...plain.headers,
              "content-security-policy": "default-src 'none'; sandbox",
              "x-frame-options": "DENY"
            }
          }
        }
      })
    )

  return [
    { access: "member", path: "/console/replies", get: list },
    { access: "member", path: "/console/replies/:id", get: show },
    { access: "member", path: "/console/replies/:id/text", get: whole }
  ]
}
