import { EnrichmentCache } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { Schema } from "effect"
import { date, firstRow } from "./Columns.js"
import { booleans, columnsOf, storeLayer } from "./Table.js"

const CachedRow = Schema.Struct({
  contact: Schema.String,
  ...booleans("emailLookedUp", "mobileSearched")
})

export const layer = storeLayer(EnrichmentCache, (sql) => ({
  find: (workspaceId, personKey, nowMillis) =>
    sql`
      SELECT ${sql.literal(columnsOf(CachedRow, "c"))} FROM enrichment_cache c
      WHERE c.workspace_id = ${workspaceId} AND c.person_key = ${personKey} AND c.expires_at > ${date(nowMillis)}
    `.pipe(firstRow("EnrichmentCache.find", CachedRow))
}))
