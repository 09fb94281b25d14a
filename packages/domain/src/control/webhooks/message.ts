import type { TrailEvent } from "../../kernel/trail/TrailEvent.js"
import { wireEvent } from "../../kernel/trail/wireEvent.js"

const plain = (uuid: string): string => uuid.replaceAll("-", "")

/** `webhook-id`: one for each event and endpoint, the same however often it is sent. */
export const webhookId = (endpointId: string, eventId: string): string => `msg_${plain(eventId)}_${plain(endpointId)}`

/** `type` of a message, as its receiver tells kinds apart. */
export const webhookType = ({ kind }: Pick<TrailEvent, "kind">): string => `trail.${kind}`

/** The body of a message: the event as the trail's verb shows it, with its type. */
export const webhookBody = (event: TrailEvent): string =>
  JSON.stringify({ type: webhookType(event), ...wireEvent(event) })
