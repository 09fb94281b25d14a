import type { Effect, Stream } from "effect"
import type { JsonObject } from "../../kernel/canonical.js"
import type { ProviderFailure } from "./ProviderFailure.js"
import type { TokenEstimator } from "./TokenEstimator.js"

/** A call as the upstream gets it. */
export interface ChatCall {
  /** As the upstream names it. */
  readonly model: string
  /** The caller's fields, those that nobody here knows included, without `model` and `stream`. */
  readonly fields: JsonObject
}

/** Something that completes chats in the third-party wire form. Interrupting either call aborts it there. */
export interface ChatUpstream {
  readonly name: string
  /** The completion as the upstream worded it. */
  readonly complete: (call: ChatCall) => Effect.Effect<JsonObject, ProviderFailure>
  /**
   * The JSON texts of its chunks, each when it comes and none ahead of who reads them; asked for its usage, which it
   * sends in its last chunk. A failure before the first chunk means that nothing was delivered.
   */
  readonly stream: (call: ChatCall) => Stream.Stream<string, ProviderFailure>
}

export const CHAT_TIERS = ["large", "small", "mini"] as const

/** What a token costs (contract: credits, prices). */
export type ChatTier = (typeof CHAT_TIERS)[number]

/** A model on the allowlist. */
export interface ChatModel {
  /** As callers name it. */
  readonly model: string
  readonly tier: ChatTier
  readonly upstream: ChatUpstream
  readonly upstreamModel: string
  readonly tokens: TokenEstimator
}
