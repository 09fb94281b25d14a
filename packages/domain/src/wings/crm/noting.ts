import { Effect } from "effect"
import { Ids } from "../../kernel/ports/Ids.js"
import type { Hears } from "../../outreach/campaigns/LeadNews.js"
import { CrmStore } from "./CrmStore.js"

/** Asks that what became of a lead is written back to the workspace's CRM, if it has one that wants it. */
export const makeNoteToCrm = Effect.gen(function* () {
  const store = yield* CrmStore
  const ids = yield* Ids
  const hears: Hears = ({ campaignLeadId, workspaceId }, news, atMillis) =>
    store.queue({
      workspaceId,
      writeId: ids.next(atMillis),
      kind: news.kind,
      campaignLeadId,
      replyId: news.kind === "reply" ? news.replyId : null,
      atMillis
    })
  return hears
})
