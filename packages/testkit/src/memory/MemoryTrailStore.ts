import { retainedSince } from "@outbound/domain/kernel/trail/retention.js"
import { type TrailEvent, TrailStore } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { EndpointMachine } from "@outbound/domain/control/webhooks/EndpointMachine.js"
import { Clock, Effect } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const newestFirst = descending(
  (event: TrailEvent) => event.observedAtMillis,
  (event: TrailEvent) => event.eventId
)

/** Whether the person was seen lately enough for their address to be kept. */
export const isRetained = ({ seen }: Tables, workspaceId: string, email: string, nowMillis: number): boolean => {
  const lastSeen = seen.get(keyOf(workspaceId, email))
  return lastSeen !== undefined && lastSeen > retainedSince(nowMillis)
}

/** A delivery for every endpoint that wants the event. */
const tell = ({ deliveries, endpoints }: Tables, event: TrailEvent, nowMillis: number): void => {
  const { eventId, kind, observedAtMillis, workspaceId } = event
  const wanting = endpoints.filter(
    ({ endpoint }) =>
      endpoint.workspaceId === workspaceId &&
      EndpointMachine.is.on(endpoint.state) &&
      (endpoint.kinds.length === 0 || endpoint.kinds.includes(kind))
  )
  for (const { endpoint } of wanting) {
    deliveries.insert(keyOf(workspaceId, endpoint.endpointId, eventId), {
      workspaceId,
      endpointId: endpoint.endpointId,
      eventId,
      observedAtMillis,
      state: "pending",
      attempts: 0,
      createdAtMillis: nowMillis,
      attemptedAtMillis: null,
      dueAtMillis: nowMillis,
      status: null,
      failure: null,
      tookMillis: null
    })
  }
}

export const layer = memoryStore(TrailStore, "TrailStore", ({ read, write }) => ({
  append: (events) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      write((tables) => {
        const { seen, trail } = tables
        for (const event of events) {
          const { email, eventId, workspaceId } = event
          trail.insert(eventId, event)
          tell(tables, event, now)
          if (email === null) continue
          const person = keyOf(workspaceId, email)
          seen.set(person, Math.max(seen.get(person) ?? now, now))
        }
      })
    ),
  // Memory has no archive.
  archivedUntil: () => read(() => null),
  page: ({ after, campaignId, email, kinds, limit, sinceMillis, untilMillis, workspaceId }) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      read((tables) =>
        tables.trail
          .where("workspace", workspaceId)
          .filter(
            (event) =>
              (campaignId === null || event.campaignId === campaignId) &&
              (kinds.length === 0 || kinds.includes(event.kind)) &&
              (sinceMillis === null || event.observedAtMillis >= sinceMillis) &&
              (untilMillis === null || event.observedAtMillis < untilMillis) &&
              (after === null || newestFirst({ ...event, ...after }, event) < 0)
          )
          .map((event) =>
            event.email !== null && !isRetained(tables, workspaceId, event.email, now)
              ? { ...event, email: null }
              : event
          )
          .filter((event) => email === null || event.email === email)
          .sort(newestFirst)
          .slice(0, limit)
      )
    )
}))
