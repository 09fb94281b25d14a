import { Clock, Effect, Option } from "effect"
import { CallJournal, type Held } from "../../../calls/CallJournal.js"
import { rowErrorBody } from "../../../calls/envelope.js"
import { KeyMachine } from "../../../calls/keys/KeyMachine.js"
import { type ApiKey, KeyStore } from "../../../calls/keys/KeyStore.js"
import { type EndRow, ListedCalls } from "../../../calls/ListedCalls.js"
import { refuse } from "../../../kernel/errors/Wire.js"
import { after } from "../../../kernel/machine.js"
import { minusOrZero, zero } from "../../../kernel/money/Credits.js"
import { type Advance, DONE, waitFor } from "../../../kernel/ports/LongWork.js"
import { type FromStore, UnitOfWork } from "../../../kernel/ports/UnitOfWork.js"
import { OperationMachine } from "../OperationMachine.js"
import { type ListOperation, type OperationRef, OperationStore } from "../OperationStore.js"
import { type ListRow, ListStore, type RowCounts } from "./ListStore.js"
import { singles } from "./listVerbs.js"

/** Most rows of a list under way at once. */
export const ROWS_AT_ONCE_MAX = 16
/** After so many rows other work gets its turn. */
const ROWS_A_TURN_MAX = 480

const ACCEPTED = 202

/** How a list ended. */
export const endOfList = ({ done, failed, cancelled }: RowCounts): "succeed" | "succeed_partially" | "fail" =>
  failed + cancelled === 0 ? "succeed" : done === 0 ? "fail" : "succeed_partially"

/** Settles a list's own call: what it still holds is free again. Its rows were charged by their own calls. */
export const makeReleaseList = Effect.gen(function* () {
  const journal = yield* CallJournal
  return (key: ApiKey, requestId: string, { month, reserved, runId }: Held, nowMillis: number) =>
    journal.settleIn({
      call: {
        requestId,
        workspaceId: key.workspaceId,
        key,
        plan: { maximum: reserved, capabilities: [] },
        reserved,
        month,
        runId,
        idempotency: null,
        admittedAtMillis: nowMillis
      },
      status: "succeeded",
      httpStatus: ACCEPTED,
      errorCode: null,
      charge: zero,
      outcome: null,
      cache: null,
      settledAtMillis: nowMillis
    })
})

/**
 * Makes the calls of a list, some at a time, on whichever host. A row is begun and its reservation split off in one
 * transaction; it is charged and ended in another. A row that a dead host had begun is made again, and ends once.
 */
export const listRun = Effect.gen(function* () {
  const operations = yield* OperationStore
  const lists = yield* ListStore
  const journal = yield* CallJournal
  const keys = yield* KeyStore
  const calls = yield* ListedCalls
  const release = yield* makeReleaseList
  const single = yield* singles
  const { atomically } = yield* UnitOfWork

  /** What the row did not cost goes back to its list, or to the account once that has been settled. */
  const ending =
    (row: ListRow): EndRow =>
    (settlement, { body, state }) =>
      Effect.gen(function* () {
        const { charge, settledAtMillis } = settlement
        const { listRequestId: requestId, rowId, workspaceId } = row
        const isEnded = yield* lists.end({ workspaceId, rowId, charged: charge, body }, state, settledAtMillis)
        if (!isEnded) return { _tag: "Fenced" } as const
        const rest = minusOrZero(row.maximum, charge)
        const isBack = rest > 0n && (yield* journal.mergeIn({ workspaceId, requestId }, rowId, rest))
        const call = { ...settlement.call, reserved: isBack ? charge : row.maximum }
        return yield* journal.settleIn({ ...settlement, call })
      }).pipe(atomically)

  const makeRows = (operation: ListOperation, key: ApiKey, held: Pick<Held, "month" | "runId">) => {
    const { handler, verb } = single[operation.kind]
    return (rows: ReadonlyArray<ListRow>) =>
      Effect.forEach(
        rows,
        (row) =>
          calls.make(
            { requestId: row.rowId, verb, handler, input: row.input ?? {}, key, held, reserved: row.maximum },
            ending(row)
          ),
        { concurrency: ROWS_AT_ONCE_MAX, discard: true }
      )
  }

  /** Begins the next rows that the reservation covers. `left`: rows wait, and it covers none of them. */
  const beginSome = (operation: ListOperation, from: { readonly workspaceId: string; readonly requestId: string }) =>
    Effect.gen(function* () {
      const ref = { workspaceId: operation.workspaceId, operationId: operation.operationId }
      const nowMillis = yield* Clock.currentTimeMillis
      const locked = yield* operations.lock(ref.workspaceId, ref.operationId)
      if (Option.isNone(locked) || locked.value.finishedAtMillis !== null) return { begun: [], left: false }
      const waiting = yield* lists.inState(ref, "pending", ROWS_AT_ONCE_MAX)
      const { name } = single[operation.kind].verb
      const covered = new Set(
        yield* journal.splitIn(
          from,
          waiting.map(({ maximum, rowId }) => ({ requestId: rowId, verb: name, reserved: maximum })),
          nowMillis
        )
      )
      const begun = waiting.filter(({ rowId }) => covered.has(rowId))
      yield* lists.begin(
        ref.workspaceId,
        begun.map(({ rowId }) => rowId)
      )
      const status = after(OperationMachine, locked.value.status, "begin")
      if (status !== locked.value.status) {
        yield* operations.update({ ...locked.value, status, updatedAtMillis: nowMillis })
      }
      return { begun, left: begun.length === 0 && waiting.length > 0 }
    }).pipe(atomically)

  const endWaiting = (ref: OperationRef, state: "failed" | "cancelled", body: string | null) =>
    Effect.flatMap(Clock.currentTimeMillis, (nowMillis) => atomically(lists.endWaiting(ref, state, body, nowMillis)))

  /** Nothing is under way, and what is held covers no row that waits. */
  const endUncovered = (operation: ListOperation, { reserved }: Held) =>
    Effect.gen(function* () {
      const { operationId, workspaceId } = operation
      const ref = { workspaceId, operationId }
      const [next] = yield* lists.inState(ref, "pending", 1)
      if (next === undefined) return
      const error = refuse("insufficient_credits", { required: next.maximum, credits_available: reserved })
      yield* endWaiting(ref, "failed", rowErrorBody(error))
    })

  /** Ends a list none of whose rows is left. `key`: null if its call has been settled. */
  const finish = (operation: ListOperation, key: ApiKey | null) =>
    Effect.gen(function* () {
      const { operationId, requestId, workspaceId } = operation
      const nowMillis = yield* Clock.currentTimeMillis
      const locked = yield* operations.lock(workspaceId, operationId)
      if (Option.isNone(locked) || locked.value.finishedAtMillis !== null) return
      const counts = yield* lists.counts({ workspaceId, operationId })
      if (counts.pending + counts.running > 0) return
      yield* operations.update({
        ...locked.value,
        status: after(OperationMachine, after(OperationMachine, locked.value.status, "begin"), endOfList(counts)),
        updatedAtMillis: nowMillis,
        finishedAtMillis: nowMillis
      })
      const held = yield* journal.held(workspaceId, requestId)
      if (Option.isSome(held) && key !== null) yield* release(key, requestId, held.value, nowMillis)
    }).pipe(atomically)

  /** For whom the list's calls are made. None: all of its calls are settled. */
  const heldBy = (operation: ListOperation, underWay: ListRow | undefined) =>
    Effect.flatMap(journal.held(operation.workspaceId, operation.requestId), (held) =>
      Option.isSome(held) || underWay === undefined
        ? Effect.succeed(held)
        : // A cancelled list holds nothing itself.
          journal.held(operation.workspaceId, underWay.rowId)
    )

  const advance = (operation: ListOperation): FromStore<Advance> =>
    Effect.gen(function* () {
      const { operationId, requestId, workspaceId } = operation
      const ref = { workspaceId, operationId }
      for (let made = 0; made < ROWS_A_TURN_MAX; made += ROWS_AT_ONCE_MAX) {
        // What a dead host had begun, and what the last round could not end.
        const underWay = yield* lists.inState(ref, "running", ROWS_AT_ONCE_MAX)
        const held = yield* heldBy(operation, underWay[0])
        const key = Option.isNone(held) ? Option.none<ApiKey>() : yield* keys.get(held.value.keyId)
        if (Option.isNone(held) || Option.isNone(key)) return yield* Effect.as(finish(operation, null), DONE)
        const make = makeRows(operation, key.value, held.value)
        if (underWay.length > 0) {
          yield* make(underWay)
          continue
        }
        // A key that was paused or revoked buys nothing more.
        if (!KeyMachine.is.active(key.value.state)) yield* endWaiting(ref, "cancelled", null)
        const { begun, left } = yield* beginSome(operation, { workspaceId, requestId })
        if (left) yield* endUncovered(operation, held.value)
        if (begun.length === 0) return yield* Effect.as(finish(operation, key.value), DONE)
        yield* make(begun)
      }
      return waitFor(0)
    })
  return advance
})
