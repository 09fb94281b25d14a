import { SqlClient } from "@effect/sql"
import { Inbound, type InboundEvent } from "@outbound/domain/ports/Inbound.js"
import { Effect, Layer } from "effect"
import { jsonRows, run } from "./Columns.js"

/** An event as a row of `inbound_events`: its key, its time, and everything else as its content. */
const toRow = ({ workspaceId, provider, providerEventId, receivedAtMillis, ...content }: InboundEvent) => ({
  workspaceId,
  provider,
  providerEventId,
  receivedAtMillis,
  content
})

export const layer = Layer.effect(
  Inbound,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    return Inbound.of({
      receive: (events) =>
        events.length === 0
          ? Effect.void
          : sql`
              INSERT INTO inbound_events (workspace_id, provider, provider_event_id, received_at, content)
              SELECT g."workspaceId", g.provider, g."providerEventId", to_timestamp(g."receivedAtMillis" / 1000.0),
                g.content
              FROM json_to_recordset(${jsonRows(events.map(toRow))}::json) AS g (
                "workspaceId" uuid, provider text, "providerEventId" text, "receivedAtMillis" bigint, content json
              )
              ORDER BY g."workspaceId", g.provider, g."providerEventId"
              ON CONFLICT (workspace_id, provider, provider_event_id) DO NOTHING
            `.pipe(run("inbound.receive"))
    })
  })
)
