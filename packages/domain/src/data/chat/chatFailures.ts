import type { ChatTarget } from "../../sources/ports/ChatUpstream.js"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"
import { reasonOf, type UpstreamError } from "./UpstreamError.js"

const RETRY_AFTER_SECONDS_MAX = 3_600

const BROKE_OFF =
  "The upstream broke off. Only what was delivered is charged; see GET /v1/requests/:id. You can repeat the call with the same Idempotency-Key."

/** The operator's task, so waiting doesn't help the caller. */
const MISCONFIGURED = refuse("tool_unavailable", {
  tool: "llm_chat",
  reason: "the model's provider refuses this service. Its operator must correct that"
})

/** Whether the upstream refuses the service, now or before it was left alone for that. */
export const refusesService = ({ leftAfter, reason }: ProviderFailure): boolean => (leftAfter ?? reason) === "account"

export const waitOf = ({ retryAfterSeconds = RETRY_AFTER_SECONDS_DEFAULT }: ProviderFailure): number =>
  Math.max(1, Math.ceil(Math.min(retryAfterSeconds, RETRY_AFTER_SECONDS_MAX)))

/** The caller's error for an upstream's failure. */
export const refusalOf = (failure: ProviderFailure, delivered: "nothing" | "partly" = "nothing"): AnyWireError => {
  const details = { retry_after_seconds: waitOf(failure) }
  if (delivered === "partly") return refuse("provider_unavailable", details, BROKE_OFF)
  if (failure.reason === "invalid") {
    return invalid([{ path: "", message: failure.said ?? "was refused by the model's provider" }])
  }
  return refusesService(failure) ? MISCONFIGURED : refuse("provider_unavailable", details)
}

export const failed = ({ upstream }: ChatTarget, cause: string): ProviderFailure =>
  new ProviderFailure({ provider: upstream.name, reason: "transient", cause })

export const timedOut = ({ upstream }: ChatTarget): ProviderFailure =>
  new ProviderFailure({ provider: upstream.name, reason: "transient", concluded: "timed_out" })

/** The failure of an upstream that told of it inside of a success. */
export const told = ({ upstream }: ChatTarget, error: UpstreamError): ProviderFailure => {
  const reason = reasonOf(error)
  return new ProviderFailure({
    provider: upstream.name,
    reason,
    cause: "an error inside of a success",
    ...(reason === "invalid" && error.said !== null ? { said: error.said } : {}),
    ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds })
  })
}
