import { assert, it } from "@effect/vitest"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { ConsoleReads, EVERY_ENTRY } from "@outbound/domain/control/console/ConsoleReads.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import { DAY, freshId, givenWorkspace, grant, idAt, NOON, SUITE } from "./fixtures.js"
import { MIDNIGHT } from "./outboundFixtures.js"

/** What the pages about credits read of the ledger. */
export const consoleLedgerContract = <E>(
  name: string,
  adapter: Layer.Layer<ConsoleReads | CreditStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const reads = ConsoleReads

  it.layer(adapter, SUITE)(`the ledger (${name})`, (it) => {
    it.effect(
      "the entries of a call are told of together, a refund that comes weeks later too, and no other call's",
      () =>
        Effect.gen(function* () {
          const read = yield* reads
          const { atomically } = yield* UnitOfWork
          const store = yield* CreditStore
          const { workspaceId } = yield* givenWorkspace()
          const [call, beside] = [idAt(NOON), idAt(NOON)]
          const refund = { workspaceId, kind: "refund" as const, countsAsPaymentMethod: false }
          for (const [requestId, days, amount] of [
            [call, 0, "1"],
            [beside, 0, "2"],
            [call, 30, "4"],
            [null, 30, "8"]
          ] as const) {
            const atMillis = NOON + days * DAY
            const entryId = idAt(atMillis)
            yield* atomically(store.add({ ...refund, entryId, requestId, amount: credits(amount), atMillis }))
          }
          const entries = yield* read.ledger(workspaceId, { ...EVERY_ENTRY, requestId: call }, null, 10)
          assert.deepStrictEqual(
            entries.map(({ atMillis, micros }) => [atMillis, micros]),
            [
              [NOON + 30 * DAY, 4_000_000n],
              [NOON, 1_000_000n]
            ]
          )
        })
    )

    it.effect("the ledger runs from the newest entry, and upkeep is used on its day", () =>
      Effect.gen(function* () {
        const read = yield* reads
        const { atomically } = yield* UnitOfWork
        const store = yield* CreditStore
        const { workspaceId } = yield* givenWorkspace()
        yield* grant(workspaceId, "900")
        const upkeep = { workspaceId, kind: "upkeep" as const, amount: credits("750"), atMillis: NOON + DAY }
        yield* atomically(store.take({ ...upkeep, entryId: freshId() }))
        const [newest] = yield* read.ledger(workspaceId, EVERY_ENTRY, null, 1)
        assert.deepInclude(newest, { kind: "upkeep", micros: -750_000_000n, verb: null, atMillis: NOON + DAY })
        const rest = yield* read.ledger(workspaceId, EVERY_ENTRY, { entryId: newest!.entryId, kind: newest!.kind }, 10)
        assert.deepStrictEqual(
          rest.map(({ kind, micros }) => [kind, micros]),
          [["grant", 900_000_000n]]
        )
        const days = yield* read.usageByDay(workspaceId, MIDNIGHT)
        assert.deepStrictEqual(days, [{ dayMillis: MIDNIGHT + DAY, calls: 1, charged: credits("750") }])
        assert.deepStrictEqual(yield* read.usageByDay(workspaceId, MIDNIGHT + 2 * DAY), [])
      })
    )
  })
}
