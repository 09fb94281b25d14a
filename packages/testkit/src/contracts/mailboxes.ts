import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { type WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"
import { makeMailbox } from "./outboundFixtures.js"

/** What every store of mailboxes guarantees. */
export const mailboxesContract = <E>(
  name: string,
  adapter: Layer.Layer<SendingStore | UnitOfWork | WorkspaceStore, E>
): void => {
  it.layer(adapter, SUITE)(`mailboxes (${name})`, (it) => {
    it.effect("mailboxes come back as they were stored, by address, and change together", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const sending = yield* SendingStore
        const { workspaceId } = yield* givenWorkspace()
        const operationId = freshId()
        const ordered = {
          operationId,
          state: "provisioning",
          activeAtMillis: null,
          upkeepPaidUntilMillis: null
        } as const
        const b = makeMailbox({ workspaceId, ...ordered, address: "b@two.test", domain: "two.test" })
        const a = makeMailbox({ workspaceId, ...ordered, address: "a@one.test", domain: "one.test" })
        yield* atomically(sending.insertMailboxes([b, a]))
        assert.deepStrictEqual(yield* atomically(sending.lockMailboxesOfOperation(workspaceId, operationId)), [a, b])
        assert.isEmpty(yield* sending.activeMailboxes(workspaceId))
        const alive = { ...a, state: "active", activeAtMillis: NOON, upkeepPaidUntilMillis: NOON + 30 * DAY } as const
        yield* atomically(sending.updateMailboxes([alive, { ...b, state: "failed" }]))
        assert.deepStrictEqual(yield* sending.activeMailboxes(workspaceId), [alive])
        assert.deepStrictEqual(Option.getOrNull(yield* sending.mailbox(workspaceId, b.mailboxId)), {
          ...b,
          state: "failed"
        })
        assert.isTrue(Option.isNone(yield* sending.mailbox(freshId(), b.mailboxId)))
        assert.sameMembers([...(yield* sending.domains(workspaceId))], ["one.test", "two.test"])
        const due = (nowMillis: number) =>
          Effect.map(atomically(sending.lockUpkeepDue(nowMillis, 1_000, null)), (mailboxes) =>
            mailboxes.filter((mailbox) => mailbox.workspaceId === workspaceId)
          )
        assert.isEmpty(yield* due(NOON + 30 * DAY - 1))
        assert.deepStrictEqual(yield* due(NOON + 30 * DAY), [alive])
        const after = yield* atomically(sending.lockUpkeepDue(NOON + 30 * DAY, 1_000, alive))
        assert.isFalse(after.some((mailbox) => mailbox.mailboxId <= alive.mailboxId))
      })
    )
  })
}
