import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./UnitOfWork.js"

export interface OperationRef {
  readonly workspaceId: string
  readonly operationId: string
}

/** What a step of an operation found: it has ended, or wants to be asked again after so long. */
export type Advance = { readonly _tag: "Done" } | { readonly _tag: "Wait"; readonly millis: number }

/**
 * The work itself, given by the domain. A step may run more than once and on any host (engines are at-least-once),
 * so it is idempotent by the operation's own rows.
 */
export class OperationSteps extends Context.Tag("@outbound/domain/kernel/ports/DurableEngine/OperationSteps")<
  OperationSteps,
  { readonly advance: (operation: OperationRef) => Effect.Effect<Advance, StoreUnavailable> }
>() {}

/**
 * Runs operations to their end, over restarts and on any host. Operation rows are its outbox: whoever commits one may
 * `wake` it, and a singleton starts every one that nobody did.
 */
export class DurableEngine extends Context.Tag("@outbound/domain/kernel/ports/DurableEngine")<
  DurableEngine,
  {
    /** Starts the operation, once however often it is asked, and returns at once. */
    readonly start: (operation: OperationRef) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
