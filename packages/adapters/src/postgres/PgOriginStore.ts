import { ORIGIN_VERBS } from "@outbound/domain/kernel/people/origins.js"
import { OriginStore } from "@outbound/domain/outreach/campaigns/recipients/OriginStore.js"
import { Effect, Schema } from "effect"
import { LeadOriginRow } from "./CampaignRows.js"
import { mapOf } from "./Columns.js"
import { iso } from "./sealHashes.js"
import { storeLayer } from "./Table.js"

const NamingCallRow = Schema.Struct({
  verb: Schema.String,
  at: Schema.String,
  by: Schema.NullOr(Schema.String),
  request_id: Schema.String,
  line: Schema.NullOr(Schema.Int),
  file: Schema.NullOr(Schema.String),
  sources: Schema.Array(Schema.String)
})

const FactsRow = Schema.Struct({
  addressHash: Schema.String,
  call: Schema.NullOr(NamingCallRow),
  row: Schema.NullOr(NamingCallRow),
  directory: Schema.NullOr(
    Schema.Struct({
      imported_at: Schema.String,
      country: Schema.NullOr(Schema.String),
      file: Schema.NullOr(Schema.String),
      line: Schema.NullOr(Schema.Int)
    })
  ),
  lead: Schema.NullOr(LeadOriginRow)
})

export const layer = storeLayer(OriginStore, (sql) => {
  /** The first call of a verb that brings addresses, with the line of an uploaded table, and whom it paid. */
  const firstCall = (workspaceId: string) => sql`
    SELECT json_build_object(
      'verb', r.verb, 'at', ${sql.literal(iso("r.created_at"))}, 'by', k.name, 'request_id', r.request_id,
      'line', (w.uploaded ->> 'line')::integer, 'file', w.uploaded ->> 'file',
      'sources', COALESCE((
        SELECT json_agg(DISTINCT c.cost ->> 'vendor') FROM jsonb_array_elements(r.costs) AS c (cost)
        WHERE jsonb_typeof(r.costs) = 'array' AND c.cost ->> 'vendor' IS NOT NULL
      ), '[]')
    ) AS call
    FROM call_subjects s
    JOIN requests r ON r.workspace_id = s.workspace_id AND r.request_id = s.request_id
    LEFT JOIN list_rows w ON w.workspace_id = r.workspace_id AND w.row_id = r.request_id
    LEFT JOIN api_keys k ON k.workspace_id = r.workspace_id AND k.key_id = r.key_id
    WHERE s.workspace_id = ${workspaceId} AND s.address_hash = g.address_hash AND r.verb = ANY(${ORIGIN_VERBS}::text[])
    ORDER BY r.created_at, r.request_id
    LIMIT 1
  `

  /** The first row of an uploaded list that names them: by its list's call, which came before the row's own. */
  const firstRow = (workspaceId: string) => sql`
    SELECT json_build_object(
      'verb', r.verb, 'at', ${sql.literal(iso("r.created_at"))}, 'by', k.name, 'request_id', r.request_id,
      'line', (w.uploaded ->> 'line')::integer, 'file', w.uploaded ->> 'file', 'sources', '[]'::json
    ) AS row
    FROM list_rows w
    JOIN requests r ON r.workspace_id = w.workspace_id AND r.request_id = w.list_request_id
    LEFT JOIN api_keys k ON k.workspace_id = r.workspace_id AND k.key_id = r.key_id
    WHERE w.workspace_id = ${workspaceId} AND w.address_hash = g.address_hash AND w.uploaded IS NOT NULL
    ORDER BY r.created_at, w.row_id
    LIMIT 1
  `

  return {
    facts: (workspaceId, addressHashes) =>
      addressHashes.length === 0
        ? Effect.succeed(new Map())
        : sql`
            SELECT g.address_hash AS "addressHash", found.call, listed.row, (
              SELECT json_build_object('imported_at', ${sql.literal(iso("d.imported_at"))}, 'country', d.country,
                'file', d.list_file, 'line', d.list_line)
              FROM directory_people d WHERE d.workspace_id = ${workspaceId} AND d.fingerprint = g.address_hash
            ) AS directory, (
              SELECT l.origin FROM campaign_leads l
              WHERE l.workspace_id = ${workspaceId} AND l.address_hash = g.address_hash AND l.origin IS NOT NULL
              ORDER BY l.campaign_lead_id
              LIMIT 1
            ) AS lead
            FROM unnest(${addressHashes}::text[]) AS g (address_hash)
            LEFT JOIN LATERAL (${firstCall(workspaceId)}) AS found ON true
            LEFT JOIN LATERAL (${firstRow(workspaceId)}) AS listed ON true
          `.pipe(
            mapOf("origins.facts", FactsRow, ({ addressHash, call, directory, lead, row }) => [
              addressHash,
              { calls: [call, row].filter((one) => one !== null), directory, lead }
            ])
          )
  }
})
