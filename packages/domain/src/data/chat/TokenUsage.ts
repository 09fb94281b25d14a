import { isObject, listOf } from "./json.js"
import type { Json, JsonObject } from "../../kernel/canonical.js"

/** Token counts, the upstream's or ours. */
export interface TokenUsage {
  readonly promptTokens: number
  /** All that was used, thinking included: what is charged. */
  readonly totalTokens: number
  /** In the wire form. */
  readonly wire: JsonObject
}

export const usageOfCounts = (promptTokens: number, completionTokens: number): TokenUsage => {
  const totalTokens = promptTokens + completionTokens
  return {
    promptTokens,
    totalTokens,
    wire: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens }
  }
}

export const NO_USAGE = usageOfCounts(0, 0)

/** A larger count is implausible. */
const TOKENS_MAX = 1_000_000_000

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= TOKENS_MAX

/** A count, which some write under the names of newer interfaces; null without one. */
const countIn = (usage: JsonObject, ...names: ReadonlyArray<string>): number | null => {
  const counts = names.map((name) => usage[name]).filter(isCount)
  return counts.length === 0 ? null : Math.max(...counts)
}

const isLeftOut = (usage: JsonObject, ...names: ReadonlyArray<string>): boolean =>
  names.every((name) => usage[name] === undefined || usage[name] === null)

const countsWithin = (usage: JsonObject, details: ReadonlyArray<string>, ...names: ReadonlyArray<string>): number =>
  Math.max(
    0,
    ...[usage, ...details.map((name) => usage[name]).filter(isObject)].map((one) => countIn(one, ...names) ?? 0)
  )

/** Some upstreams count thinking beside the completion, and cached tokens beside the prompt. They can't be within a smaller number. */
const beside = (within: number, part: number): number => (part > within ? part : 0)

/** Thinking, which stands among the details of a completion, or in the report itself. */
const thoughtIn = (usage: JsonObject): number =>
  countsWithin(usage, ["completion_tokens_details", "output_tokens_details"], "reasoning_tokens")

/** What of a prompt was read from a cache, and written to one as Anthropic counts it. */
const cachedIn = (usage: JsonObject): number => {
  const own = (countIn(usage, "cache_read_input_tokens") ?? 0) + (countIn(usage, "cache_creation_input_tokens") ?? 0)
  return Math.max(own, countsWithin(usage, ["prompt_tokens_details", "input_tokens_details"], "cached_tokens"))
}

/** Where a report stands: Moonshot puts it within the only choice, and Groq within its own member. */
const reportIn = ({ choices, usage, x_groq: own }: JsonObject): Json | undefined => {
  if (isObject(usage)) return usage
  if (isObject(own) && isObject(own["usage"])) return own["usage"]
  const [only, ...others] = listOf(choices)
  return isObject(only) && others.length === 0 ? only["usage"] : undefined
}

/**
 * The reported usage of a completion or chunk; null without a usable count. Its total is the upstream's own, since some
 * count thinking in the total alone. Of prompt, completion and total one that is missing is filled in: some leave out zeros.
 */
export const usageOf = (json: JsonObject): TokenUsage | null => {
  const usage = reportIn(json)
  if (!isObject(usage)) return null
  const given = countIn(usage, "total_tokens")
  const rest = (of: number | null): number | null => (given === null || of === null || of > given ? null : given - of)
  const [inputs, outputs] = [
    ["prompt_tokens", "input_tokens"] as const,
    ["completion_tokens", "output_tokens"] as const
  ]
  const named = countIn(usage, ...inputs)
  const completion = isLeftOut(usage, ...outputs) ? rest(named) : countIn(usage, ...outputs)
  const prompt = isLeftOut(usage, ...inputs) ? (rest(completion) ?? 0) : named
  if (completion === null || prompt === null) return null
  const promptTokens = prompt + beside(prompt, cachedIn(usage))
  const sum = promptTokens + completion + beside(completion, thoughtIn(usage))
  const isWhole = [usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]].every(isCount)
  const total = given ?? sum
  return {
    promptTokens,
    totalTokens: Math.max(total, sum),
    wire: isWhole ? usage : { ...usage, prompt_tokens: prompt, completion_tokens: completion, total_tokens: total }
  }
}

/** Whether it can be the count of an answer: who wrote something used more than the prompt. */
export const isCredible = ({ promptTokens, totalTokens }: TokenUsage, hasWritten: boolean): boolean =>
  !hasWritten || totalTokens > promptTokens

/** With this prompt, where the report counts none: some upstreams leave out a prompt that they had cached. */
export const withPrompt = (usage: TokenUsage, promptTokens: number): TokenUsage => {
  if (usage.promptTokens > 0 || usage.totalTokens === 0) return usage
  const completion = countIn(usage.wire, "completion_tokens") ?? 0
  const total = Math.max(usage.totalTokens, completion + promptTokens)
  return {
    promptTokens,
    totalTokens: total,
    wire: { ...usage.wire, prompt_tokens: promptTokens, total_tokens: total }
  }
}
