import { Context, type Effect, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** One agent's task with its own budget (contract: credits, runs). */
export interface Run {
  readonly runId: string
  readonly workspaceId: string
  readonly name: string
  readonly budget: Credits
  readonly expiresAtMillis: number
  readonly createdAtMillis: number
}

/** A run and its usage. */
export interface RunStanding {
  readonly run: Run
  /** Charges and open reservations. */
  readonly spent: Credits
  readonly closedAtMillis: number | null
}

export class RunStore extends Context.Tag("@outbound/domain/calls/runs/RunStore")<
  RunStore,
  {
    readonly insert: (run: Run) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Newest first, at most `limit`. */
    readonly list: (workspaceId: string, limit: number) => Effect.Effect<ReadonlyArray<RunStanding>, StoreUnavailable>
    /** Locks the run, so that a concurrent admission decides entirely before or after its end. */
    readonly lock: (
      workspaceId: string,
      runId: string
    ) => Effect.Effect<Option.Option<RunStanding>, StoreUnavailable, Tx>
    /** From then on no call may name the run. Running calls finish normally. */
    readonly close: (workspaceId: string, runId: string, atMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
  }
>() {}
