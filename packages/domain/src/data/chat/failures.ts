import { Effect } from "effect"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ChatModel } from "../../sources/ports/ChatUpstream.js"
import { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"

const RETRY_AFTER_SECONDS_MAX = 3_600

const BROKE_OFF =
  "The upstream broke off. Only what was delivered is charged; see GET /v1/requests/:id. You can repeat the call with the same Idempotency-Key."

/** The operator's task, so waiting doesn't help the caller. */
const MISCONFIGURED = refuse("tool_unavailable", {
  tool: "llm_chat",
  reason: "the model's provider refuses this service. Its operator must correct that"
})

/** The caller's error for an upstream's failure. */
export const refusalOf = (failure: ProviderFailure, delivered: "nothing" | "partly" = "nothing"): AnyWireError => {
  if (failure.reason === "invalid" && delivered === "nothing") {
    return invalid([{ path: "", message: failure.said ?? "was refused by the model's provider" }])
  }
  if (failure.reason === "account" && delivered === "nothing") return MISCONFIGURED
  const wait = Math.ceil(Math.min(failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT, RETRY_AFTER_SECONDS_MAX))
  const details = { retry_after_seconds: Math.max(1, wait) }
  return delivered === "nothing"
    ? refuse("provider_unavailable", details)
    : refuse("provider_unavailable", details, BROKE_OFF)
}

export const failed = (model: ChatModel, cause: string): ProviderFailure =>
  new ProviderFailure({ provider: model.upstream.name, reason: "transient", cause })

/** A refusal of the service itself is an error of its configuration. Never logs what the upstream said. */
export const logFailure = ({ provider, reason, status }: ProviderFailure) =>
  (reason === "account"
    ? Effect.logError("an upstream refuses the service: check its base_url, key and credit, and the model's name there")
    : Effect.logWarning("provider failed")
  ).pipe(Effect.annotateLogs({ provider, reason, ...(status === undefined ? {} : { status }) }))
