import { Context, type Effect, type Scope } from "effect"

/** Work that one host of all does: pollers, sweepers. */
export class Singletons extends Context.Tag("@outbound/domain/kernel/ports/Singletons")<
  Singletons,
  {
    /**
     * Offers the work until the scope closes. At most one host runs it at a time while the engine's locks hold; a host
     * that lost its locks is interrupted, but may overlap with the next for a moment, so the work guards its own writes.
     * It moves when its host goes away, and runs again, after a pause, when it fails or dies. Work that returns is not
     * run again by that host. Each name is offered once per host.
     */
    readonly run: <E>(name: string, effect: Effect.Effect<void, E>) => Effect.Effect<void, never, Scope.Scope>
  }
>() {}
