import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option, Result } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { DONE, type JobHandler, waitFor } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { type Crm, Crms } from "./Crm.js"
import { type ClaimedCrmWrite, type CrmConnection, CrmStore, type CrmTrouble } from "./CrmStore.js"
import { ASK_SECONDS, askCrm, CHANGES_MILLIS, crmOf, makeCrmReading, pauseAfter, readingDueMillis } from "./reading.js"
import { jittered } from "../../kernel/backoff.js"
import { allows } from "../../kernel/machine.js"
import { Ids } from "../../kernel/ports/Ids.js"
import { about } from "../../kernel/telemetry.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { CrmWriteMachine, type CrmWriteState } from "./CrmWriteMachine.js"

/** The longest quotation of a reply. */
const QUOTED_CHARS_MAX = 4_000

/** Ours alone, and the same in every try. */
const markerOf = ({ writeId }: Pick<ClaimedCrmWrite, "writeId">): string => `outbound-${writeId}`

/** What the note says, as plain text. */
const noteText = (write: ClaimedCrmWrite): string => {
  const { campaignName, kind, reply } = write
  const quoted = reply === null ? "" : reply.bodyText.slice(0, QUOTED_CHARS_MAX)
  const lines = [
    kind === "meeting" ? "A meeting was booked." : "They replied to a campaign.",
    `Campaign: ${campaignName}`,
    ...(reply === null
      ? []
      : [
          ...(reply.classification === null ? [] : [`Understood as: ${reply.classification.replaceAll("_", " ")}`]),
          `Subject: ${reply.subject}`,
          "",
          quoted
        ]),
    "",
    `Reference: ${markerOf(write)}`
  ]
  return lines.join("\n")
}

/** Most notes of one turn. */
const WRITES_MAX = 50

/** A claim makes at most three steps with the CRM. One that is older belongs to a host that died. */
export const WRITE_LEASE_MILLIS = 4 * ASK_SECONDS * 1_000

/** An unknown outcome is looked up so long afterwards: until then the request may still be on its way. */
export const SETTLE_MILLIS = 2 * 60_000

/** Most tries. With the pauses, they last for about a week. */
export const WRITE_TRIES_MAX = 40
const PAUSES = { first: 30_000, max: 6 * 60 * 60_000 }

interface Outcome {
  readonly event: (typeof CrmWriteMachine.events)[number]
  readonly trouble: CrmTrouble | null
  readonly pauseMillis: number
}

const STATE_AFTER: Readonly<Record<string, CrmWriteState>> = {
  deliver: "written",
  retry: "waiting",
  absent: "waiting",
  lose: "unknown",
  fail: "failed",
  cancel: "cancelled"
}

const over = (event: Outcome["event"], trouble: CrmTrouble | null = null): Outcome => ({
  event,
  trouble,
  pauseMillis: 0
})

/** Writes replies and meetings back to the CRM, each once. */
const makeCrmWriting = Effect.gen(function* () {
  const store = yield* CrmStore
  const ids = yield* Ids
  const { atomically } = yield* UnitOfWork

  /** The person's record: found, or added if the owner wants that. None: there is none. */
  const contactOf = (crm: Crm, { createsContacts }: CrmConnection["policy"], write: ClaimedCrmWrite) =>
    Effect.gen(function* () {
      const { ownerRef, person } = write
      const found = yield* askCrm(crm, "transient", crm.find(person.email))
      if (Option.isSome(found) || !createsContacts) return found
      return Option.some(yield* askCrm(crm, "unknown_outcome", crm.create(person, ownerRef)))
    })

  const perform = (
    crm: Crm,
    connection: CrmConnection,
    write: ClaimedCrmWrite
  ): Effect.Effect<Outcome, ProviderFailure> =>
    Effect.gen(function* () {
      if (write.person.email === "") return over("cancel", "erased")
      const ref = yield* contactOf(crm, connection.policy, write)
      if (Option.isNone(ref)) return over("fail", "no_contact")
      const { atMillis, ownerRef, reply } = write
      const note = {
        marker: markerOf(write),
        text: noteText(write),
        atMillis: reply?.receivedAtMillis ?? atMillis,
        ownerRef
      }
      yield* askCrm(crm, "unknown_outcome", crm.write(ref.value, note))
      return over("deliver")
    })

  /** Whether a note whose outcome is unknown is there. A person without a record has no note. */
  const lookUp = (crm: Crm, write: ClaimedCrmWrite): Effect.Effect<Outcome, ProviderFailure> =>
    Effect.gen(function* () {
      if (write.person.email === "") return over("cancel", "erased")
      const ref = yield* askCrm(crm, "transient", crm.find(write.person.email))
      if (Option.isNone(ref)) return over("absent")
      return over((yield* askCrm(crm, "transient", crm.holds(ref.value, markerOf(write)))) ? "deliver" : "absent")
    })

  const afterFailure = (write: ClaimedCrmWrite, failure: ProviderFailure): Effect.Effect<Outcome> =>
    Effect.gen(function* () {
      const { reason } = failure
      const pause = yield* jittered(write.attempts, PAUSES)
      const pauseMillis = Math.max(pause, yield* pauseAfter(failure, 1))
      if (CrmWriteMachine.is.unknown(write.state)) {
        // Only the look failed: what it was to find out is as unknown as before.
        const isOver = write.attempts >= WRITE_TRIES_MAX
        return { event: isOver ? "fail" : "lose", trouble: reason, pauseMillis }
      }
      if (reason === "unknown_outcome") return { event: "lose", trouble: reason, pauseMillis: SETTLE_MILLIS }
      const isOver = reason === "invalid" || write.attempts >= WRITE_TRIES_MAX
      return { event: isOver ? "fail" : "retry", trouble: reason, pauseMillis }
    })

  const one = (crm: Crm, connection: CrmConnection, write: ClaimedCrmWrite) =>
    Effect.gen(function* () {
      const isUnknown = CrmWriteMachine.is.unknown(write.state)
      const tried = yield* Effect.result(isUnknown ? lookUp(crm, write) : perform(crm, connection, write))
      const outcome = Result.isSuccess(tried) ? tried.success : yield* afterFailure(write, tried.failure)
      if (Result.isFailure(tried)) yield* Effect.logWarning(`writing to the CRM failed: ${tried.failure.reason}`)
      const atMillis = yield* Clock.currentTimeMillis
      const { event, pauseMillis, trouble } = outcome
      const state = STATE_AFTER[event]
      if (state === undefined || !allows(CrmWriteMachine, write.state, event)) {
        return yield* Effect.die(new Error(`a note of the state ${write.state} can't ${event}`))
      }
      yield* atomically(store.recordWrite(write, { state, trouble, atMillis, dueAtMillis: atMillis + pauseMillis }))
      // Others fare no better at once.
      return Result.isSuccess(tried) || tried.failure.reason === "invalid"
    }).pipe(about({ campaign_lead_id: write.campaignLeadId }))

  const claim = (workspaceId: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
      atomically(
        store.claimWrite({
          workspaceId,
          claimId: ids.next(nowMillis),
          nowMillis,
          lapsedMillis: nowMillis - WRITE_LEASE_MILLIS
        })
      )
    )

  /** Writes what is due, up to a limit. */
  return (connection: CrmConnection, crm: Crm) =>
    Effect.gen(function* () {
      for (let writes = 0; writes < WRITES_MAX; writes += 1) {
        const write = yield* claim(connection.workspaceId)
        if (Option.isNone(write)) return
        if (!(yield* one(crm, connection, write.value))) return
      }
    })
})

/** How often the outbox of a connection is looked at. */
export const OUTBOX_MILLIS = 30_000

/** How long written notes are remembered, and how many one round deletes. */
const KEPT_MILLIS = 90 * DAY_MILLIS
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
