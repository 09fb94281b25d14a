import { isObject } from "@outbound/domain/data/chat/json.js"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import type { ChatCall } from "@outbound/domain/sources/ports/ChatUpstream.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { UNKNOWN_FIELD } from "./limitFields.js"

const OPTIONS = "stream_options"

/** Whether these are what we ask for ourselves. Others are the caller's, and so is what an upstream says of them. */
const areOurs = (options: unknown): boolean =>
  !isObject(options) || Object.keys(options).every((name) => name === "include_usage")

/**
 * Which models can be asked for the usage of a stream: settlement needs it, and most know the question. It is learned from a
 * refusal, which costs nothing, and then we count.
 */
export class UsageRequests {
  readonly #refused = new Set<string>()

  constructor(private readonly modelsMax = 1_000) {}

  isKnownBy(model: string): boolean {
    return !this.#refused.has(model)
  }

  /** Whether the model refused the question itself. */
  isRefused({ fields, model }: ChatCall, { reason, said = "" }: ProviderFailure): boolean {
    const isAbout = reason === "invalid" && said.includes(OPTIONS) && UNKNOWN_FIELD.test(said)
    return isAbout && this.isKnownBy(model) && areOurs(fields[OPTIONS])
  }

  learn(model: string): void {
    if (this.#refused.size < this.modelsMax) this.#refused.add(model)
  }
}

/** The body of a stream. */
export const streamed = (body: JsonObject, asksForUsage: boolean): JsonObject => {
  const { [OPTIONS]: options, ...others } = body
  if (!asksForUsage) return { ...others, stream: true }
  return { ...others, stream: true, [OPTIONS]: { ...(isObject(options) ? options : {}), include_usage: true } }
}
