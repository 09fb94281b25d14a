import { TRAIL_SOURCES, TrailKind } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Schema, Struct } from "effect"
import { NumberText } from "@outbound/domain/kernel/NumberText.js"
import { Millis } from "./Columns.js"
import { columnsOf, texts, textsOrNull } from "./Table.js"

/** An event of the trail as statements return it. */
export const EventRow = Schema.Struct({
  ...texts("eventId", "workspaceId"),
  kind: TrailKind,
  source: Schema.Literals(TRAIL_SOURCES),
  observedAtMillis: Millis,
  ...textsOrNull("campaignId", "campaignLeadId", "replyId", "requestId", "operationId", "email"),
  detail: Schema.Record(Schema.String, Schema.Unknown)
})

/** What an event says without anybody's address, and its columns, of `trail_events e`. */
export const RecordedRow = EventRow.mapFields(Struct.omit(["workspaceId", "detail", "email"]))
export const RECORDED_COLUMNS = columnsOf(RecordedRow, "e")

/** A seal, and its columns, of `trail_seals s`. */
export const SealRow = Schema.Struct({
  workspaceId: Schema.String,
  number: NumberText,
  previous: Schema.String,
  sealedAtMillis: Millis,
  count: Schema.Int,
  hash: Schema.String
})
export const SEAL_COLUMNS = columnsOf(SealRow, "s", { number: "s.number::text" })

/** What of a trail is sealed, up to a seal. */
export const TotalsRow = Schema.Struct({
  seals: NumberText,
  events: NumberText,
  head: Schema.String
})
