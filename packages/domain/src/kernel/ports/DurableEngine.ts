import { Context, type Effect } from "effect"
import type { StoreUnavailable } from "./UnitOfWork.js"

export interface OperationRef {
  readonly workspaceId: string
  readonly operationId: string
}

/** The outcome of a step: the operation has ended, or wants another step after `millis`. */
export type Advance = { readonly _tag: "Done" } | { readonly _tag: "Wait"; readonly millis: number }

/**
 * The steps of operations, implemented by the domain. A step may run more than once and on any host (engines are
 * at-least-once), so the operation's rows make it idempotent.
 */
export class OperationSteps extends Context.Tag("@outbound/domain/kernel/ports/DurableEngine/OperationSteps")<
  OperationSteps,
  { readonly advance: (operation: OperationRef) => Effect.Effect<Advance, StoreUnavailable> }
>() {}

/**
 * Runs operations to their end, across restarts and hosts. Operation rows are its outbox: the code that commits one may
 * `wake` it, and a singleton starts the rest.
 */
export class DurableEngine extends Context.Tag("@outbound/domain/kernel/ports/DurableEngine")<
  DurableEngine,
  {
    /** Starts the operation and returns at once. Starting it again changes nothing. */
    readonly start: (operation: OperationRef) => Effect.Effect<void, StoreUnavailable>
  }
>() {}
