import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import { StoreUnavailable, UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SuppressionStore } from "@outbound/domain/outreach/suppression/SuppressionStore.js"
import { Effect } from "effect"
import { admitted, anAttempt, answer, givenCaller, moneyOf, settlementOf } from "../../src/contracts/calls.js"
import { addressHashOf, freshId, givenWorkspace, grant, NOON } from "../../src/contracts/fixtures.js"
import { layer } from "../../src/memory/layer.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"

const check = Effect.flatMap(SuppressionStore, (store) =>
  store.check({
    workspaceId: freshId(),
    people: [{ addressHash: "a", email: "a@example.com" }],
    campaignId: freshId(),
    contactedSinceMillis: NOON,
    mayWait: false
  })
)

it.effect("an operation fails as often as it was asked to, says which it was, and then works again", () =>
  Effect.gen(function* () {
    const faults = yield* MemoryFaults
    yield* faults.failNext("SuppressionStore.check", 2)
    for (let i = 0; i < 2; i++) {
      const error = yield* Effect.flip(check)
      assert.instanceOf(error, StoreUnavailable)
      assert.strictEqual(error.operation, "SuppressionStore.check")
    }
    assert.strictEqual((yield* check).size, 0)
  }).pipe(Effect.provide(layer))
)

it.effect("what fails has done nothing, and what it was part of is rolled back", () =>
  Effect.gen(function* () {
    const faults = yield* MemoryFaults
    const { atomically } = yield* UnitOfWork
    const suppressions = yield* SuppressionStore
    const { workspaceId } = yield* givenWorkspace()
    yield* faults.failNext("SuppressionStore.add", 1)
    const suppression = { workspaceId, addressHash: addressHashOf(workspaceId, "a"), source: "reply" as const }
    const both = Effect.andThen(grant(workspaceId, "5"), suppressions.add({ ...suppression, atMillis: NOON }))
    yield* Effect.flip(atomically(both))
    assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "0", reserved: "0" })
    yield* atomically(both)
    assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "5", reserved: "0" })
  }).pipe(Effect.provide(layer))
)

it.effect("the journal may be made to fail too, and leaves no trace of it", () =>
  Effect.gen(function* () {
    const faults = yield* MemoryFaults
    const journal = yield* CallJournal
    const { keyHash, workspaceId } = yield* givenCaller("5")
    yield* faults.failNext("CallJournal.admit", 1)
    assert.instanceOf(yield* Effect.flip(answer(anAttempt(keyHash))), StoreUnavailable)
    assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "5", reserved: "0" })
    const call = yield* admitted(anAttempt(keyHash))
    yield* faults.failNext("CallJournal.settle", 1)
    yield* Effect.flip(journal.settle(settlementOf(call)))
    assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "5", reserved: "1" })
    assert.strictEqual((yield* journal.settle(settlementOf(call)))._tag, "Settled")
    yield* faults.failNext("CallJournal.sweep", 1)
    yield* Effect.flip(journal.sweep)
    assert.strictEqual(yield* journal.sweep, 0)
  }).pipe(Effect.provide(layer))
)

it.effect("each build is a world of its own", () =>
  Effect.gen(function* () {
    const { workspaceId } = yield* Effect.provide(givenWorkspace(), layer)
    const exit = yield* Effect.exit(Effect.provide(moneyOf(workspaceId), layer))
    assert.strictEqual(exit._tag, "Failure")
  })
)
