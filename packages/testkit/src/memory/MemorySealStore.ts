import {
  commitmentOf,
  eventHash,
  NO_SEAL,
  NOTHING_SEALED,
  SEAL_EVENTS_MAX,
  sealHash,
  type TrailSeal
} from "@outbound/domain/kernel/trail/seals.js"
import { SEAL_AFTER_MILLIS, SealStore } from "@outbound/domain/kernel/trail/SealStore.js"
import type { TrailEvent } from "@outbound/domain/kernel/trail/TrailEvent.js"
import { Clock, Effect, Option } from "effect"
import { createHash, randomUUID } from "node:crypto"
import { memoryStore } from "./MemoryStore.js"
import { isRetained } from "./MemoryTrailStore.js"
import { ascending, keyOf } from "./Table.js"
import type { Tables } from "./Tables.js"

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

const inOrder = ascending(
  (event: TrailEvent) => event.observedAtMillis,
  (event: TrailEvent) => event.eventId
)

const latestFirst = ascending(
  (seal: TrailSeal) => -seal.sealedAtMillis,
  (seal: TrailSeal) => seal.workspaceId
)

const unsealed = ({ sealed, trail }: Tables): Array<TrailEvent> => trail.filter(({ eventId }) => !sealed.has(eventId))

/** The commitment to the person of an event, made when it is first needed. */
const personOf = ({ salts }: Tables, { email, workspaceId }: TrailEvent): string | null => {
  if (email === null) return null
  const key = keyOf(workspaceId, email)
  const salt = salts.get(key) ?? randomUUID().replaceAll("-", "")
  salts.set(key, salt)
  return commitmentOf(sha256, salt, email)
}

/** An event without its workspace, as a seal covers it. */
const covered = (
  { detail, email: _email, workspaceId: _workspaceId, ...event }: TrailEvent,
  person: string | null
) => ({
  ...event,
  person,
  detail: JSON.stringify(detail)
})

const sealOne = (tables: Tables, workspaceId: string, events: ReadonlyArray<TrailEvent>, nowMillis: number): void => {
  const last = tables.seals.where("workspace", workspaceId).reduce((most, { seal }) => Math.max(most, seal.number), 0)
  const members = events.map((event) => ({ event, person: personOf(tables, event) }))
  const link = {
    workspaceId,
    number: last + 1,
    previous: tables.seals.get(keyOf(workspaceId, last))?.seal.hash ?? NO_SEAL,
    sealedAtMillis: nowMillis,
    count: events.length
  }
  const hashes = members.map(({ event, person }) => eventHash(sha256, covered(event, person)))
  tables.seals.insert(keyOf(workspaceId, link.number), {
    seal: { ...link, hash: sealHash(sha256, link, hashes) },
    members: members.map(({ event, person }) => ({ eventId: event.eventId, person }))
  })
  for (const { eventId } of events) tables.sealed.insert(eventId, link.number)
}

/** One transaction runs at a time, which is the lock. */
export const layer = memoryStore(SealStore, "SealStore", ({ read, write }) => ({
  lockUnsealed: (nowMillis) =>
    write((tables) => [
      ...new Set(
        unsealed(tables)
          .filter(({ observedAtMillis }) => Math.abs(nowMillis - observedAtMillis) >= SEAL_AFTER_MILLIS)
          .map(({ workspaceId }) => workspaceId)
      )
    ]),

  seal: (workspaceIds, nowMillis) =>
    write((tables) => {
      const due = unsealed(tables)
        .filter(({ workspaceId }) => workspaceIds.includes(workspaceId))
        .sort(inOrder)
        .slice(0, SEAL_EVENTS_MAX)
      for (const workspaceId of new Set(due.map((event) => event.workspaceId))) {
        const theirs = due.filter((event) => event.workspaceId === workspaceId)
        sealOne(tables, workspaceId, theirs, nowMillis)
      }
      return due.length
    }),

  next: (workspaceId, after) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      read((tables) => {
        const row = tables.seals.get(keyOf(workspaceId, after + 1))
        if (row === undefined) return Option.none()
        const events = row.members.flatMap(({ eventId, person }) => {
          const event = tables.trail.get(eventId)
          if (event === undefined) return []
          const isKept = event.email !== null && isRetained(tables, workspaceId, event.email, now)
          const email = isKept ? event.email : null
          const salt = email === null ? null : (tables.salts.get(keyOf(workspaceId, email)) ?? null)
          return [{ ...covered(event, person), email, salt }]
        })
        return Option.some({ seal: row.seal, events })
      })
    ),

  // Memory has no archive.
  archived: () => read(() => NOTHING_SEALED),

  heads: (limit) =>
    read(({ seals }) => {
      const all = seals.filter(() => true).map(({ seal }) => seal)
      const heads = all
        .filter(({ number, workspaceId }) => !seals.has(keyOf(workspaceId, number + 1)))
        .sort(latestFirst)
        .map(({ hash, number, sealedAtMillis, workspaceId }) => ({ workspaceId, number, hash, sealedAtMillis }))
      return { heads: heads.slice(0, limit), trails: heads.length }
    })
}))
