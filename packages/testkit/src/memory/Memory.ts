import { Tx } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Context, Deferred, Effect, Exit, Layer, Option, Semaphore } from "effect"
import { UndoLog } from "./Table.js"
import { makeTables, type Tables } from "./Tables.js"

/**
 * The one store beneath every in-memory adapter. One transaction runs at a time; a read outside of one waits
 * its turn, so that nobody sees what may yet be taken back.
 */
export class Memory extends Context.Service<
  Memory,
  {
    /** Reads what is committed, or in a transaction also what that has written. */
    readonly read: <A>(read: (tables: Tables) => A) => Effect.Effect<A>
    readonly write: <A>(write: (tables: Tables) => A) => Effect.Effect<A, never, Tx>
    /** As `UnitOfWork` has it. */
    readonly atomically: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Tx>>
    /** Ends with the next commit of anybody. To be taken before the read whose change is waited for. */
    readonly nextCommit: Effect.Effect<Effect.Effect<void>>
  }
>()("@outbound/testkit/memory/Memory") {}

const make = Effect.gen(function* () {
  const log = new UndoLog()
  const tables = makeTables(log)
  const lock = yield* Semaphore.make(1)
  const open = new Set<Tx["Service"]>()
  let commit = Deferred.makeUnsafe<void>()

  const committed = (): void => {
    log.forget()
    Deferred.doneUnsafe(commit, Exit.void)
    commit = Deferred.makeUnsafe<void>()
  }

  const transaction = <A, E, R>(depth: number, effect: Effect.Effect<A, E, R>) =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const before = log.length
        const tx = { depth }
        open.add(tx)
        return restore(Effect.provideService(effect, Tx, tx)).pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              open.delete(tx)
              if (Exit.isFailure(exit)) log.undoTo(before)
              else if (depth === 0) committed()
            })
          )
        )
      })
    )

  const outer = Effect.map(
    Effect.serviceOption(Tx),
    Option.filter((tx) => open.has(tx))
  )

  return Memory.of({
    read: (read) =>
      Effect.flatMap(outer, (tx) => {
        const reading = Effect.sync(() => read(tables))
        return Option.isSome(tx) ? reading : lock.withPermits(1)(reading)
      }),
    write: (write) =>
      Effect.flatMap(Tx, (tx) =>
        open.has(tx)
          ? Effect.sync(() => write(tables))
          : Effect.die(new Error("a write came after its transaction's end"))
      ),
    atomically: (effect) =>
      Effect.flatMap(outer, (tx) =>
        Option.isSome(tx) ? transaction(tx.value.depth + 1, effect) : lock.withPermits(1)(transaction(0, effect))
      ),
    nextCommit: Effect.sync(() => Deferred.await(commit))
  })
})

export const layer: Layer.Layer<Memory> = Layer.effect(Memory, make)
