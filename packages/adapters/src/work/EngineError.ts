import { Data } from "effect"

/**
 * Why long work can't run. `message` is for the operator.
 *
 * - `pooled_transactions`: the database is behind a pooler that does not keep one session per connection.
 * - `store_unavailable`: the database could not be reached, or refused.
 */
export class EngineError extends Data.TaggedError("EngineError")<{
  readonly reason: "pooled_transactions" | "store_unavailable"
  readonly message: string
  readonly cause?: unknown
}> {}

export const storeUnavailable = (cause: unknown): EngineError =>
  new EngineError({ reason: "store_unavailable", message: "The engine could not use the database.", cause })
