import { assert, it } from "@effect/vitest"
import { type OwnKey, OwnKeyStore } from "@outbound/domain/sources/ownKeys/OwnKeyStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import { givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"

/** What every store of workspaces' own credentials guarantees. */
export const ownKeysContract = <E>(
  name: string,
  adapter: Layer.Layer<OwnKeyStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const keyOf = (workspaceId: string, vendor: string, given: Partial<OwnKey> = {}): OwnKey => ({
    workspaceId,
    vendor,
    sealedSecret: "v1.aaaa.bbbb.cccc",
    last4: "wxyz",
    addedBy: "owner@corp.example",
    addedAtMillis: NOON,
    refusedAtMillis: null,
    ...given
  })

  const put = (key: OwnKey) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      yield* atomically((yield* OwnKeyStore).put(key))
      return key
    })

  it.layer(adapter, SUITE)(`own keys (${name})`, (it) => {
    it.effect(
      "a workspace has one credential with a vendor, in the place of the one before, by the vendor's name",
      () =>
        Effect.gen(function* () {
          const store = yield* OwnKeyStore
          const { workspaceId } = yield* givenWorkspace({ kind: "live" })
          const other = yield* givenWorkspace({ kind: "live" })
          const second = yield* put(keyOf(workspaceId, "prospero"))
          yield* put(keyOf(workspaceId, "apollonia", { refusedAtMillis: NOON }))
          const first = yield* put(
            keyOf(workspaceId, "apollonia", { sealedSecret: "v1.d.e.f", last4: "0001", addedAtMillis: NOON + MINUTE })
          )
          const theirs = yield* put(keyOf(other.workspaceId, "apollonia"))
          assert.deepStrictEqual(yield* store.list(workspaceId), [first, second])
          assert.deepStrictEqual(yield* store.list(other.workspaceId), [theirs])
        })
    )

    it.effect("a credential is removed once, and of its own workspace alone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnKeyStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const other = yield* givenWorkspace({ kind: "live" })
        yield* put(keyOf(workspaceId, "apollonia"))
        assert.isFalse(yield* atomically(store.remove(other.workspaceId, "apollonia")))
        assert.isFalse(yield* atomically(store.remove(workspaceId, "prospero")))
        assert.isTrue(yield* atomically(store.remove(workspaceId, "apollonia")))
        assert.isFalse(yield* atomically(store.remove(workspaceId, "apollonia")))
        assert.deepStrictEqual(yield* store.list(workspaceId), [])
      })
    )

    it.effect("a refusal is noted of the credential that was refused, and not of one that was brought since", () =>
      Effect.gen(function* () {
        const store = yield* OwnKeyStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const key = yield* put(keyOf(workspaceId, "apollonia"))
        yield* store.refused(workspaceId, "prospero", NOON + MINUTE)
        yield* store.refused(workspaceId, "apollonia", NOON - 1)
        assert.deepStrictEqual(yield* store.list(workspaceId), [key])
        yield* store.refused(workspaceId, "apollonia", NOON + MINUTE)
        assert.deepStrictEqual(yield* store.list(workspaceId), [{ ...key, refusedAtMillis: NOON + MINUTE }])
        // One that was taken before it was refused says nothing of it.
        yield* store.accepted(workspaceId, "apollonia", NOON)
        yield* store.accepted(workspaceId, "prospero", NOON + MINUTE)
        assert.deepStrictEqual(yield* store.list(workspaceId), [{ ...key, refusedAtMillis: NOON + MINUTE }])
        yield* store.accepted(workspaceId, "apollonia", NOON + MINUTE)
        assert.deepStrictEqual(yield* store.list(workspaceId), [key])
      })
    )

    it.effect("what is put in a transaction that fails is not there", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OwnKeyStore
        const { workspaceId } = yield* givenWorkspace({ kind: "live" })
        const failing = Effect.andThen(store.put(keyOf(workspaceId, "apollonia")), Effect.fail("no"))
        assert.strictEqual(yield* Effect.flip(atomically(failing)), "no")
        assert.deepStrictEqual(yield* store.list(workspaceId), [])
      })
    )
  })
}
