import { Data } from "effect"

/**
 * Why a provider gave no answer, classified once, in its adapter. "No match" is not among them: it is an answer.
 *
 * - `invalid`: the provider refuses this very request; asking again cannot help.
 * - `rate_limited`: asked too often; `retryAfterSeconds` says how long it wants to be left alone.
 * - `account`: our account there is out of credit, unpaid or not entitled.
 * - `transient`: it could not be reached, or failed before it did anything; nothing happened there.
 * - `unknown_outcome`: it may have acted. Only for calls that buy, send, change something there, or are charged for each
 *   time; never repeated. What buys or sends is looked up once.
 */
export type ProviderFailureReason = "invalid" | "rate_limited" | "account" | "transient" | "unknown_outcome"

export class ProviderFailure extends Data.TaggedError("ProviderFailure")<{
  readonly provider: string
  readonly reason: ProviderFailureReason
  readonly retryAfterSeconds?: number
  /** What the provider says is wrong with the request, fit for its caller. Only with `invalid`. */
  readonly said?: string
  /**
   * Where the provider said nothing of the kind, what was concluded here: it was not asked, as it is to be left alone; it
   * was not waited for any longer; its answer makes no sense; or it works on it, and the answer comes after the call.
   */
  readonly concluded?: "skipped" | "timed_out" | "incredible" | "pending"
  /**
   * Set where the workspace's own credential was at fault: `refused` by the vendor, or `unusable` as it is stored. It
   * says nothing of the vendor to anybody else.
   */
  readonly ownKey?: "refused" | "unusable"
  readonly cause?: unknown
}> {}
