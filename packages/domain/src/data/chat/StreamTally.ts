import { Effect } from "effect"
import type { JsonObject } from "../../kernel/canonical.js"
import type { TokenEstimator } from "../../sources/ports/TokenEstimator.js"
import { type ChatChunk, type TokenUsage, usageOfCounts, writtenOf } from "./wire.js"

const NOTHING = usageOfCounts(0, 0)

/** What was delivered of a stream, chunk by chunk, and what it comes to. */
export class StreamTally {
  #written: Array<string> = []
  #reported: TokenUsage | null = null
  #latest: JsonObject | null = null

  /** The newest chunk; null: there was none. */
  get latest(): JsonObject | null {
    return this.#latest
  }

  add({ json, usage }: ChatChunk): void {
    this.#latest = json
    this.#reported = usage ?? this.#reported
    const written = writtenOf(json)
    if (written !== "") this.#written.push(written)
  }

  /**
   * The upstream's own count, where the stream came to its end and had one. Else what was delivered, counted here: some
   * upstreams report early, and too little. Nothing where nothing was.
   */
  usage(promptCounted: number, tokens: TokenEstimator, isWhole: boolean): Effect.Effect<TokenUsage> {
    const reported = this.#reported
    if (isWhole && reported !== null) return Effect.succeed(reported)
    if (this.#latest === null) return Effect.succeed(NOTHING)
    return Effect.map(tokens.count([this.#written.join("")]), (written) =>
      usageOfCounts(reported?.promptTokens ?? promptCounted, Math.max(written, reported?.completionTokens ?? 0))
    )
  }
}
