import type { JsonObject } from "../../kernel/canonical.js"
import { mapNow, type NowOrLater } from "../../kernel/NowOrLater.js"
import type { TokenEstimator } from "../../sources/ports/TokenEstimator.js"
import { NO_USAGE, type TokenUsage, usageOfCounts, withPrompt } from "./TokenUsage.js"
import { addedBy, type ChatChunk, choiceIndex, choicesIn, isFinished } from "./wire.js"

/** More text than this to a reported token is more than was reported: some upstreams count each chunk by itself. */
const CHARS_PER_TOKEN_MAX = 32

/** Counts what was delivered of a stream, chunk by chunk. */
export class StreamTally {
  readonly #written: Array<string> = []
  #chars = 0
  /** The largest prompt that was reported: some upstreams report it at the start alone. */
  #prompt = 0
  #reported: TokenUsage | null = null
  /** Nothing was written after the report. */
  #isFinal = false
  /** A chunk held only the usage: no more choices come. */
  #hasReport = false
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
   * Whether everything arrived: each choice's `finish_reason`, and the usage of all that was written (contract: chat,
   * streams). What follows matters to nobody.
   */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** Whether each choice that began has its end: a stream that stops here in order said all it had to say. */
  get isFinished(): boolean {
    return this.#areFinished(1)
  }

  add(chunk: ChatChunk): void {
    const { isReport, json, usage } = chunk
    this.#latest = json
    const written = addedBy(json)
    if (written !== "") this.#written.push(written)
    this.#chars += written.length
    this.#prompt = Math.max(this.#prompt, usage?.promptTokens ?? 0)
    for (const choice of choicesIn(json)) {
      const index = choiceIndex(choice)
      this.#choices.set(index, isFinished(choice) || this.#choices.get(index) === true)
    }
    // Some upstreams end with a report of nothing after the true one.
    if (usage !== null && (usage.totalTokens > 0 || this.#reported === null)) {
      this.#reported = usage
      this.#isFinal = true
      this.#hasReport ||= isReport
    } else if (written !== "") this.#isFinal = false
    // An upstream that ignores `n` sends fewer choices. Its usage chunk, without any, shows that no more come.
    this.#isWhole = this.#isFinal && this.#areFinished(this.#hasReport ? 1 : this.choices)
  }

  #areFinished(choicesMin: number): boolean {
    if (this.#choices.size < choicesMin) return false
    for (const hasFinished of this.#choices.values()) if (!hasFinished) return false
    return true
  }

  /** Whether a report may hold less than all: one beside several choices may be of one of them. */
  #isDoubtful({ promptTokens, totalTokens }: TokenUsage): boolean {
    const isOfOne = this.#choices.size > 1 && !this.#hasReport
    return isOfOne || this.#chars > CHARS_PER_TOKEN_MAX * (totalTokens - promptTokens)
  }

  /**
   * The upstream's count, if the stream completed and its report came after all that was written. Else our count of what
   * was delivered, since some upstreams report early and too little. Zero if nothing was delivered.
   */
  usage(promptCounted: number, tokens: TokenEstimator, hasEnded: boolean): NowOrLater<TokenUsage> {
    if (this.#latest === null) return NO_USAGE
    const prompt = this.#prompt > 0 ? this.#prompt : promptCounted
    const reported = this.#reported === null ? null : withPrompt(this.#reported, prompt)
    const isUsable = (hasEnded || this.#isWhole) && this.#isFinal && reported !== null
    if (isUsable && !this.#isDoubtful(reported)) return reported
    const used = reported === null ? 0 : reported.totalTokens - reported.promptTokens
    return mapNow(tokens.count([this.#written.join("")]), (written) =>
      isUsable && written <= used ? reported : usageOfCounts(prompt, Math.max(written, used))
    )
  }
}
