import {
  KEPT_OUT,
  SUPPRESSION_SOURCES,
  SuppressionStore
} from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, Schema } from "effect"
import { column, date, firstValue, mapOf, Millis } from "./Columns.js"
import { domainsOf, keptOut } from "./keptOut.js"
import { lockNamed, storeLayer } from "./Table.js"

const ForbiddenRow = Schema.Struct({
  addressHash: Schema.String,
  reason: Schema.Literals(["opted_out", "platform_blocked", "capped", ...KEPT_OUT])
})

/** Whether the domain of `email`, or one above it, is suppressed: one short look in an index. Null: no. */
export const domainSuppressed = (workspaceId: string, email: string): string => `
  (
    SELECT true FROM suppressed_domains d
    WHERE d.workspace_id = ${workspaceId} AND d.domain = ANY (
      ARRAY(${domainsOf(email)})
    )
    LIMIT 1
  )
`

/** SQL expressions that say who is asked about, of which campaign, and since when others' messages count. */
interface Asked {
  readonly workspaceId: string
  readonly addressHash: string
  readonly email: string
  readonly campaignId: string
  readonly since: string
  /** Whether they may wait where only a message of another campaign forbids it. */
  readonly mayWait: string
}

/** Whether the workspace lets people wait whom another of its campaigns wrote to. */
export const queues = (workspaceId: string): string =>
  `EXISTS (SELECT 1 FROM workspaces w WHERE w.workspace_id = ${workspaceId} AND w.overlap = 'queue')`

/**
 * Why the person must not be emailed, as one scalar: their own opt-out or their domain's, their owner's, or a message of
 * another campaign after `since`, or the workspace's CRM. Null: nothing forbids it. One index probe each, however many suppressions there are:
 * `LIMIT` keeps the planner from anything else.
 */
export const forbidden = ({ addressHash, campaignId, email, mayWait, since, workspaceId }: Asked): string => `
  COALESCE(
    CASE WHEN ${domainSuppressed(workspaceId, email)} THEN 'opted_out' END,
    (
      SELECT CASE WHEN s.source = 'owner_import' THEN 'platform_blocked' ELSE 'opted_out' END
      FROM suppressions s
      WHERE s.workspace_id = ${workspaceId} AND s.address_hash = ${addressHash}
      ORDER BY s.source = 'owner_import'
      LIMIT 1
    ),
    (
      SELECT 'capped' FROM contact_history h
      WHERE h.workspace_id = ${workspaceId} AND h.address_hash = ${addressHash}
        AND h.campaign_id <> ${campaignId} AND h.last_contacted_at >= ${since} AND NOT (${mayWait})
      LIMIT 1
    ),
    ${keptOut({ addressHash, email, workspaceId })}
  )
`

const ofLead = (mayWait: string): string =>
  forbidden({
    workspaceId: "l.workspace_id",
    addressHash: "l.address_hash",
    email: "l.email",
    campaignId: "l.campaign_id",
    since: "now.since",
    mayWait
  })

/** Why lead `l` must not be emailed at the time `now`. */
export const LEAD_FORBIDDEN = ofLead("false")

/** Why it never may; null also for those who only have to wait. */
export const LEAD_BARRED = ofLead(queues("l.workspace_id"))

const ContactRow = Schema.Struct({ addressHash: Schema.String, atMillis: Millis })

export const layer = storeLayer(SuppressionStore, (sql) => {
  const reason = sql.literal(
    forbidden({
      workspaceId: "given.workspace_id",
      addressHash: "person.address_hash",
      email: "person.email",
      campaignId: "given.campaign_id",
      since: "given.contacted_since",
      mayWait: `given.may_wait AND ${queues("given.workspace_id")}`
    })
  )
  return {
    add: ({ workspaceId, addressHash, source, atMillis }) =>
      Effect.andThen(
        // Serialises two sources of one person: only one of them is the first. The statement after the lock sees what
        // the other wrote.
        lockNamed(sql, "suppressions.add", `suppression ${workspaceId} ${addressHash}`),
        sql`
          WITH added AS (
            INSERT INTO suppressions (workspace_id, address_hash, source, suppressed_at)
            VALUES (${workspaceId}, ${addressHash}, ${source}, ${date(atMillis)})
            ON CONFLICT (workspace_id, address_hash, source) DO NOTHING
          )
          SELECT NOT EXISTS (
            SELECT 1 FROM suppressions s
            WHERE s.workspace_id = ${workspaceId} AND s.address_hash = ${addressHash}
          ) AS first
        `.pipe(firstValue("suppressions.add", Schema.Boolean, false))
      ),

    // Sorted, so that two imports of the same people can't deadlock.
    addAll: ({ workspaceId, addressHashes, source, atMillis }) =>
      sql`
        WITH added AS (
          INSERT INTO suppressions (workspace_id, address_hash, source, suppressed_at)
          SELECT DISTINCT ${workspaceId}::uuid, person.address_hash, ${source}, ${date(atMillis)}::timestamptz
          FROM unnest(${addressHashes}::text[]) AS person (address_hash)
          ORDER BY person.address_hash
          ON CONFLICT (workspace_id, address_hash, source) DO NOTHING
          RETURNING address_hash
        )
        SELECT address_hash AS added FROM added
      `.pipe(column("suppressions.addAll", Schema.String)),

    addDomains: ({ workspaceId, domains, atMillis }) =>
      sql`
        WITH added AS (
          INSERT INTO suppressed_domains (workspace_id, domain, suppressed_at)
          SELECT DISTINCT ${workspaceId}::uuid, given.domain, ${date(atMillis)}::timestamptz
          FROM unnest(${domains}::text[]) AS given (domain)
          ORDER BY given.domain
          ON CONFLICT (workspace_id, domain) DO NOTHING
          RETURNING domain
        )
        SELECT domain AS added FROM added
      `.pipe(column("suppressions.addDomains", Schema.String)),

    among: (workspaceId, source, addressHashes) =>
      sql`
        SELECT s.address_hash AS known
        FROM (SELECT DISTINCT given.address_hash FROM unnest(${addressHashes}::text[]) AS given (address_hash)) person
        JOIN suppressions s ON s.workspace_id = ${workspaceId} AND s.address_hash = person.address_hash
          AND s.source = ${source}
      `.pipe(column("suppressions.among", Schema.String)),

    domainsAmong: (workspaceId, domains) =>
      sql`
        SELECT s.domain AS known
        FROM (SELECT DISTINCT given.domain FROM unnest(${domains}::text[]) AS given (domain)) host
        JOIN suppressed_domains s ON s.workspace_id = ${workspaceId} AND s.domain = host.domain
      `.pipe(column("suppressions.domainsAmong", Schema.String)),

    check: ({ workspaceId, people, campaignId, contactedSinceMillis, mayWait }) =>
      sql`
        WITH given AS (
          SELECT ${workspaceId}::uuid AS workspace_id, ${campaignId}::uuid AS campaign_id,
            ${date(contactedSinceMillis)}::timestamptz AS contacted_since, ${mayWait}::boolean AS may_wait
        ), people AS MATERIALIZED (
          SELECT person.address_hash, ${reason} AS reason
          FROM given,
            unnest(
              ${people.map(({ addressHash }) => addressHash)}::text[], ${people.map(({ email }) => email)}::text[]
            ) AS person (address_hash, email)
        )
        SELECT address_hash AS "addressHash", reason FROM people WHERE reason IS NOT NULL
      `.pipe(mapOf("suppressions.check", ForbiddenRow, ({ addressHash, reason }) => [addressHash, reason])),

    contactedElsewhere: ({ addressHashes, campaignId, sinceMillis, workspaceId }) =>
      sql`
        SELECT h.address_hash AS "addressHash", max(h.last_contacted_at) AS "atMillis" FROM contact_history h
        WHERE h.workspace_id = ${workspaceId} AND h.address_hash = ANY(${addressHashes}::text[])
          AND h.campaign_id <> ${campaignId} AND h.last_contacted_at >= ${date(sinceMillis)}
        GROUP BY h.address_hash
      `.pipe(
        mapOf("suppressions.contactedElsewhere", ContactRow, ({ addressHash, atMillis }) => [addressHash, atMillis])
      ),

    sourcesOf: (workspaceId, addressHash, email = "") =>
      sql`
        WITH given AS (SELECT ${workspaceId}::uuid AS workspace_id, ${email}::text AS email)
        SELECT found.source FROM (
          SELECT s.source, s.suppressed_at FROM suppressions s
          WHERE s.workspace_id = ${workspaceId} AND s.address_hash = ${addressHash}
          UNION ALL
          SELECT 'added', NULL FROM given WHERE ${sql.literal(domainSuppressed("given.workspace_id", "given.email"))}
        ) found
        GROUP BY found.source
        ORDER BY min(found.suppressed_at), found.source
      `.pipe(column("suppressions.sourcesOf", Schema.Literals(SUPPRESSION_SOURCES)))
  }
})
