import { assert, it } from "@effect/vitest"
import { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { freshId, givenKey, givenWorkspace, hashOf, NOON, SUITE } from "./fixtures.js"

const WRITERS = 10

/** What every store of keys guarantees. */
export const keysContract = <E>(
  name: string,
  adapter: Layer.Layer<KeyStore | UnitOfWork | WorkspaceStore, E>
): void => {
  it.layer(adapter, SUITE)(`keys (${name})`, (it) => {
    it.effect("a key comes back as it was stored, every member of it", () =>
      Effect.gen(function* () {
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const { key } = yield* givenKey(workspaceId, {
          name: "Ünïcode ‘key’",
          state: "paused",
          pausedAtMillis: NOON + 123,
          scopes: ["data:read", "trail:read"],
          capabilitiesOff: ["previews", "keywords"],
          autonomousExternalActions: false,
          monthlySpendCap: credits("0.000001"),
          premiumAllowance: credits("12.5"),
          ratePerMinute: 7,
          runRequired: true
        })
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(key.keyId)), key)
      })
    )

    it.effect("a key without a cap is one with none, not one with a cap of zero", () =>
      Effect.gen(function* () {
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const open = yield* givenKey(workspaceId, { monthlySpendCap: null })
        const shut = yield* givenKey(workspaceId, { monthlySpendCap: credits("0") })
        const caps = yield* Effect.forEach([open, shut], ({ key }) => store.get(key.keyId))
        assert.deepStrictEqual(
          caps.map((key) => Option.getOrThrow(key).monthlySpendCap),
          [null, credits("0")]
        )
      })
    )

    it.effect("a change stands as a whole, and an unknown key is none", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const { key } = yield* givenKey(workspaceId)
        const changed = {
          ...key,
          state: "revoked",
          scopes: [],
          monthlySpendCap: credits("3"),
          ratePerMinute: 1
        } as const
        yield* atomically(store.update(changed))
        assert.deepStrictEqual(Option.getOrNull(yield* store.get(key.keyId)), changed)
        assert.isTrue(Option.isNone(yield* store.get(freshId())))
        assert.isTrue(Option.isNone(yield* atomically(store.lock(freshId()))))
      })
    )

    it.effect("a workspace lists its own keys and no others", () =>
      Effect.gen(function* () {
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const second = yield* givenKey(workspaceId, { createdAtMillis: NOON + 1, state: "revoked" })
        const first = yield* givenKey(workspaceId, { createdAtMillis: NOON })
        yield* givenKey(other.workspaceId)
        assert.deepStrictEqual(yield* store.list(workspaceId), [first.key, second.key])
        assert.deepStrictEqual(yield* store.list(freshId()), [])
      })
    )

    it.effect("what changes is one key: those beside it keep their caps, and their state", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const changed = yield* givenKey(workspaceId)
        const beside = yield* givenKey(workspaceId, {
          createdAtMillis: NOON + 1,
          name: "Beside",
          monthlySpendCap: credits("5"),
          dailySpendCap: credits("1")
        })
        const revoked = { ...changed.key, name: "Old", state: "revoked", dailySpendCap: credits("2") } as const
        yield* atomically(store.update(revoked))
        assert.deepStrictEqual(yield* store.list(workspaceId), [revoked, beside.key])
      })
    )

    it.effect("the hash of a key's secret is that key's, and only its own workspace learns it", () =>
      Effect.gen(function* () {
        const store = yield* KeyStore
        const [here, there] = [yield* givenWorkspace(), yield* givenWorkspace()]
        const [ours, second] = [yield* givenKey(here.workspaceId), yield* givenKey(here.workspaceId)]
        const theirs = yield* givenKey(there.workspaceId)
        const hash = (workspaceId: string, { key }: typeof ours) =>
          Effect.map(store.hashOf(workspaceId, key.keyId), Option.getOrNull)
        assert.strictEqual(yield* hash(here.workspaceId, ours), ours.keyHash)
        assert.strictEqual(yield* hash(here.workspaceId, second), second.keyHash)
        assert.isNull(yield* hash(here.workspaceId, theirs))
      })
    )

    it.effect("one secret is of one key alone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const { key } = yield* givenKey(workspaceId)
        const taken = hashOf(`the secret of ${key.keyId}`)
        const exit = yield* Effect.exit(atomically(store.insert({ ...key, keyId: freshId() }, taken)))
        assert.strictEqual(exit._tag, "Failure")
        assert.lengthOf(yield* store.list(workspaceId), 1)
      })
    )

    it.effect("who holds the lock decides on what the one before has written", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* KeyStore
        const { workspaceId } = yield* givenWorkspace()
        const { key } = yield* givenKey(workspaceId, { ratePerMinute: 1 })
        const raise = atomically(
          Effect.gen(function* () {
            const locked = Option.getOrThrow(yield* store.lock(key.keyId))
            yield* Effect.yieldNow
            yield* store.update({ ...locked, ratePerMinute: locked.ratePerMinute + 1 })
          })
        )
        yield* Effect.replicateEffect(raise, WRITERS, { concurrency: "unbounded", discard: true })
        assert.strictEqual(Option.getOrThrow(yield* store.get(key.keyId)).ratePerMinute, 1 + WRITERS)
      })
    )
  })
}
