import { assert, it } from "@effect/vitest"
import { Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Deferred, Effect, Fiber } from "effect"
import * as FC from "fast-check"
import { layer, Memory } from "../../src/memory/Memory.js"
import { Table, UndoLog } from "../../src/memory/Table.js"

const Write = FC.oneof(
  FC.record({ tag: FC.constant("set" as const), key: FC.constantFrom("a", "b", "c"), value: FC.nat(9) }),
  FC.record({ tag: FC.constant("delete" as const), key: FC.constantFrom("a", "b", "c") })
)

type Numbers = Table<number, "parity">

const apply = (table: Numbers, writes: ReadonlyArray<typeof Write extends FC.Arbitrary<infer W> ? W : never>) => {
  for (const write of writes) {
    if (write.tag === "set") table.set(write.key, write.value)
    else table.delete(write.key)
  }
}

/** The rows, and the same rows as the index has them: it must agree at every moment. */
const rowsOf = (table: Numbers) => {
  const rows = ["a", "b", "c"].map((key) => table.get(key))
  for (const parity of [0, 1]) {
    assert.sameMembers(
      table.where("parity", String(parity)),
      rows.filter((row) => row !== undefined && row % 2 === parity)
    )
  }
  return rows
}

it("undoing brings back exactly what was there at the savepoint", () =>
  FC.assert(
    FC.property(FC.array(Write), FC.array(Write), FC.array(Write), (before, inner, after) => {
      const log = new UndoLog()
      const table = new Table(log, { parity: (value: number) => String(value % 2) })
      apply(table, before)
      const kept = rowsOf(table)
      const savepoint = log.length
      apply(table, inner)
      const wanted = rowsOf(table)
      const second = log.length
      apply(table, after)
      log.undoTo(second)
      assert.deepStrictEqual(rowsOf(table), wanted)
      log.undoTo(savepoint)
      assert.deepStrictEqual(rowsOf(table), kept)
      log.undoTo(0)
      assert.deepStrictEqual(rowsOf(table), [undefined, undefined, undefined])
    })
  ))

it.effect("a read outside of a transaction waits for its end", () =>
  Effect.gen(function* () {
    const memory = yield* Memory
    const written = yield* Deferred.make<void>()
    const decided = yield* Deferred.make<void>()
    const write = memory.write(({ keyIds }) => keyIds.set("hash", "key"))
    const writer = yield* Effect.forkChild(
      memory.atomically(
        write.pipe(Effect.andThen(Deferred.succeed(written, void 0)), Effect.andThen(Deferred.await(decided)))
      )
    )
    yield* Deferred.await(written)
    const reader = yield* Effect.forkChild(memory.read(({ keyIds }) => keyIds.get("hash")))
    yield* Effect.yieldNow
    assert.isUndefined(reader.pollUnsafe())
    yield* Deferred.succeed(decided, void 0)
    assert.strictEqual(yield* Fiber.join(reader), "key")
    yield* Fiber.join(writer)
  }).pipe(Effect.provide(layer))
)

it.effect("a reader that gives up waiting takes nobody's turn", () =>
  Effect.gen(function* () {
    const memory = yield* Memory
    const decided = yield* Deferred.make<void>()
    const writer = yield* Effect.forkChild(memory.atomically(Deferred.await(decided)))
    yield* Effect.yieldNow
    const reader = yield* Effect.forkChild(memory.read(({ keyIds }) => keyIds.get("hash")))
    yield* Effect.yieldNow
    yield* Fiber.interrupt(reader)
    yield* Deferred.succeed(decided, void 0)
    yield* Fiber.join(writer)
    assert.isUndefined(yield* memory.read(({ keyIds }) => keyIds.get("hash")))
  }).pipe(Effect.provide(layer))
)

it.effect("a transaction that has ended writes nothing any more", () =>
  Effect.gen(function* () {
    const memory = yield* Memory
    const tx = yield* memory.atomically(Tx)
    const late = memory.write(({ keyIds }) => keyIds.set("hash", "key")).pipe(Effect.provideService(Tx, tx))
    assert.strictEqual((yield* Effect.exit(late))._tag, "Failure")
    assert.isUndefined(yield* memory.read(({ keyIds }) => keyIds.get("hash")))
  }).pipe(Effect.provide(layer))
)
