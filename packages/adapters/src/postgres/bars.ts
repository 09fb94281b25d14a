/** SQL expressions for what may forbid writing to a person. `barredBy` of the domain decides which of them counts. */
import { SUPPRESSION_SOURCES } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { domainsOf } from "./keptOut.js"

/** Whether there is such a row: one short look in an index. `LIMIT` keeps the planner from anything else. */
export const some = (from: string): string => `COALESCE((SELECT true FROM ${from} LIMIT 1), false)`

/** Whether the domain of `email`, or one above it, is suppressed. */
export const domainSuppressed = (workspaceId: string, email: string): string =>
  some(`
    suppressed_domains d
    WHERE d.workspace_id = ${workspaceId} AND d.domain = ANY (
      ARRAY(${domainsOf(email)})
    )
  `)

/** SQL expressions that say who is asked about, of which campaign, and since when others' messages count. */
interface Asked {
  readonly workspaceId: string
  readonly addressHash: string
  readonly email: string
  readonly campaignId: string
  readonly since: string
}

/** By what the person is suppressed; their domain counts as `added`. */
export const sources = ({ addressHash, email, workspaceId }: Asked): string => `
  ARRAY(
    SELECT s.source FROM suppressions s
    WHERE s.workspace_id = ${workspaceId} AND s.address_hash = ${addressHash}
    LIMIT ${SUPPRESSION_SOURCES.length}
  ) || CASE WHEN ${domainSuppressed(workspaceId, email)} THEN ARRAY['added'] END
`

/** Whether another campaign wrote to the person since then. */
export const isContacted = ({ addressHash, campaignId, since, workspaceId }: Asked): string =>
  some(`
    contact_history h
    WHERE h.workspace_id = ${workspaceId} AND h.address_hash = ${addressHash}
      AND h.campaign_id <> ${campaignId} AND h.last_contacted_at >= ${since}
  `)

/** Whether the workspace lets people wait whom another of its campaigns wrote to. */
export const queues = (workspaceId: string): string =>
  `EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = ${workspaceId} AND w.overlap = 'queue')`
