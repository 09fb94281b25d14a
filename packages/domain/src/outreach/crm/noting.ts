import { Effect } from "effect"
import { Ids } from "../../kernel/ports/Ids.js"
import type { CampaignLead } from "../campaigns/CampaignStore.js"
import { CrmStore, type NewCrmWrite } from "./CrmStore.js"

/** Asks, in the caller's transaction, that something is written back to the workspace's CRM, if it has one that wants it. */
export const makeNoteToCrm = Effect.gen(function* () {
  const store = yield* CrmStore
  const ids = yield* Ids
  return (
    { campaignLeadId, workspaceId }: Pick<CampaignLead, "workspaceId" | "campaignLeadId">,
    { kind, replyId = null }: Pick<NewCrmWrite, "kind"> & { readonly replyId?: string | null },
    atMillis: number
  ) => store.queue({ workspaceId, writeId: ids.next(atMillis), kind, campaignLeadId, replyId, atMillis })
})
