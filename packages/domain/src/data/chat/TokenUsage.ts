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

/** Where upstreams count thinking: among the details of a completion, or in the report itself. */
const thoughtIn = (usage: JsonObject): number => {
  const details = [usage["completion_tokens_details"], usage["output_tokens_details"], usage]
  const counts = details.map((one) => (isObject(one) ? one["reasoning_tokens"] : undefined))
  return Math.max(0, ...counts.filter(isCount))
}

/** Some upstreams count thinking beside the completion. It can't be within a smaller number. */
const thoughtBeside = (completion: number, usage: JsonObject): number => {
  const reasoning = thoughtIn(usage)
  return reasoning > completion ? reasoning : 0
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
 * count thinking in the total alone. One that is missing is filled in.
 */
export const usageOf = (json: JsonObject): TokenUsage | null => {
  const usage = reportIn(json)
  if (!isObject(usage)) return null
  const { completion_tokens: completion, prompt_tokens: prompt, total_tokens: total } = usage
  if (!isCount(prompt) || !isCount(completion)) return null
  const sum = prompt + completion + thoughtBeside(completion, usage)
  return isCount(total)
    ? { promptTokens: prompt, totalTokens: Math.max(total, sum), wire: usage }
    : { promptTokens: prompt, totalTokens: sum, wire: { ...usage, total_tokens: sum } }
}

/** Whether it can be the count of an answer: who wrote something used more than the prompt. */
export const isCredible = ({ promptTokens, totalTokens }: TokenUsage, hasWritten: boolean): boolean =>
  !hasWritten || totalTokens > promptTokens
