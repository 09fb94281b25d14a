import { assert, it } from "@effect/vitest"
import { ApprovalStore } from "@outbound/domain/calls/approvals/ApprovalStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { AttentionStore } from "@outbound/domain/control/attention/AttentionStore.js"
import type { Item, Plan } from "@outbound/domain/control/attention/plan.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenKey, givenWorkspace, hashOf, HOUR, MINUTE, NOON, SUITE } from "../contracts/fixtures.js"
import { makeApproval } from "../contracts/outboundFixtures.js"

const ITEMS: ReadonlyArray<Item> = [
  { kind: "random", shownId: freshId() },
  { kind: "planted", fault: "entity", variable: "first_name", text: "O&amp;#39;N\u00fc", borrowed: freshId() },
  { kind: "risky", shownId: freshId() }
]

/** What every store of what approvers look at guarantees. */
export const attentionStoreContract = <E>(
  name: string,
  adapter: Layer.Layer<ApprovalStore | AttentionStore | KeyStore | UnitOfWork | UserStore | WorkspaceStore, E>
): void => {
  const user = (workspaceId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const users = yield* UserStore
      const userId = freshId()
      const email = `approver-${userId}@x.test`
      const made = { userId, email, workspaceId, role: "member", atMillis: NOON } as const
      return yield* atomically(users.ensureMember(made))
    })

  const asked = (workspaceId: string, state: "approved" | "pending" = "pending") =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const approvals = yield* ApprovalStore
      const { key } = yield* givenKey(workspaceId)
      const approval = makeApproval({
        workspaceId,
        keyId: key.keyId,
        state,
        tokenHash: hashOf(freshId()),
        expiresAtMillis: NOON + HOUR
      })
      yield* atomically(approvals.insert(approval))
      return approval.approvalId
    })

  const planOf = (given: Pick<Plan, "approvalId" | "userId" | "workspaceId"> & Partial<Plan>): Plan => ({
    snapshotDigest: "digest",
    seed: "seed",
    people: 2_000,
    items: ITEMS,
    drawnAtMillis: NOON,
    ...given
  })

  it.layer(adapter, SUITE)(`what approvers look at (${name})`, (it) => {
    it.effect("a plan is drawn once for each person and request, and what is said of it last counts", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* AttentionStore
        const { workspaceId } = yield* givenWorkspace()
        const [ada, bob] = [yield* user(workspaceId), yield* user(workspaceId)]
        const approvalId = yield* asked(workspaceId)
        const plan = planOf({ workspaceId, approvalId, userId: ada.userId })
        assert.isTrue(Option.isNone(yield* store.find(workspaceId, approvalId, ada.userId)))
        yield* atomically(store.keep(plan))
        yield* atomically(store.keep({ ...plan, seed: "another", items: [] }))
        yield* atomically(store.keep({ ...plan, userId: bob.userId, seed: "bob", drawnAtMillis: NOON + 1 }))
        const says = (position: number, isWrong: boolean, atMillis: number) =>
          atomically(store.say(plan, { position, isWrong, atMillis }))
        yield* says(2, true, NOON + 10)
        yield* says(0, true, NOON + 20)
        yield* says(0, false, NOON + 30)
        const looks = [
          { position: 0, isWrong: false, atMillis: NOON + 30 },
          { position: 2, isWrong: true, atMillis: NOON + 10 }
        ]
        assert.deepStrictEqual(Option.getOrNull(yield* store.find(workspaceId, approvalId, ada.userId)), {
          plan,
          looks
        })
        const all = yield* store.ofApproval(workspaceId, approvalId)
        assert.deepStrictEqual(
          all.map((one) => [one.email, one.plan.seed, one.looks.length]),
          [
            [ada.email, "seed", 2],
            [bob.email, "bob", 0]
          ]
        )
        const other = yield* givenWorkspace()
        assert.deepStrictEqual(yield* store.ofApproval(other.workspaceId, approvalId), [])
        assert.isTrue(Option.isNone(yield* store.find(other.workspaceId, approvalId, ada.userId)))
      })
    )

    it.effect("the latest plans of requests that are decided come newest first, and no others", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* AttentionStore
        const { workspaceId } = yield* givenWorkspace()
        const { userId } = yield* user(workspaceId)
        for (const [index, state] of (["approved", "pending", "approved", "approved"] as const).entries()) {
          const approvalId = yield* asked(workspaceId, state)
          const seed = `seed ${index}`
          yield* atomically(
            store.keep(planOf({ workspaceId, approvalId, userId, seed, drawnAtMillis: NOON + index * MINUTE }))
          )
        }
        const seeds = (limit: number) =>
          Effect.map(store.latest(workspaceId, limit), (found) => found.map(({ plan }) => plan.seed))
        assert.deepStrictEqual(yield* seeds(10), ["seed 3", "seed 2", "seed 0"])
        assert.deepStrictEqual(yield* seeds(2), ["seed 3", "seed 2"])
        const other = yield* givenWorkspace()
        assert.deepStrictEqual(yield* store.latest(other.workspaceId, 10), [])
      })
    )
  })
}
