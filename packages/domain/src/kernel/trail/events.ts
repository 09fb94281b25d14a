import { Array as Arr, type Context, Effect } from "effect"
import { Ids } from "../ports/Ids.js"
import type { TrailEvent } from "./TrailEvent.js"
import { TrailStore } from "./TrailStore.js"

/** The fields a caller sets. The rest is empty. */
export type Told = Pick<TrailEvent, "workspaceId" | "kind" | "source"> & Partial<TrailEvent>

/** An event of now. An erased person has no address. */
export const eventOf = (
  ids: Context.Tag.Service<typeof Ids>,
  atMillis: number,
  { email, ...event }: Told
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

/** The lead that an event is about. */
export const ofLead = (lead: Readonly<Record<"workspaceId" | "campaignId" | "campaignLeadId" | "email", string>>) => {
  const { campaignId, campaignLeadId, email, workspaceId } = lead
  return { workspaceId, campaignId, campaignLeadId, email }
}

/** Appends events of now to the trail, in the caller's transaction. */
export const makeTell = Effect.gen(function* () {
  const trail = yield* TrailStore
  const ids = yield* Ids
  return (atMillis: number, told: Told | ReadonlyArray<Told>) =>
    trail.append(Arr.ensure(told).map((event) => eventOf(ids, atMillis, event)))
})
