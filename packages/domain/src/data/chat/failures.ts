import { Effect } from "effect"
import { type AnyWireError, invalid, refuse } from "../../kernel/errors/Wire.js"
import type { ChatTarget } from "../../sources/ports/ChatUpstream.js"
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

/** Whether the upstream refuses the service, now or before it was left alone for that. */
const refusesService = ({ leftAfter, reason }: ProviderFailure): boolean => (leftAfter ?? reason) === "account"

const waitOf = ({ retryAfterSeconds = RETRY_AFTER_SECONDS_DEFAULT }: ProviderFailure): number =>
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

/** Of the failures of all upstreams the one that decides: the first that may be back, unless all refuse the service. */
export const decisive = (failures: readonly [ProviderFailure, ...ReadonlyArray<ProviderFailure>]): ProviderFailure => {
  const passing = failures.filter((failure) => !refusesService(failure)).toSorted((a, b) => waitOf(a) - waitOf(b))
  return passing[0] ?? failures[0]
}

export const failed = ({ upstream }: ChatTarget, cause: string): ProviderFailure =>
  new ProviderFailure({ provider: upstream.name, reason: "transient", cause })

export const timedOut = ({ upstream }: ChatTarget): ProviderFailure =>
  new ProviderFailure({ provider: upstream.name, reason: "transient", concluded: "timed_out" })

/** A refusal of the service itself is an error of its configuration. Never logs what the upstream said. */
export const logFailure = ({ concluded, provider, reason, status }: ProviderFailure) => {
  if (concluded === "skipped") return Effect.void
  const logged =
    reason === "account"
      ? Effect.logError(
          "an upstream refuses the service: check its base_url, key and credit, and the model's name there"
        )
      : Effect.logWarning("provider failed")
  return Effect.annotateLogs(logged, { provider, reason, ...(status === undefined ? {} : { status }) })
}
