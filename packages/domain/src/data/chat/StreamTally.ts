import type { JsonObject } from "../../kernel/canonical.js"
import { mapNow, type NowOrLater } from "../../kernel/NowOrLater.js"
import type { TokenEstimator } from "../../sources/ports/TokenEstimator.js"
import {
  type ChatChunk,
  choiceIndex,
  choicesIn,
  isFinished,
  type TokenUsage,
  usageOfCounts,
  writtenOf
} from "./wire.js"

export const NO_USAGE = usageOfCounts(0, 0)

/** Counts what was delivered of a stream, chunk by chunk. */
export class StreamTally {
  readonly #written: Array<string> = []
  #reported: TokenUsage | null = null
  #latest: JsonObject | null = null
  /** The choices that began, and whether each has its `finish_reason`. */
  readonly #choices = new Map<number, boolean>()
  #isWhole = false

  /** `choices`: how many were asked for. */
  constructor(private readonly choices: number) {}

  /** The newest chunk; null if there is none. */
  get latest(): JsonObject | null {
    return this.#latest
  }

  /**
   * Whether everything arrived: each choice's `finish_reason`, then the usage (contract: chat, streams). What follows
   * matters to nobody. A usage that comes earlier isn't final.
   */
  get isWhole(): boolean {
    return this.#isWhole
  }

  add(chunk: ChatChunk): void {
    const { isReport, json, usage } = chunk
    this.#latest = json
    this.#reported = usage ?? this.#reported
    const written = writtenOf(json)
    if (written !== "") this.#written.push(written)
    for (const choice of choicesIn(json)) {
      const index = choiceIndex(choice)
      this.#choices.set(index, isFinished(choice) || this.#choices.get(index) === true)
    }
    if (usage !== null) this.#isWhole = this.#areFinished(isReport)
  }

  /** An upstream that ignores `n` sends fewer choices. Its usage chunk, without any, shows that no more come. */
  #areFinished(isReport: boolean): boolean {
    const enough = isReport ? 1 : this.choices
    return this.#choices.size >= enough && [...this.#choices.values()].every((hasFinished) => hasFinished)
  }

  /**
   * The upstream's count, if the stream completed and reported one. Else our count of what was delivered, since some
   * upstreams report early and too little. Zero if nothing was delivered.
   */
  usage(promptCounted: number, tokens: TokenEstimator, hasEnded: boolean): NowOrLater<TokenUsage> {
    const reported = this.#reported
    if ((hasEnded || this.#isWhole) && reported !== null) return reported
    if (this.#latest === null) return NO_USAGE
    return mapNow(tokens.count([this.#written.join("")]), (written) =>
      usageOfCounts(reported?.promptTokens ?? promptCounted, Math.max(written, reported?.completionTokens ?? 0))
    )
  }
}
