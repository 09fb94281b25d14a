import { CRM_STANDINGS, keptOutBy } from "@outbound/domain/outreach/suppression/keepingOut.js"
import {
  barredBy,
  SUPPRESSION_SOURCES,
  SuppressionStore
} from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect, Schema } from "effect"
import { domainSuppressed, isContacted, queues, sources } from "./bars.js"
import { column, date, firstValue, mapOf, Millis, rows } from "./Columns.js"
import { standings } from "./keptOut.js"
import { booleans, lockNamed, storeLayer } from "./Table.js"

const BarsRow = Schema.Struct({
  addressHash: Schema.String,
  sources: Schema.Array(Schema.Literals(SUPPRESSION_SOURCES)),
  standings: Schema.Array(Schema.Literals(CRM_STANDINGS)),
  ...booleans("isContacted", "mayWait")
})

const ContactRow = Schema.Struct({ addressHash: Schema.String, atMillis: Millis })

export const layer = storeLayer(SuppressionStore, (sql) => {
  const asked = {
    workspaceId: "given.workspace_id",
    addressHash: "person.address_hash",
    email: "person.email",
    campaignId: "given.campaign_id",
    since: "given.contacted_since"
  }
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
            ${date(contactedSinceMillis)}::timestamptz AS contacted_since
        ), people AS MATERIALIZED (
          SELECT person.address_hash, ${sql.literal(sources(asked))} AS sources,
            ${sql.literal(isContacted(asked))} AS is_contacted, ${sql.literal(standings(asked))} AS standings
          FROM given,
            unnest(
              ${people.map(({ addressHash }) => addressHash)}::text[], ${people.map(({ email }) => email)}::text[]
            ) AS person (address_hash, email)
        )
        SELECT address_hash AS "addressHash", sources, is_contacted AS "isContacted", standings,
          ${mayWait}::boolean AND ${sql.literal(queues("given.workspace_id"))} AS "mayWait"
        FROM given CROSS JOIN people
        WHERE is_contacted OR cardinality(sources || standings) > 0
      `.pipe(
        rows("suppressions.check", BarsRow),
        Effect.map(
          (found) =>
            new Map(
              found.flatMap(({ addressHash, isContacted, mayWait, sources, standings }) => {
                const barred = barredBy({ sources, isContacted, keptOut: keptOutBy(standings) }, mayWait)
                return barred === null ? [] : [[addressHash, barred] as const]
              })
            )
        )
      ),

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
