import type { Context } from "effect"
import type { Ids } from "../ports/Ids.js"
import type { TrailEvent } from "./TrailEvent.js"

/** An event of now, with what is not said left empty. Who was erased has no address. */
export const eventOf = (
  ids: Context.Tag.Service<typeof Ids>,
  atMillis: number,
  { email, ...event }: Pick<TrailEvent, "workspaceId" | "kind" | "source"> & Partial<TrailEvent>
): TrailEvent => ({
  eventId: ids.next(atMillis),
  observedAtMillis: atMillis,
  campaignId: null,
  campaignLeadId: null,
  replyId: null,
  requestId: null,
  operationId: null,
  email: email === undefined || email === "" ? null : email,
  detail: {},
  ...event
})
