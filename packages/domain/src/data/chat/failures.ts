import { Effect } from "effect"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ChatModel } from "../../sources/ports/ChatUpstream.js"
import { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"

const RETRY_AFTER_SECONDS_MAX = 3_600

const BROKE_OFF =
  "The upstream broke off. Only what was delivered is charged; see GET /v1/requests/:id. You can repeat the call with the same Idempotency-Key."

/** The caller's error for an upstream's failure. */
export const refusalOf = (failure: ProviderFailure, delivered: "nothing" | "partly" = "nothing"): AnyWireError => {
  if (failure.reason === "invalid" && delivered === "nothing") {
    return invalid([{ path: "", message: failure.said ?? "was refused by the model's provider" }])
  }
  const wait = Math.ceil(Math.min(failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT, RETRY_AFTER_SECONDS_MAX))
  const details = { retry_after_seconds: Math.max(1, wait) }
  return delivered === "nothing"
    ? refuse("provider_unavailable", details)
    : refuse("provider_unavailable", details, BROKE_OFF)
}

export const failed = (model: ChatModel, cause: string): ProviderFailure =>
  new ProviderFailure({ provider: model.upstream.name, reason: "transient", cause })

export const logFailure = (failure: ProviderFailure) =>
  Effect.logWarning("provider failed").pipe(Effect.annotateLogs({ provider: failure.provider, reason: failure.reason }))
