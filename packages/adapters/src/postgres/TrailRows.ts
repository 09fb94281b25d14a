import { TRAIL_SOURCES, TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Schema } from "effect"
import { Millis } from "./Columns.js"
import { texts, textsOrNull } from "./RowFields.js"

/** How long a person's address is kept after they were last seen, in months (contract: trail, retention). */
const RETENTION_MONTHS = 24

/** An event of the trail as statements return it. */
export const EventRow = Schema.Struct({
  ...texts("eventId", "workspaceId"),
  kind: TrailKind,
  source: Schema.Literal(...TRAIL_SOURCES),
  observedAtMillis: Millis,
  ...textsOrNull("campaignId", "campaignLeadId", "replyId", "requestId", "operationId", "email"),
  detail: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** Addresses last seen before this time are no longer retained. */
export const retainedSince = (nowMillis: number): Date => {
  const at = new Date(nowMillis)
  at.setUTCMonth(at.getUTCMonth() - RETENTION_MONTHS)
  return at
}
