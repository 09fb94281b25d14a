import { Clock, Effect, Option } from "effect"
import { CallJournal } from "../../calls/CallJournal.js"
import { cursors as makeCursors } from "../../calls/cursor.js"
import { answering } from "../../calls/Handler.js"
import { KeyStore } from "../../calls/keys/KeyStore.js"
import { invalid, refuse } from "../../kernel/errors/Wire.js"
import { orFail } from "../../kernel/orFail.js"
import { format } from "../../kernel/money/Credits.js"
import { LongWork } from "../../kernel/ports/LongWork.js"
import { UnitOfWork } from "../../kernel/ports/UnitOfWork.js"
import { makeReleaseList } from "../../outreach/operations/lists/listRun.js"
import { type ListRow, ListStore, type RowCounts } from "../../outreach/operations/lists/ListStore.js"
import { RowMachine } from "../../outreach/operations/lists/RowMachine.js"
import { isList, type Operation, operationJob, OperationStore } from "../../outreach/operations/OperationStore.js"
import {
  type CancelOperation,
  type GetOperationResults,
  RESULTS_PAGE_DEFAULT,
  type ROW_STATUSES
} from "../../verbs/Lists.js"
import type { GetOperation } from "../../verbs/Reads.js"
import type { ResultOf } from "../../verbs/Verb.js"
import { iso, isoOrNull } from "../../kernel/text.js"

const notFound = refuse("not_found", {})

const progressOf = (operation: Operation, counts: RowCounts | null) =>
  counts === null
    ? {
        done: operation.items.filter((item) => item.status !== "pending").length,
        total: operation.items.length
      }
    : {
        done: counts.done,
        failed: counts.failed,
        total: Object.values(counts).reduce((sum, count) => sum + count, 0)
      }

const wireOperation = (operation: Operation, counts: RowCounts | null): ResultOf<typeof GetOperation> => ({
  operation_id: operation.operationId,
  kind: operation.kind,
  status: operation.status,
  progress: progressOf(operation, counts),
  items: operation.items,
  error: operation.error === null ? null : { code: "provider_failed", message: operation.error },
  created_at: iso(operation.createdAtMillis),
  updated_at: iso(operation.updatedAtMillis),
  finished_at: isoOrNull(operation.finishedAtMillis)
})

export const getOperation = Effect.gen(function* () {
  const operations = yield* OperationStore
  const lists = yield* ListStore
  return answering<typeof GetOperation>((request, call) =>
    Effect.gen(function* () {
      const found = yield* operations.get(call.workspaceId, request.operation_id.toLowerCase()).pipe(orFail(notFound))
      const counts = isList(found) ? yield* lists.counts(found) : null
      return wireOperation(found, counts)
    })
  )
})

/** A row under way counts as pending. */
const statusOf = ({ state }: ListRow): (typeof ROW_STATUSES)[number] =>
  RowMachine.is.underWay(state) ? "pending" : state

type WireRow = ResultOf<typeof GetOperationResults>["rows"][number]

const wireRow = (row: ListRow): WireRow => {
  // As our own encoder wrote it, when the row ended.
  const body: WireRow["result"] & WireRow["error"] = row.body === null ? null : JSON.parse(row.body)
  const isDone = RowMachine.is.done(row.state)
  return {
    index: row.index,
    status: statusOf(row),
    credits_charged: format(row.charged),
    result: isDone ? body : null,
    error: isDone ? null : body
  }
}

export const getOperationResults = Effect.gen(function* () {
  const operations = yield* OperationStore
  const lists = yield* ListStore
  const cursors = yield* makeCursors
  return answering<typeof GetOperationResults>((request, call) =>
    Effect.gen(function* () {
      const { workspaceId } = call
      const operationId = request.operation_id.toLowerCase()
      const filters = { operation_id: operationId }
      const after = yield* Effect.fromResult(cursors.decode(workspaceId, filters, request.cursor))
      const found = yield* operations.get(workspaceId, operationId).pipe(orFail(notFound))
      const limit = request.limit ?? RESULTS_PAGE_DEFAULT
      // A page ends at a row's place, not at a time.
      const page = yield* lists.page(found, after?.atMillis ?? -1, limit + 1)
      const { nextCursor, shown } = cursors.cut(workspaceId, filters, { rows: page, limit }, (last) => ({
        atMillis: last.index,
        id: last.rowId
      }))
      return { rows: shown.map(wireRow), next_cursor: nextCursor }
    })
  )
})

const NO_LIST = invalid([
  { path: "operation_id", message: "is of an operation that can't be cancelled: it is no list" }
])

export const cancelOperation = Effect.gen(function* () {
  const operations = yield* OperationStore
  const lists = yield* ListStore
  const journal = yield* CallJournal
  const keys = yield* KeyStore
  const work = yield* LongWork
  const release = yield* makeReleaseList
  const { atomically } = yield* UnitOfWork

  /** Cancels what has not begun, and frees what the list still holds. Rows under way end by themselves. */
  const cancel = ({ operationId, requestId, workspaceId }: Operation) =>
    Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const ref = { workspaceId, operationId }
      const cancelled = yield* lists.endWaiting(ref, "cancelled", null, nowMillis)
      const held = yield* journal.held(workspaceId, requestId)
      const key = Option.isSome(held) ? yield* keys.get(held.value.keyId) : Option.none()
      if (Option.isSome(held) && Option.isSome(key)) yield* release(key.value, requestId, held.value, nowMillis)
      yield* work.announce([operationJob(ref)])
      return cancelled
    })

  return answering<typeof CancelOperation>((request, call) =>
    Effect.gen(function* () {
      const operationId = request.operation_id.toLowerCase()
      const { operation, rows } = yield* Effect.gen(function* () {
        const locked = yield* operations.lock(call.workspaceId, operationId).pipe(orFail(notFound))
        if (!isList(locked)) return yield* Effect.fail(NO_LIST)
        const rows = locked.finishedAtMillis === null ? yield* cancel(locked) : 0
        return { operation: locked, rows }
      }).pipe(atomically)
      const now = yield* operations.get(call.workspaceId, operationId)
      const { status } = Option.getOrElse(now, () => operation)
      return { operation_id: operationId, status, rows_cancelled: rows }
    })
  )
})
