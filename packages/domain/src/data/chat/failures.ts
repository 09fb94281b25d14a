import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import { RETRY_AFTER_SECONDS_DEFAULT } from "../../sources/refusals.js"

const RETRY_AFTER_SECONDS_MAX = 3_600

const BROKE_OFF =
  "The upstream broke off. What was delivered is charged, see GET /v1/requests/:id; the same Idempotency-Key runs again."

/** What a caller is told of an upstream's failure. `partly`: something had been delivered already. */
export const refusalOf = (failure: ProviderFailure, delivered: "nothing" | "partly" = "nothing"): AnyWireError => {
  if (failure.reason === "invalid" && delivered === "nothing") {
    return invalid([{ path: "", message: failure.said ?? "is refused by the model's provider" }])
  }
  const wait = Math.ceil(Math.min(failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT, RETRY_AFTER_SECONDS_MAX))
  const details = { retry_after_seconds: Math.max(1, wait) }
  return delivered === "nothing"
    ? refuse("provider_unavailable", details)
    : refuse("provider_unavailable", details, BROKE_OFF)
}
