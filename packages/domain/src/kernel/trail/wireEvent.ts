import type { TrailEvent } from "./TrailEvent.js"

/** An event in `GET /v1/trail` and in webhooks. `email` is left out after its retention. */
export const wireEvent = (event: TrailEvent) => ({
  id: event.eventId,
  kind: event.kind,
  observed_at: new Date(event.observedAtMillis).toISOString(),
  source: event.source,
  campaign_id: event.campaignId,
  campaign_lead_id: event.campaignLeadId,
  reply_id: event.replyId,
  request_id: event.requestId,
  operation_id: event.operationId,
  ...(event.email === null ? {} : { email: event.email }),
  detail: event.detail
})
