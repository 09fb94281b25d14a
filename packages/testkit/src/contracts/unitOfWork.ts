import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { type Workspace, WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { credits, format } from "@outbound/domain/kernel/money/Credits.js"
import { Cause, Deferred, Effect, Exit, Fiber, type Layer, Option } from "effect"
import { freshId, givenWorkspace, NOON, SUITE } from "./fixtures.js"

const WRITERS = 30
const TURNS = 50

/** What every unit of work guarantees: all writes of a body stand, or none. */
export const unitOfWorkContract = <E>(
  name: string,
  adapter: Layer.Layer<UnitOfWork | WorkspaceStore | CreditStore, E>
): void => {
  const balanceOf = (workspaceId: string) =>
    Effect.gen(function* () {
      const store = yield* CreditStore
      return format((yield* store.balance(workspaceId)).balance)
    })

  const add = (workspace: Workspace, amount: string, entryId = freshId()) =>
    Effect.flatMap(CreditStore, (store) =>
      store.add({
        entryId,
        workspaceId: workspace.workspaceId,
        kind: "grant",
        amount: credits(amount),
        countsAsPaymentMethod: false,
        requestId: null,
        atMillis: NOON
      })
    )

  it.layer(adapter, SUITE)(`unit of work (${name})`, (it) => {
    it.effect("the writes of a body that succeeds stand, and its value is answered", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        const value = yield* atomically(Effect.as(Effect.andThen(add(workspace, "2"), add(workspace, "3")), "done"))
        assert.strictEqual(value, "done")
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "5")
      })
    )

    it.effect("a typed failure takes every write back and comes out as it was", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        const refused = yield* Effect.flip(
          atomically(Effect.andThen(add(workspace, "2"), Effect.fail("refused" as const)))
        )
        assert.strictEqual(refused, "refused")
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "0")
      })
    )

    it.effect("a defect takes every write back and stays a defect", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        const exit = yield* Effect.exit(
          atomically(Effect.andThen(add(workspace, "2"), Effect.die(new Error("a mistake"))))
        )
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "0")
      })
    )

    it.effect("an interruption takes every write back", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        const written = yield* Deferred.make<void>()
        const fiber = yield* Effect.forkChild(
          atomically(
            add(workspace, "2").pipe(Effect.andThen(Deferred.succeed(written, void 0)), Effect.andThen(Effect.never))
          )
        )
        yield* Deferred.await(written)
        yield* Fiber.interrupt(fiber)
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "0")
      })
    )

    it.effect("an inner body that fails is taken back alone, when the outer one goes on", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        yield* atomically(
          Effect.gen(function* () {
            yield* add(workspace, "1")
            yield* Effect.result(atomically(Effect.andThen(add(workspace, "10"), Effect.fail("refused"))))
            yield* atomically(add(workspace, "100"))
          })
        )
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "101")
      })
    )

    it.effect("an outer body that fails takes back what inner ones had done", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        const inner = atomically(atomically(add(workspace, "10")))
        yield* Effect.result(atomically(Effect.andThen(inner, Effect.fail("refused"))))
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "0")
      })
    )

    it.effect("a body sees what it has written itself", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        const seen = yield* atomically(Effect.andThen(add(workspace, "2"), balanceOf(workspace.workspaceId)))
        assert.strictEqual(seen, "2")
      })
    )

    it.effect("nobody else sees a write before its commit", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspaces = yield* WorkspaceStore
        const workspace = yield* givenWorkspace()
        const other: Workspace = { ...workspace, workspaceId: freshId() }
        const written = yield* Deferred.make<void>()
        const decided = yield* Deferred.make<void>()
        const writer = yield* Effect.forkChild(
          Effect.result(
            atomically(
              Effect.gen(function* () {
                yield* workspaces.insert(other)
                yield* add(workspace, "2")
                yield* Deferred.succeed(written, void 0)
                yield* Deferred.await(decided)
                return yield* Effect.fail("refused")
              })
            )
          )
        )
        yield* Deferred.await(written)
        // A store may let these wait for the writer's end, or answer from before it began.
        const readers = yield* Effect.forkChild(
          Effect.all([workspaces.get(other.workspaceId), balanceOf(workspace.workspaceId)], {
            concurrency: "unbounded"
          })
        )
        // Time enough for a store that answers at once.
        yield* Effect.repeat(Effect.yieldNow, { times: TURNS })
        yield* Deferred.succeed(decided, void 0)
        const [found, balance] = yield* Fiber.join(readers)
        yield* Fiber.join(writer)
        assert.isTrue(Option.isNone(found))
        assert.strictEqual(balance, "0")
      })
    )

    it.effect("concurrent writers of one row lose nothing", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const workspace = yield* givenWorkspace()
        yield* Effect.forEach(
          Array.from({ length: WRITERS }, (_, i) => i),
          (i) =>
            Effect.result(
              atomically(
                add(workspace, "1").pipe(
                  Effect.andThen(Effect.yieldNow),
                  Effect.andThen(i % 3 === 0 ? Effect.fail("no") : Effect.void)
                )
              )
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(yield* balanceOf(workspace.workspaceId), "20")
      })
    )
  })
}
