import { Context, type Effect } from "effect"
import type { Credits } from "../money/Credits.js"
import type { StoreUnavailable, Tx } from "../ports/UnitOfWork.js"

/** One agent's piece of work with a budget of its own (completions.md §9). */
export interface Run {
  readonly runId: string
  readonly workspaceId: string
  readonly name: string
  readonly budget: Credits
  readonly expiresAtMillis: number
  readonly createdAtMillis: number
}

export class RunStore extends Context.Tag("@outbound/domain/runs/RunStore")<
  RunStore,
  { readonly insert: (run: Run) => Effect.Effect<void, StoreUnavailable, Tx> }
>() {}
