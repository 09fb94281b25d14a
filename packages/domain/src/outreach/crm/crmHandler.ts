import { Clock, Effect, Option } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { crmOf } from "./asking.js"
import { Crms } from "./Crm.js"
import { CrmStore } from "./CrmStore.js"
import { CHANGES_MILLIS, makeCrmReading, readingDueMillis } from "./reading.js"
import { makeCrmWriting } from "./writing.js"

/** How often the outbox of a connection is looked at. */
export const OUTBOX_MILLIS = 30_000

/** How long written notes are remembered, and how many one round deletes. */
const KEPT_MILLIS = 90 * 24 * 60 * 60_000
const PURGE_MAX = 1_000

/** Serves one workspace's CRM: writes what is due, then reads what changed. It waits as long as the connection is there. */
export const makeCrmHandler = Effect.gen(function* () {
  const store = yield* CrmStore
  const crms = yield* Crms
  const crypto = yield* Crypto
  const { atomically } = yield* UnitOfWork
  const read = yield* makeCrmReading
  const writeDue = yield* makeCrmWriting

  const handler: JobHandler = (key) =>
    Effect.gen(function* () {
      const workspaceId = key.split("/")[0] ?? ""
      const found = yield* store.get(workspaceId)
      if (Option.isNone(found)) return DONE
      const connection = found.value
      const crm = crmOf(crms, crypto, connection)
      if (crm === null || crm === "sealed") {
        // A person has to set the key again.
        yield* Effect.gen(function* () {
          const held = yield* store.lock(workspaceId)
          if (Option.isNone(held) || held.value.connectionId !== connection.connectionId) return
          yield* store.put({ ...held.value, reading: { ...held.value.reading, trouble: "sealed" } })
        }).pipe(atomically)
        return waitFor(CHANGES_MILLIS)
      }
      yield* writeDue(connection, crm)
      const nowMillis = yield* Clock.currentTimeMillis
      const isDue = readingDueMillis(connection.reading, nowMillis) <= nowMillis
      const after = isDue ? yield* read(connection, crm) : connection
      const nextMillis = after === null ? 0 : readingDueMillis(after.reading, nowMillis) - nowMillis
      return waitFor(Math.max(0, Math.min(OUTBOX_MILLIS, nextMillis)))
    })
  return handler
})

/** Deletes notes that ended long ago, a bounded number. Returns how many. */
export const makeCrmPurge = Effect.gen(function* () {
  const store = yield* CrmStore
  const { atomically } = yield* UnitOfWork
  return Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    atomically(store.purgeWrites(nowMillis - KEPT_MILLIS, PURGE_MAX))
  )
})
