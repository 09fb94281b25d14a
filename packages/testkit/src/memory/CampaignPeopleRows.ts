import type { ShownPerson } from "@outbound/domain/outreach/launching/content/ContentStore.js"
import type { LeftOutPerson } from "@outbound/domain/outreach/campaigns/recipients/leftOut.js"

/** A person whom a call left out. */
export interface LeftOutRow {
  readonly workspaceId: string
  readonly campaignId: string
  readonly person: LeftOutPerson
}

/** A person of an approval. */
export interface ShownRow {
  readonly workspaceId: string
  readonly approvalId: string
  readonly person: ShownPerson
}
