import { Data } from "effect"

/**
 * Why the engine does not start. `message` is for the operator.
 *
 * - `pooled_transactions`: the database is behind a pooler that does not keep one session per connection.
 * - `runners_out_of_reach`: live hosts on another machine and this one cannot both reach each other's runner.
 * - `address_in_use`: something else listens at the runner's address.
 * - `store_unavailable`: the database could not be reached, or refused.
 */
export class EngineError extends Data.TaggedError("EngineError")<{
  readonly reason: "pooled_transactions" | "runners_out_of_reach" | "address_in_use" | "store_unavailable"
  readonly message: string
  readonly cause?: unknown
}> {}

export const storeUnavailable = (cause: unknown): EngineError =>
  new EngineError({ reason: "store_unavailable", message: "The engine could not use the database.", cause })
