import type { TrailEvent } from "@outbound/domain/trail/TrailEvent.js"
import { TrailStore } from "@outbound/domain/trail/TrailStore.js"
import { Clock, Effect } from "effect"
import { memoryStore } from "./MemoryStore.js"
import { descending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const RETENTION_MONTHS = 24

const newestFirst = descending(
  (event: TrailEvent) => event.observedAtMillis,
  (event: TrailEvent) => event.eventId
)

const isRetained = ({ seen }: Tables, workspaceId: string, email: string, nowMillis: number): boolean => {
  const retainedSince = new Date(nowMillis)
  retainedSince.setUTCMonth(retainedSince.getUTCMonth() - RETENTION_MONTHS)
  const lastSeen = seen.get(keyOf(workspaceId, email))
  return lastSeen !== undefined && lastSeen > retainedSince.getTime()
}

export const layer = memoryStore(TrailStore, "TrailStore", ({ read, write }) => ({
  append: (events) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      write(({ seen, trail }) => {
        for (const event of events) {
          const { email, eventId, workspaceId } = event
          trail.insert(eventId, event)
          if (email === null) continue
          const person = keyOf(workspaceId, email)
          seen.set(person, Math.max(seen.get(person) ?? now, now))
        }
      })
    ),
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
