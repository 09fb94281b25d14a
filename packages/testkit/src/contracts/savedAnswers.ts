import { assert, it } from "@effect/vitest"
import { type SavedAnswer, SavedAnswerStore } from "@outbound/domain/outreach/replies/SavedAnswerStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer } from "effect"
import { freshId, givenWorkspace, MINUTE, NOON, SUITE } from "./fixtures.js"

/** What every store of saved answers guarantees. */
export const savedAnswersContract = <E>(
  name: string,
  adapter: Layer.Layer<SavedAnswerStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const put = (workspaceId: string, title: string, given: Partial<SavedAnswer> = {}) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const answer: SavedAnswer = {
        workspaceId,
        savedAnswerId: freshId(),
        title,
        body: "Hi {{first_name|there}},\n\nit costs nothing.",
        savedBy: "owner@corp.example",
        savedAtMillis: NOON,
        ...given
      }
      yield* atomically((yield* SavedAnswerStore).put(answer))
      return answer
    })

  it.layer(adapter, SUITE)(`saved answers (${name})`, (it) => {
    it.effect("are listed by title, each in the place of what had its id, and to their own workspace alone", () =>
      Effect.gen(function* () {
        const store = yield* SavedAnswerStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const price = yield* put(workspaceId, "Price")
        const meeting = yield* put(workspaceId, "A meeting")
        const theirs = yield* put(other.workspaceId, "Price", { savedAnswerId: price.savedAnswerId })
        const changed = {
          title: "Terms",
          body: "Other words",
          savedBy: "jo@corp.example",
          savedAtMillis: NOON + MINUTE
        }
        const terms = yield* put(workspaceId, "Terms", { savedAnswerId: price.savedAnswerId, ...changed })
        assert.deepStrictEqual(yield* store.list(workspaceId), [meeting, terms])
        assert.deepStrictEqual(yield* store.list(other.workspaceId), [theirs])
      })
    )

    it.effect("one is removed once, and of its own workspace alone", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SavedAnswerStore
        const { workspaceId } = yield* givenWorkspace()
        const other = yield* givenWorkspace()
        const { savedAnswerId } = yield* put(workspaceId, "Price")
        const stays = yield* put(workspaceId, "Terms")
        assert.isFalse(yield* atomically(store.remove(other.workspaceId, savedAnswerId)))
        assert.isTrue(yield* atomically(store.remove(workspaceId, savedAnswerId)))
        assert.isFalse(yield* atomically(store.remove(workspaceId, savedAnswerId)))
        assert.deepStrictEqual(yield* store.list(workspaceId), [stays])
      })
    )

    it.effect("what is put in a transaction that fails is not there", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* SavedAnswerStore
        const { workspaceId } = yield* givenWorkspace()
        const price = yield* put(workspaceId, "Price")
        const failing = Effect.andThen(store.put({ ...price, body: "Never" }), Effect.fail("no"))
        assert.strictEqual(yield* Effect.flip(atomically(failing)), "no")
        assert.deepStrictEqual(yield* store.list(workspaceId), [price])
      })
    )
  })
}
