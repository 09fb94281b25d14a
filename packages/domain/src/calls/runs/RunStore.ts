import { Context, type Option } from "effect"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

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

export class RunStore extends Context.Service<
  RunStore,
  {
    readonly insert: (run: Run) => InTx<void>
    /** Newest first, at most `limit`. */
    readonly list: (workspaceId: string, limit: number) => FromStore<ReadonlyArray<RunStanding>>
    /** Locks the run, so that a concurrent admission decides entirely before or after its end. */
    readonly lock: (workspaceId: string, runId: string) => InTx<Option.Option<RunStanding>>
    /** From then on no call may name the run. Running calls finish normally. */
    readonly close: (workspaceId: string, runId: string, atMillis: number) => InTx<void>
  }
>()("@outbound/domain/calls/runs/RunStore") {}
