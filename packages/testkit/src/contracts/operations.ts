import { assert, it } from "@effect/vitest"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { OperationMachine } from "@outbound/domain/outreach/operations/OperationMachine.js"
import {
  type Operation,
  OperationStore,
  type PurchaseOperation,
  type ReplyOperation
} from "@outbound/domain/outreach/operations/OperationStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"

const STARTERS_LIMIT = 1_000

/** What every store of operations guarantees. */
export const operationsContract = <E>(
  name: string,
  adapter: Layer.Layer<OperationStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const givenOperation = (given: Partial<PurchaseOperation> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* OperationStore
      const workspaceId = given.workspaceId ?? (yield* givenWorkspace()).workspaceId
      const operationId = freshId()
      const operation: PurchaseOperation = {
        workspaceId,
        operationId,
        kind: "setup_sending",
        status: "queued",
        requestId: freshId(),
        order: {
          workspaceId,
          marker: operationId,
          brand: "acme",
          identity: { firstName: "Ada", lastName: "Løvelace" },
          domains: [{ domain: "acme-mail.test", mailboxes: ["ada@acme-mail.test"] }],
          orderedAtMillis: NOON
        },
        creditsPerDomain: credits("1500.000001"),
        items: [{ id: "acme-mail.test", kind: "domain", status: "pending", detail: null }],
        error: null,
        createdAtMillis: NOON,
        updatedAtMillis: NOON,
        finishedAtMillis: null,
        ...given
      }
      yield* atomically(store.insert(operation))
      return operation
    })

  const refOf = ({ operationId, workspaceId }: Operation) => ({ workspaceId, operationId })

  const openOf = (workspaceId: string) =>
    Effect.gen(function* () {
      const store = yield* OperationStore
      const found = yield* store.open(STARTERS_LIMIT)
      return found.filter((operation) => operation.workspaceId === workspaceId)
    })

  it.layer(adapter, SUITE)(`operations (${name})`, (it) => {
    it.effect("an operation comes back as it was stored, and only in its own workspace", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OperationStore
        const operation = yield* givenOperation()
        const { operationId, workspaceId } = operation
        const other = yield* givenWorkspace()
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, operationId)), operation)
        assert.deepStrictEqual(Option.getOrNull(yield* atomically(store.lock(workspaceId, operationId))), operation)
        assert.isTrue(Option.isNone(yield* store.get(other.workspaceId, operationId)))
        assert.isTrue(Option.isNone(yield* atomically(store.lock(other.workspaceId, operationId))))
        assert.isTrue(Option.isNone(yield* store.get(workspaceId, freshId())))
      })
    )

    it.effect("an answer's operation has no order, and may be under way from the beginning", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OperationStore
        const { workspaceId } = yield* givenWorkspace()
        const operationId = freshId()
        const operation: ReplyOperation = {
          workspaceId,
          operationId,
          kind: "reply",
          status: "running",
          requestId: operationId,
          items: [{ id: freshId(), kind: "reply", status: "pending", detail: null }],
          error: null,
          createdAtMillis: NOON,
          updatedAtMillis: NOON,
          finishedAtMillis: null
        }
        yield* atomically(store.insert(operation))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, operationId)), operation)
        assert.deepStrictEqual(yield* openOf(workspaceId), [{ workspaceId, operationId }])
        const items = operation.items.map((item) => ({ ...item, status: "done" as const }))
        const ended: ReplyOperation = { ...operation, status: "succeeded", items, finishedAtMillis: NOON + 1 }
        yield* atomically(store.update(ended))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, operationId)), ended)
      })
    )

    it.effect("its progress stands, and falls with its transaction", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OperationStore
        const operation = yield* givenOperation()
        const { operationId, workspaceId } = operation
        const running: Operation = { ...operation, status: "running", updatedAtMillis: NOON + 1 }
        yield* Effect.result(atomically(Effect.andThen(store.update(running), Effect.fail("refused"))))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, operationId)), operation)
        yield* atomically(store.update(running))
        const ended: Operation = {
          ...running,
          status: "partially_succeeded",
          items: [
            { id: "a", kind: "domain", status: "active", detail: null },
            { id: "b", kind: "domain", status: "failed", detail: "it was taken" }
          ],
          error: "one domain was not delivered",
          updatedAtMillis: NOON + 2,
          finishedAtMillis: NOON + 2
        }
        yield* atomically(store.update(ended))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(workspaceId, operationId)), ended)
      })
    )

    it.effect("what has not ended is found, oldest first", () =>
      Effect.gen(function* () {
        const store = yield* OperationStore
        const second = yield* givenOperation({ createdAtMillis: NOON + MINUTE })
        const { workspaceId } = second
        const first = yield* givenOperation({ workspaceId })
        assert.deepStrictEqual(yield* openOf(workspaceId), [refOf(first), refOf(second)])
        assert.lengthOf(yield* store.open(1), 1)
      })
    )

    it.effect("what has ended is not found, what waits outside is", () =>
      Effect.gen(function* () {
        const { workspaceId } = yield* givenWorkspace()
        const given = yield* Effect.forEach(OperationMachine.states, (status, i) =>
          givenOperation({ workspaceId, status, createdAtMillis: NOON + i })
        )
        const open = given.filter(({ status }) => ["queued", "running", "waiting_external"].includes(status))
        assert.deepStrictEqual(yield* openOf(workspaceId), open.map(refOf))
      })
    )

    it.effect("an operation whose transaction failed is not found", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const { workspaceId } = yield* givenWorkspace()
        yield* Effect.result(atomically(Effect.andThen(givenOperation({ workspaceId }), Effect.fail("refused"))))
        assert.deepStrictEqual(yield* openOf(workspaceId), [])
      })
    )
  })
}
