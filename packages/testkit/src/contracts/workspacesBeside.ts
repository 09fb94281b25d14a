import { assert, it } from "@effect/vitest"
import { type Run, RunStore } from "@outbound/domain/calls/runs/RunStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { type ChangeRequest, ChangeRequestStore } from "@outbound/domain/control/ChangeRequestStore.js"
import { policyOf } from "@outbound/domain/control/PolicyChange.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { RuleStore } from "@outbound/domain/kernel/workspaces/RuleStore.js"
import { DEFAULT_RULES } from "@outbound/domain/kernel/workspaces/WorkspaceRules.js"
import { DEFAULT_CAPS, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, givenKey, givenWorkspace, HOUR, NOON, SUITE } from "./fixtures.js"

type Stores = ChangeRequestStore | KeyStore | RuleStore | RunStore | UnitOfWork | UserStore | WorkspaceStore

/** What is set in one workspace, of one run or of one key, is not set beside it. */
export const workspacesBesideContract = <E>(name: string, adapter: Layer.Layer<Stores, E>): void => {
  const within = <A, E2, R>(write: Effect.Effect<A, E2, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  const two = Effect.map(Effect.all([givenWorkspace(), givenWorkspace()]), ([here, there]) => ({
    here: here.workspaceId,
    there: there.workspaceId,
    workspace: here,
    other: there
  }))

  it.layer(adapter, SUITE)(`workspaces side by side (${name})`, (it) => {
    it.effect("caps, address and switches are those of one workspace", () =>
      Effect.gen(function* () {
        const store = yield* WorkspaceStore
        const { here, other, there, workspace } = yield* two
        const changed = { ...workspace, postalAddress: "2 Side Street", caps: { ...DEFAULT_CAPS, dailySends: 3 } }
        yield* within(store.update(changed))
        yield* within(store.setOverlap(here, "queue"))
        const was = yield* store.replySend(there)
        yield* within(store.setReplySend(here, !was))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(here)), changed)
        assert.deepStrictEqual(Option.getOrNull(yield* within(store.lock(here))), changed)
        assert.deepStrictEqual([yield* store.overlap(here), yield* store.replySend(here)], ["queue", !was])
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(there)), other)
        assert.deepStrictEqual([yield* store.overlap(there), yield* store.replySend(there)], ["refuse", was])
      })
    )

    it.effect("sending is stopped in one workspace, and goes on there once it is set so", () =>
      Effect.gen(function* () {
        const store = yield* WorkspaceStore
        const { here, there } = yield* two
        const stopped = { suspendedAtMillis: NOON, suspendedReason: "killed" }
        const free = { suspendedAtMillis: null, suspendedReason: null }
        yield* within(store.setSending(here, stopped))
        assert.deepStrictEqual({ ...(yield* within(store.lockSending(here))) }, stopped)
        assert.deepStrictEqual({ ...(yield* within(store.lockSending(there))) }, free)
        yield* within(store.setSending(here, free))
        assert.deepStrictEqual({ ...(yield* store.sending(here)) }, free)
      })
    )

    it.effect("rules are those that were set last in this workspace, each of them; elsewhere the usual ones hold", () =>
      Effect.gen(function* () {
        const store = yield* RuleStore
        const { here, there } = yield* two
        const strict = {
          authentication: "require",
          unverifiedMaxPercent: 0,
          verificationMaxAgeDays: 1,
          roleAddresses: "leave_out",
          evidence: "require",
          attentionAbove: 0
        } as const
        const later = { ...strict, unverifiedMaxPercent: 12, evidence: "mark", attentionAbove: null } as const
        for (const rules of [strict, later]) {
          yield* within(store.setRules(here, rules))
          assert.deepStrictEqual({ ...(yield* store.rules(here)) }, rules)
        }
        assert.deepStrictEqual({ ...(yield* store.rules(there)) }, DEFAULT_RULES)
      })
    )

    it.effect("a run that is closed ends then, or earlier as it was to, and those beside it go on", () =>
      Effect.gen(function* () {
        const runs = yield* RunStore
        const { here, there } = yield* two
        const run = (workspaceId: string, minute: number, expiresAtMillis = NOON + DAY): Run => ({
          runId: freshId(),
          workspaceId,
          name: `Run ${minute}`,
          budget: credits("5"),
          expiresAtMillis,
          createdAtMillis: NOON + minute
        })
        const [first, second, over] = [run(here, 1), run(here, 2), run(here, 3, NOON + 5)]
        const theirs = run(there, 4)
        for (const one of [second, first, theirs, over]) yield* within(runs.insert(one))
        for (const one of [first, over]) yield* within(runs.close(here, one.runId, NOON + HOUR))
        const standing = (one: Run, closedAtMillis: number | null) => ({ run: one, spent: zero, closedAtMillis })
        const closed = standing({ ...first, expiresAtMillis: NOON + HOUR }, NOON + HOUR)
        assert.deepStrictEqual(yield* runs.list(here, 10), [
          standing(over, NOON + HOUR),
          standing(second, null),
          closed
        ])
        assert.lengthOf(yield* runs.list(here, 2), 2)
        assert.deepStrictEqual(yield* runs.list(there, 10), [standing(theirs, null)])
        assert.deepStrictEqual(Option.getOrNull(yield* within(runs.lock(here, first.runId))), closed)
        assert.isTrue(Option.isNone(yield* within(runs.lock(there, first.runId))))
      })
    )

    it.effect("what a key asked for is decided by itself, and is its key's and its workspace's", () =>
      Effect.gen(function* () {
        const store = yield* ChangeRequestStore
        const users = yield* UserStore
        const { here, there } = yield* two
        const [asking, asked] = [yield* givenKey(here, { name: "Asking" }), yield* givenKey(here, { name: "Asked" })]
        const theirs = yield* givenKey(there)
        const request = (workspaceId: string, keyId: string, requestedByKeyId = keyId): ChangeRequest => ({
          changeRequestId: freshId(),
          workspaceId,
          keyId,
          requestedByKeyId,
          change: { dailySpendCap: null, runRequired: false },
          before: policyOf({ ...asked.key, dailySpendCap: credits("1") }),
          state: "open",
          requestId: freshId(),
          createdAtMillis: NOON,
          decidedAtMillis: null,
          decidedByUserId: null
        })
        const first = request(here, asked.key.keyId, asking.key.keyId)
        const second = request(here, asked.key.keyId, asking.key.keyId)
        const ofOther = request(here, asking.key.keyId)
        const elsewhere = request(there, theirs.key.keyId)
        for (const one of [first, second, ofOther, elsewhere]) yield* within(store.insert(one))
        const open = store.openOfKey(here, asked.key.keyId)
        assert.deepStrictEqual(yield* open, [first, second])
        const email = `${freshId()}@owner.test`
        const { userId } = yield* within(
          users.ensureMember({ userId: freshId(), email, workspaceId: here, role: "owner", atMillis: NOON })
        )
        const decided = { ...first, state: "declined", decidedAtMillis: NOON + 1, decidedByUserId: userId } as const
        yield* within(store.update(decided))
        assert.deepStrictEqual(yield* open, [second])
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(here, first.changeRequestId)), decided)
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(here, second.changeRequestId)), second)
        assert.isTrue(Option.isNone(yield* store.get(there, first.changeRequestId)))
        assert.deepStrictEqual(yield* store.list(here, "closed", 10), [
          { request: decided, keyName: "Asked", requestedByName: "Asking", decidedByEmail: email }
        ])
        assert.deepStrictEqual(yield* store.list(here, "open", 10), [
          { request: ofOther, keyName: "Asking", requestedByName: "Asking", decidedByEmail: null },
          { request: second, keyName: "Asked", requestedByName: "Asking", decidedByEmail: null }
        ])
        assert.lengthOf(yield* store.list(here, "open", 1), 1)
        assert.deepStrictEqual(
          (yield* store.list(there, "open", 10)).map(({ request: one }) => one),
          [elsewhere]
        )
      })
    )
  })
}
