import type { Effect } from "effect"
import type { JsonObject } from "../../kernel/canonical.js"
import type { NowOrLater } from "../../kernel/NowOrLater.js"
import type { ProviderFailure } from "./Source.js"
import type { TokenEstimator } from "./TokenEstimator.js"

/** A call as sent to the upstream. */
export interface ChatCall {
  /** The upstream's name for it. */
  readonly model: string
  /**
   * The caller's fields that may reach it, unknown ones included, without `model` and `stream`. `max_tokens` is the output
   * limit, whatever the upstream calls it.
   */
  readonly fields: JsonObject
}

/** A stream that has begun. */
export interface ChatStream {
  /** The JSON texts of the chunks that came first. */
  readonly first: readonly [string, ...ReadonlyArray<string>]
  /**
   * Hands over the texts of all further chunks as they come, as many at once as there are, and never ahead of the reader.
   * The last one holds the usage. `take` says whether it wants more, later while it has no room. True: the stream has
   * ended; false: `take` wanted no more. Ask once.
   */
  readonly rest: (
    take: (texts: ReadonlyArray<string>) => NowOrLater<boolean>
  ) => Effect.Effect<boolean, ProviderFailure>
}

/**
 * Completes chats in the third-party wire form. A request ends by its `signal` alone, not by interruption, so that it needs
 * no fiber of its own: once it is aborted, the request ends upstream, and what waits for it fails at once.
 */
export interface ChatUpstream {
  readonly name: string
  /** The upstream's completion, unchanged. */
  readonly complete: (call: ChatCall, signal: AbortSignal) => Effect.Effect<JsonObject, ProviderFailure>
  /**
   * Ends once the first chunk has come; a failure before proves that nothing was delivered. A stream that ends in order
   * without its end mark fails as `unmarked`, because only the chunks tell whether it was complete. Abort one that isn't
   * read to its end. `heard` is told of every sign that the upstream lives, of those too that are no events.
   */
  readonly stream: (
    call: ChatCall,
    signal: AbortSignal,
    heard?: () => void
  ) => Effect.Effect<ChatStream, ProviderFailure>
}

export const CHAT_TIERS = ["large", "small", "mini"] as const

/** What a token costs (contract: credits, prices). */
export type ChatTier = (typeof CHAT_TIERS)[number]

/** An upstream that serves a model. */
export interface ChatTarget {
  readonly upstream: ChatUpstream
  readonly upstreamModel: string
  /** The names of the fields that reach it; null: all but those that are withheld (see `passedFields`). */
  readonly fields: ReadonlySet<string> | null
  /** Lower ones are asked first. */
  readonly order: number
  /** Its share of the calls among those of the same order: at least 1. */
  readonly weight: number
  /** How long it may take for a whole completion, or for the first chunk of a stream; null: as long as any may. */
  readonly secondsMax: number | null
}

/** A model on the allowlist. */
export interface ChatModel {
  /** The callers' name for it. */
  readonly model: string
  readonly tier: ChatTier
  /** The upstreams that serve it. Callers see the first as its owner. */
  readonly targets: readonly [ChatTarget, ...ReadonlyArray<ChatTarget>]
  readonly tokens: TokenEstimator
  /** The most tokens of prompt and completion together; null: not configured. Callers see it; we don't enforce it. */
  readonly contextLength: number | null
}
