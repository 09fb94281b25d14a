import { assert, it } from "@effect/vitest"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { type ListRow, ListStore } from "@outbound/domain/outreach/operations/lists/ListStore.js"
import { type Operation, OperationStore } from "@outbound/domain/outreach/operations/OperationStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"

type Stores = ListStore | OperationStore | UnitOfWork | WorkspaceStore

const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
  Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

/** A list of so many rows, none of which has begun. */
export const givenList = (rows: number, of?: string) =>
  Effect.gen(function* () {
    const operations = yield* OperationStore
    const lists = yield* ListStore
    const workspaceId = of ?? (yield* givenWorkspace()).workspaceId
    const operationId = freshId()
    const operation: Operation = {
      workspaceId,
      operationId,
      kind: "verify_emails",
      status: "running",
      requestId: operationId,
      items: [],
      error: null,
      createdAtMillis: NOON,
      updatedAtMillis: NOON,
      finishedAtMillis: null
    }
    const made = Array.from({ length: rows }, (_, index): ListRow => ({
      workspaceId,
      operationId,
      index,
      rowId: freshId(),
      listRequestId: operationId,
      state: "pending",
      maximum: credits("0.5"),
      charged: zero,
      input: { email: `person-${index}@x.test` },
      uploaded: null,
      addressHash: index === 0 ? "hash" : null,
      body: null,
      endedAtMillis: null
    }))
    yield* within(operations.insert(operation))
    // In whatever order they are written, they stand where they stood.
    yield* within(lists.insert(made.toReversed()))
    return { workspaceId, operationId, ref: { workspaceId, operationId }, rows: made }
  })

/** What every store of lists guarantees: each row ends once, at its own price, and is its own list's. */
export const listRowsContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  type List = Effect.Success<ReturnType<typeof givenList>>

  const all = ({ ref }: List) => Effect.flatMap(ListStore, (lists) => lists.page(ref, -1, 1_000))

  const begin = ({ rows, workspaceId }: List, ...indexes: ReadonlyArray<number>) =>
    Effect.flatMap(ListStore, (lists) =>
      within(
        lists.begin(
          workspaceId,
          indexes.map((index) => rows[index]!.rowId)
        )
      )
    )

  const end = (
    { rows, workspaceId }: List,
    index: number,
    state: "done" | "failed",
    { body = '{"status":"ok"}', charged = "0.25" } = {}
  ) =>
    Effect.flatMap(ListStore, (lists) =>
      within(
        lists.end({ workspaceId, rowId: rows[index]!.rowId, charged: credits(charged), body }, state, NOON + index)
      )
    )

  const statesOf = (list: List) => Effect.map(all(list), (rows) => rows.map(({ state }) => state))

  it.layer(adapter, SUITE)(`rows of lists (${name})`, (it) => {
    it.effect("they come back as they were given, in their order, in pages and by state, in their own list", () =>
      Effect.gen(function* () {
        const lists = yield* ListStore
        const list = yield* givenList(4)
        const beside = yield* givenList(2, list.workspaceId)
        assert.deepStrictEqual(yield* all(list), list.rows)
        assert.deepStrictEqual(yield* lists.page(list.ref, 0, 2), list.rows.slice(1, 3))
        assert.deepStrictEqual(yield* lists.page(list.ref, 3, 2), [])
        yield* begin(list, 1)
        assert.deepStrictEqual(yield* statesOf(list), ["pending", "running", "pending", "pending"])
        const waiting = yield* lists.inState(list.ref, "pending", 2)
        assert.deepStrictEqual(waiting, [list.rows[0]!, list.rows[2]!])
        assert.deepStrictEqual(yield* all(beside), beside.rows)
        assert.deepStrictEqual(yield* lists.inState({ ...list.ref, workspaceId: freshId() }, "pending", 9), [])
        const { rowId } = list.rows[2]!
        assert.deepStrictEqual(Option.getOrNull(yield* lists.get(list.workspaceId, rowId)), list.rows[2])
        assert.isTrue(Option.isNone(yield* lists.get(freshId(), rowId)))
      })
    )

    it.effect("a row that is under way ends once, with its own price and answer, and none beside it", () =>
      Effect.gen(function* () {
        const lists = yield* ListStore
        const list = yield* givenList(3)
        assert.isFalse(yield* end(list, 0, "done"), "it has not begun")
        yield* begin(list, 0, 1)
        assert.isTrue(yield* end(list, 0, "done", { body: '{"status":"valid"}', charged: "0.3" }))
        assert.isFalse(yield* end(list, 0, "failed", { charged: "0" }))
        const { rowId } = list.rows[1]!
        assert.isFalse(
          yield* within(lists.end({ workspaceId: freshId(), rowId, charged: zero, body: null }, "done", NOON))
        )
        const [first, second, third] = yield* all(list)
        assert.deepStrictEqual(first, {
          ...list.rows[0]!,
          state: "done",
          charged: credits("0.3"),
          body: first!.body,
          endedAtMillis: NOON
        })
        assert.deepStrictEqual(JSON.parse(first!.body ?? ""), { status: "valid" })
        assert.deepStrictEqual([second, third], [{ ...list.rows[1]!, state: "running" }, list.rows[2]!])
        // What has ended is not begun again.
        yield* begin(list, 0)
        assert.deepStrictEqual(yield* statesOf(list), ["done", "running", "pending"])
      })
    )

    it.effect("what waits is ended together: neither what is under way or over, nor another list's", () =>
      Effect.gen(function* () {
        const lists = yield* ListStore
        const list = yield* givenList(5)
        const beside = yield* givenList(2, list.workspaceId)
        yield* begin(list, 0, 1)
        yield* end(list, 0, "done")
        const ended = yield* within(lists.endWaiting(list.ref, "cancelled", null, NOON + 9))
        assert.strictEqual(ended, 3)
        assert.deepStrictEqual(yield* statesOf(list), ["done", "running", "cancelled", "cancelled", "cancelled"])
        assert.strictEqual((yield* all(list))[4]?.endedAtMillis, NOON + 9)
        assert.deepStrictEqual(yield* statesOf(beside), ["pending", "pending"])
        assert.strictEqual(yield* within(lists.endWaiting(list.ref, "failed", null, NOON + 10)), 0)
        assert.strictEqual(yield* within(lists.endWaiting(beside.ref, "failed", '{"code":"x"}', NOON)), 2)
        assert.deepStrictEqual(yield* statesOf(beside), ["failed", "failed"])
      })
    )

    it.effect("rows are counted by state, and what came out of them by what it cost, for their own list", () =>
      Effect.gen(function* () {
        const lists = yield* ListStore
        const list = yield* givenList(7)
        const beside = yield* givenList(1, list.workspaceId)
        yield* begin(beside, 0)
        yield* end(beside, 0, "done", { charged: "0.5" })
        yield* begin(list, 0, 1, 2, 3, 4)
        yield* end(list, 0, "done", { body: '{"status":"valid"}', charged: "0.2" })
        yield* end(list, 1, "done", { body: '{"status":"valid"}', charged: "0.1" })
        yield* end(list, 2, "done", { body: '{"outcome":"found","status":"valid"}', charged: "0.5" })
        yield* end(list, 3, "failed", { body: '{"code":"not_found"}', charged: "0" })
        assert.deepStrictEqual(
          { ...(yield* lists.counts(list.ref)) },
          { pending: 2, running: 1, done: 3, failed: 1, cancelled: 0 }
        )
        const outcomes = (yield* lists.outcomes(list.ref)).map(({ charged, outcome, rows, state }) => [
          state,
          outcome,
          rows,
          charged
        ])
        assert.deepStrictEqual(outcomes, [
          ["done", "valid", 2, credits("0.3")],
          ["done", "found", 1, credits("0.5")],
          ["failed", "not_found", 1, zero]
        ])
      })
    )

    it.effect("an operation that moves on leaves those beside it where they are", () =>
      Effect.gen(function* () {
        const operations = yield* OperationStore
        const list = yield* givenList(0)
        const beside = yield* givenList(0, list.workspaceId)
        const get = ({ operationId, workspaceId }: List) =>
          Effect.map(operations.get(workspaceId, operationId), Option.getOrThrow)
        const was = yield* get(beside)
        const ended = { ...(yield* get(list)), status: "succeeded" as const, finishedAtMillis: NOON + 1 }
        yield* within(operations.update(ended))
        assert.deepStrictEqual(yield* get(list), ended)
        assert.deepStrictEqual(yield* get(beside), was)
      })
    )
  })
}
