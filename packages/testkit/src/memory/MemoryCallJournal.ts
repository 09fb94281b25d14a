import type {
  Admission,
  AdmittedCall,
  Attempt,
  Reservation,
  Settled,
  Settlement
} from "@outbound/domain/calls/Attempt.js"
import { CallJournal, OPERATIONS_HOST } from "@outbound/domain/calls/CallJournal.js"
import { available, dayOf, monthOf } from "@outbound/domain/calls/decideAdmission.js"
import { rateStatus } from "@outbound/domain/calls/keys/RateWindow.js"
import { plus, zero } from "@outbound/domain/kernel/money/Credits.js"
import { Clock, Effect, Layer, Option, type Scope } from "effect"
import { Memory } from "./Memory.js"
import { acceptRow, heldBy, mergeRow, splitRow, withRows } from "./MemoryAccepted.js"
import { admitRow, endCall, reconcileRow, spentSince, sweepRows, usageOf } from "./MemoryCalls.js"
import { accountOf } from "./MemoryCreditStore.js"
import { MemoryFaults, withFaults } from "./MemoryFaults.js"

/** One running host: its journal, and a way to end it as a crash would. */
export interface MemoryHost {
  readonly journal: CallJournal["Service"]
  /** From now on the host's lease is over: its calls are for the sweeper. */
  readonly kill: Effect.Effect<void>
}

let hostsMade = 0

const makeJournal = (memory: Memory["Service"], hostId: string): CallJournal["Service"] => {
  const { atomically, read, write } = memory

  const settleIn = (settlement: Settlement) =>
    write((tables): Settled => {
      const { call, settledAtMillis } = settlement
      const row = tables.calls.get(call.requestId)
      const isOurs = row?.hostId === hostId || row?.hostId === OPERATIONS_HOST
      if (row === undefined || !isOurs || row.record.status !== "pending") return { _tag: "Fenced" }
      endCall(tables, row, { ...settlement, finishedAtMillis: settledAtMillis })
      return { _tag: "Settled", available: available(accountOf(tables, row.workspaceId)) }
    })

  /** Some: the call has ended, with or without an outcome to keep. */
  const ended = (workspaceId: string, requestId: string) =>
    read(({ calls, records }) => {
      const row = calls.get(requestId)
      if (row?.workspaceId !== workspaceId) return Option.some(Option.none())
      const outcome = records.where("request", requestId)[0]?.outcome ?? null
      return row.record.status === "pending" && outcome === null
        ? Option.none()
        : Option.some(Option.fromNullishOr(outcome))
    })

  const awaitEnd = (workspaceId: string, requestId: string): ReturnType<typeof awaitOutcome> =>
    Effect.gen(function* () {
      const changed = yield* memory.nextCommit
      const found = yield* ended(workspaceId, requestId)
      if (Option.isSome(found)) return found.value
      yield* changed
      return yield* awaitEnd(workspaceId, requestId)
    })

  const awaitOutcome: CallJournal["Service"]["awaitOutcome"] = (workspaceId, requestId, waitMillis) =>
    Effect.flatMap(ended(workspaceId, requestId), (found) =>
      Option.isSome(found)
        ? Effect.succeed(found.value)
        : Effect.map(Effect.timeoutOption(awaitEnd(workspaceId, requestId), waitMillis), Option.flatten)
    )

  return CallJournal.of({
    locate: (keyHash) =>
      read(({ keyIds, keys, workspaces }) => {
        const key = keys.get(keyIds.get(keyHash) ?? "")?.key
        const workspace = key && workspaces.get(key.workspaceId)
        return key === undefined || workspace === undefined
          ? Option.none()
          : Option.some({ workspaceId: key.workspaceId, keyId: key.keyId, workspaceKind: workspace.kind })
      }),
    admit: <P extends Reservation>(attempt: Attempt<P>) =>
      atomically(write((tables): Admission<P> => admitRow(tables, hostId, attempt))),
    settle: (settlement) => atomically(settleIn(settlement)),
    settleIn,
    acceptIn: (call, outcome) => write((tables) => acceptRow(tables, hostId, call, outcome)),
    held: (workspaceId, requestId) =>
      read((tables) => Option.fromNullishOr(heldBy(tables, { workspaceId, requestId }))),
    splitIn: (from, calls, nowMillis) => write((tables) => splitRow(tables, from, calls, nowMillis)),
    mergeIn: (into, requestId, amount) => write((tables) => mergeRow(tables, into, requestId, amount)),
    reconcileIn: (reconciled) => write((tables) => reconcileRow(tables, reconciled)),
    effectStarts: (call: AdmittedCall) =>
      atomically(
        write(({ calls, hosts }) => {
          const row = calls.get(call.requestId)
          if (hosts.get(hostId) !== true || row?.hostId !== hostId || row.record.status !== "pending") return false
          calls.set(call.requestId, { ...row, effectStarted: true })
          return true
        })
      ),
    awaitOutcome,
    request: (workspaceId, requestId) =>
      read((tables) => {
        const row = tables.calls.get(requestId)
        return row?.workspaceId === workspaceId ? Option.some(withRows(tables, row.record)) : Option.none()
      }),
    standing: (workspaceId, keyId, nowMillis) =>
      read((tables) => {
        const row = tables.keys.get(keyId)
        if (row?.key.workspaceId !== workspaceId) throw new Error(`there is no key ${keyId} in ${workspaceId}`)
        const usage = usageOf(tables, keyId)
        return {
          key: row.key,
          spentThisMonth: usage.month < monthOf(nowMillis) ? zero : plus(usage.spent, usage.reserved),
          spentToday: spentSince(tables, { workspaceId, keyId }, dayOf(nowMillis)),
          available: available(accountOf(tables, workspaceId)),
          rate: rateStatus(usage.rate, row.key.ratePerMinute, nowMillis)
        }
      }),
    sweep: Effect.flatMap(Clock.currentTimeMillis, (now) => atomically(write((tables) => sweepRows(tables, now))))
  })
}

/** Another host over the same memory, until the scope closes: then it is gone, and what it left open can be swept. */
export const makeHost: Effect.Effect<MemoryHost, never, Memory | MemoryFaults | Scope.Scope> = Effect.gen(function* () {
  const memory = yield* Memory
  const faults = yield* MemoryFaults
  const hostId = `host-${(hostsMade += 1)}`
  const lease = (holds: boolean) => memory.atomically(memory.write(({ hosts }) => hosts.set(hostId, holds)))
  yield* Effect.acquireRelease(lease(true), () => lease(false))
  return { journal: withFaults(faults, "CallJournal", makeJournal(memory, hostId)), kill: lease(false) }
})

export const layer: Layer.Layer<CallJournal, never, Memory | MemoryFaults> = Layer.effect(
  CallJournal,
  Effect.map(makeHost, ({ journal }) => journal)
)
