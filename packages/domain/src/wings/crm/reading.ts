import { DAY_MILLIS } from "../../kernel/durations.js"
import { Clock, Effect, Option, Result } from "effect"
import { jittered } from "../../kernel/backoff.js"
import { addressHashOf } from "../../kernel/people/subjects.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { ProviderFailure, type ProviderFailureReason } from "../../sources/ports/Source.js"
import { VendorStore } from "../../outreach/sending/vendor/VendorStore.js"
import type { Crm, CrmPage, Crms } from "./Crm.js"
import { type CrmConnection, type CrmReading, CrmStore, type CrmTrouble } from "./CrmStore.js"
import { marksOf } from "./marks.js"
import { inSpan } from "../../kernel/telemetry.js"
import { openCrmKey } from "./crmKey.js"

/** The longest that one step with a CRM may take: a page is several requests. */
export const ASK_SECONDS = 100

/** One step with the CRM, bounded in time. `otherwise`: what it means if it takes longer. */
export const askCrm = <A>(
  crm: Crm,
  otherwise: Extract<ProviderFailureReason, "transient" | "unknown_outcome">,
  step: Effect.Effect<A, ProviderFailure>
): Effect.Effect<A, ProviderFailure> =>
  step.pipe(
    Effect.timeoutOrElse({
      duration: ASK_SECONDS * 1_000,
      orElse: () => Effect.fail(new ProviderFailure({ provider: crm.name, reason: otherwise, concluded: "timed_out" }))
    }),
    inSpan("crm.ask", { kind: "client", attributes: () => ({ "peer.service": crm.name }) })
  )

/** The connection's account; `sealed` if its key can't be opened, null if this service doesn't speak to the CRM. */
export const crmOf = (
  { open }: (typeof Crms)["Service"],
  crypto: Crypto["Service"],
  connection: CrmConnection
): Crm | "sealed" | null => {
  const access = openCrmKey(crypto, connection)
  return access === null ? "sealed" : open(connection.vendor, { workspaceId: connection.workspaceId, access })
}

/** How often changes are read, and everything. */
export const CHANGES_MILLIS = 10 * 60_000
export const EVERYTHING_MILLIS = DAY_MILLIS

/** Changes are read from so long before the last reading began: the CRM's clock is not ours, and its index is late. */
const OVERLAP_MILLIS = 30 * 60_000

/** Most pages of one turn. The next turn goes on. */
const PAGES_MAX = 20
const SWEPT_MAX = 5_000

/** The pause after failures in a row. A key that is refused is tried once an hour. */
const PAUSES = { first: 30_000, max: 60 * 60_000 }
const REFUSED_MILLIS = 60 * 60_000
const PAUSE_MILLIS_MAX = 6 * 60 * 60_000

/** When the CRM is to be asked next. A time ahead of the clock dates from before the clock was set back. */
export const readingDueMillis = ({ askedAtMillis, failures, pass, pauseMillis }: CrmReading, nowMillis: number) => {
  if (askedAtMillis === null || askedAtMillis > nowMillis) return nowMillis
  if (failures > 0) return askedAtMillis + pauseMillis
  return pass === null ? askedAtMillis + CHANGES_MILLIS : nowMillis
}

/** How long to leave the CRM alone after a failure. */
export const pauseAfter = ({ reason, retryAfterSeconds }: ProviderFailure, failures: number) =>
  Effect.map(jittered(failures, PAUSES), (pause) =>
    Math.min(
      PAUSE_MILLIS_MAX,
      Math.max(pause, reason === "account" ? REFUSED_MILLIS : 0, (retryAfterSeconds ?? 0) * 1_000)
    )
  )

/** The reading that is under way, or the one that begins now. */
const begun = (reading: CrmReading, nowMillis: number): CrmReading => {
  if (reading.pass !== null) return reading
  const isAll = reading.readAllAtMillis === null || nowMillis - reading.readAllAtMillis >= EVERYTHING_MILLIS
  const began = { ...reading, cursor: null, beganAtMillis: nowMillis }
  return isAll
    ? { ...began, pass: "full", generation: reading.generation + 1 }
    : { ...began, pass: "changes", generation: reading.generation }
}

/** The reading after its last page. Everything that an earlier one held, and this one didn't, is swept out first. */
const ended = (reading: CrmReading): CrmReading => {
  const over = { ...reading, pass: null, cursor: null, beganAtMillis: null, readAtMillis: reading.beganAtMillis }
  if (reading.pass === "full") return { ...reading, pass: "sweep", cursor: null }
  return reading.pass === "sweep" ? { ...over, readAllAtMillis: reading.beganAtMillis } : over
}

const isSame = (a: CrmReading, b: CrmReading): boolean =>
  a.pass === b.pass && a.cursor === b.cursor && a.generation === b.generation && a.beganAtMillis === b.beganAtMillis

/** Keeps the local copy of whom a CRM keeps out fresh. Each page is stored with the place where the next one begins. */
export const makeCrmReading = Effect.gen(function* () {
  const store = yield* CrmStore
  const vendors = yield* VendorStore
  const crypto = yield* Crypto
  const { atomically } = yield* UnitOfWork

  /** Changes the reading, unless another host went on with it, or the connection was replaced. */
  const record = (
    { connectionId, workspaceId }: CrmConnection,
    from: CrmReading,
    to: CrmReading,
    also: (nowMillis: number) => ReturnType<typeof store.putOwners>
  ) =>
    Effect.gen(function* () {
      const held = yield* store.lock(workspaceId)
      if (Option.isNone(held) || held.value.connectionId !== connectionId) return null
      if (!isSame(held.value.reading, from)) return null
      const nowMillis = yield* Clock.currentTimeMillis
      const next = { ...held.value, reading: { ...to, askedAtMillis: nowMillis } }
      yield* store.put(next)
      yield* also(nowMillis)
      return next
    }).pipe(atomically)

  const failed = (connection: CrmConnection, trouble: CrmTrouble, pauseMillis: number) => {
    const { reading } = connection
    return record(
      connection,
      reading,
      { ...reading, failures: reading.failures + 1, trouble, pauseMillis },
      () => Effect.void
    )
  }

  const ask = (crm: Crm, { cursor, pass, readAtMillis }: CrmReading): Effect.Effect<CrmPage, ProviderFailure> => {
    const sinceMillis = pass === "changes" && readAtMillis !== null ? readAtMillis - OVERLAP_MILLIS : null
    return Effect.filterOrFail(
      askCrm(crm, "transient", crm.page({ cursor, sinceMillis })),
      // What does not move would never end, and what it leaves out would be taken for removed.
      (page) => page.cursor === null || page.cursor !== cursor,
      () => new ProviderFailure({ provider: crm.name, reason: "transient", cause: "it names the same page again" })
    )
  }

  const keep = (connection: CrmConnection, reading: CrmReading, { cursor, records }: CrmPage) => {
    const { workspaceId } = connection
    const hashOf = (email: string) => addressHashOf(crypto, workspaceId, email)
    const refs = [...new Set(records.map(({ ref }) => ref))]
    // A page may name a record twice: the last word counts.
    const last = new Map(records.map((one) => [one.ref, one]))
    const marks = [...last.values()].flatMap((one) => marksOf(one, hashOf))
    const calm = { ...reading, failures: 0, trouble: null, pauseMillis: 0 }
    const next = cursor === null ? ended(calm) : { ...calm, cursor }
    return record(connection, connection.reading, next, (nowMillis) =>
      Effect.andThen(
        store.replaceMarks({ workspaceId, generation: reading.generation, refs, marks }),
        // People whom a vendor writes to are looked at again. Last: campaigns at vendors are locked after all else.
        marks.length > 0 ? vendors.wakeAll(workspaceId, nowMillis) : Effect.void
      )
    )
  }

  const sweep = (connection: CrmConnection) =>
    Effect.gen(function* () {
      const { reading, workspaceId } = connection
      const swept = yield* atomically(store.sweepMarks(workspaceId, reading.generation, SWEPT_MAX))
      return swept > 0 ? connection : yield* record(connection, reading, ended(reading), () => Effect.void)
    })

  const owners = (connection: CrmConnection, crm: Crm) =>
    Effect.gen(function* () {
      const found = yield* Effect.result(askCrm(crm, "transient", crm.owners))
      if (Result.isFailure(found)) return found.failure
      const { reading } = connection
      yield* record(connection, reading, reading, () => store.putOwners(connection.workspaceId, found.success))
      return null
    })

  /** Reads until the reading is over or its turn is. Returns the connection as it is then; null: another host goes on. */
  return (given: CrmConnection, crm: Crm) =>
    Effect.gen(function* () {
      let connection: CrmConnection | null = given
      for (let pages = 0; pages < PAGES_MAX && connection !== null; pages += 1) {
        const now: CrmConnection = connection
        if (now.reading.pass === "sweep") {
          connection = yield* sweep(now)
          if (connection !== null && connection.reading.pass === null) return connection
          continue
        }
        const isNew = now.reading.pass === null
        const reading = begun(now.reading, yield* Clock.currentTimeMillis)
        const unowned: ProviderFailure | null = isNew ? yield* owners(now, crm) : null
        const page: Result.Result<CrmPage, ProviderFailure> =
          unowned === null ? yield* Effect.result(ask(crm, reading)) : Result.fail(unowned)
        if (Result.isFailure(page)) {
          const { cause, concluded, reason } = page.failure
          const trouble = concluded === "not_allowed" ? "private_address" : reason
          yield* Effect.logWarning(`reading the CRM failed: ${trouble}`).pipe(
            Effect.annotateLogs({ provider: crm.name, cause: String(cause ?? "") })
          )
          return yield* failed(now, trouble, yield* pauseAfter(page.failure, now.reading.failures + 1))
        }
        connection = yield* keep(now, reading, page.success)
        if (connection !== null && connection.reading.pass === null) return connection
      }
      return connection
    })
})
