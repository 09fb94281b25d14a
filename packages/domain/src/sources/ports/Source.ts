import { Data } from "effect"

/**
 * Why a provider gave no answer, classified by its adapter. "No match" is not a failure but an answer.
 *
 * - `invalid`: the provider refuses this request; asking again can't help.
 * - `rate_limited`: asked too often; `retryAfterSeconds` is the pause it wants.
 * - `account`: our account there is out of credit, unpaid or not entitled.
 * - `transient`: unreachable, or failed before it acted; nothing happened there.
 * - `unknown_outcome`: it may have acted. Only for calls that buy, send, change something, or are charged each time.
 * Never repeated; purchases and messages are looked up once.
 */
export type ProviderFailureReason = "invalid" | "rate_limited" | "account" | "transient" | "unknown_outcome"

export class ProviderFailure extends Data.TaggedError("ProviderFailure")<{
  readonly provider: string
  readonly reason: ProviderFailureReason
  readonly retryAfterSeconds?: number
  /** The status of its answer over HTTP. */
  readonly status?: number
  /** The provider's complaint about the request, fit to show the caller. Only with `invalid`. */
  readonly said?: string
  /**
   * Our own conclusion, without a word from the provider. `skipped`: not asked, since it is to be left alone.
   * `timed_out`: we stopped waiting. `incredible`: its answer makes no sense. `pending`: it is working, and the answer
   * comes after the call. `not_allowed`: it is at an address that we may not connect to. `unmarked`: its stream ended in
   * order, without the mark of an end. `unreadable`: what it should have read of one company can't be read, which says
   * nothing about the source.
   */
  readonly concluded?: "skipped" | "timed_out" | "incredible" | "pending" | "not_allowed" | "unmarked" | "unreadable"
  /** With `skipped`: the reason of the failure after which it is left alone. */
  readonly leftAfter?: ProviderFailureReason
  /**
   * The workspace's own credential was at fault: `refused` by the vendor, or `unusable` as stored. Says nothing about
   * the vendor for others.
   */
  readonly ownKey?: "refused" | "unusable"
  readonly cause?: unknown
}> {}

/** How to order the sources of a question. */
export const ROUTES = ["balanced", "cheapest", "broadest", "fastest"] as const
export type Route = (typeof ROUTES)[number]

/** What a source declares of itself, to order the sources. Lower is better for all three numbers. */
export interface Source {
  /** Stable name, in `snake_case`. */
  readonly name: string
  /** The cost of one answer to us, in micro-dollars. */
  readonly costMicros: number
  /** The share of requests without a result, 0 to 1. */
  readonly missRate: number
  /** Its usual latency in milliseconds. */
  readonly latencyMillis: number
}
