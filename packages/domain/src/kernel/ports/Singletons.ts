import { Context, type Effect, type Scope } from "effect"

/** Work that a single host does for all: pollers, sweepers. */
export class Singletons extends Context.Tag("@outbound/domain/kernel/ports/Singletons")<
  Singletons,
  {
    /**
     * Offers the work until the scope closes. At most one host runs it while the engine's locks hold. A host that loses
     * its locks is interrupted, but may briefly overlap with the next one, so the work guards its own writes. The work
     * moves when its host goes away, and restarts after a pause when it fails or dies. A host doesn't restart work that
     * returned. A host offers each name once.
     */
    readonly run: <E>(name: string, effect: Effect.Effect<void, E>) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}
