import { Context } from "effect"
import type { InTx } from "../../kernel/ports/UnitOfWork.js"
import type { CampaignLead } from "./CampaignStore.js"

/** What became of a lead: an answer came, or somebody noted a meeting. */
export type News = { readonly kind: "reply"; readonly replyId: string | null } | { readonly kind: "meeting" }

/** Hears of news in the transaction that records it. What it asks for there is done once, or not at all. */
export type Hears = (
  lead: Pick<CampaignLead, "workspaceId" | "campaignLeadId">,
  news: News,
  atMillis: number
) => InTx<void>

/** Tells everybody who wants to hear what becomes of leads. */
export class LeadNews extends Context.Service<LeadNews, Hears>()("@outbound/domain/outreach/campaigns/LeadNews") {}
