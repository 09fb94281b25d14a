import { CRM_STALE_MILLIS } from "@outbound/domain/outreach/suppression/keepingOut.js"

/** The domains of an address: its own and each above it. */
export const domainsOf = (email: string): string => `
  SELECT array_to_string(labels[start:], '.')
  FROM string_to_array(split_part(${email}, '@', -1), '.') AS labels, generate_series(1, cardinality(labels)) AS start
`

/** SQL expressions that say who is asked about. */
interface Whom {
  readonly workspaceId: string
  readonly addressHash: string
  readonly email: string
}

/**
 * For which standings the workspace's CRM keeps the person out: themselves or their domain. `keptOutBy` decides which
 * counts. Of most workspaces it is one look that finds no connection.
 */
export const standings = ({ addressHash, email, workspaceId }: Whom): string => `
  ARRAY(
    SELECT DISTINCT m.standing
    FROM crm_connections x
    CROSS JOIN LATERAL (
      SELECT m.standing, m.owner_ref FROM crm_marks m
      WHERE m.workspace_id = x.workspace_id AND m.value = ANY (ARRAY(SELECT ${addressHash} UNION ALL ${domainsOf(email)}))
    ) m
    WHERE x.workspace_id = ${workspaceId} AND CASE m.standing
      WHEN 'opted_out' THEN true
      WHEN 'bounced' THEN true
      WHEN 'customer' THEN x.keeps_customers
      WHEN 'open_deal' THEN x.keeps_open_deals
      ELSE x.keeps_owned AND NOT EXISTS (
        SELECT 1 FROM crm_owners o
        JOIN memberships s ON s.workspace_id = o.workspace_id AND s.user_id = o.user_id
        WHERE o.workspace_id = x.workspace_id AND o.owner_ref = m.owner_ref
      )
    END
  )
`

/** The workspace's CRM was not read within the last day before `now.at`. */
export const crmUnread = (workspaceId: string): string => `
  EXISTS (
    SELECT 1 FROM crm_connections x
    WHERE x.workspace_id = ${workspaceId}
      AND (x.read_at IS NULL OR x.read_at <= now.at - interval '${CRM_STALE_MILLIS} milliseconds')
  )
`
