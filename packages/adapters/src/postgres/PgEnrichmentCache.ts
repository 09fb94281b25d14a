import { SqlClient } from "@effect/sql"
import { type CachedContact, EnrichmentCache } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { Effect, Layer, Option } from "effect"
import { date } from "./Columns.js"
import { orUnavailable } from "./PgErrors.js"

interface CacheRow {
  readonly contact: string
  readonly email_looked_up: boolean
  readonly mobile_searched: boolean
}

const fromCacheRow = (row: CacheRow): CachedContact => ({
  contact: row.contact,
  emailLookedUp: row.email_looked_up,
  mobileSearched: row.mobile_searched
})

export const layer = Layer.effect(
  EnrichmentCache,
  Effect.map(SqlClient.SqlClient, (sql) =>
    EnrichmentCache.of({
      find: (workspaceId, personKey, nowMillis) =>
        sql<CacheRow>`
          SELECT contact, email_looked_up, mobile_searched FROM enrichment_cache
          WHERE workspace_id = ${workspaceId} AND person_key = ${personKey} AND expires_at > ${date(nowMillis)}
        `.pipe(
          Effect.map((rows) => Option.map(Option.fromNullable(rows[0]), fromCacheRow)),
          orUnavailable("EnrichmentCache.find")
        )
    })
  )
)
