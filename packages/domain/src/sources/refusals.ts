import { refuse, type WireError } from "../kernel/errors/Wire.js"
import type { ProviderFailure } from "./ports/Source.js"

/** The retry advice if no provider named a time. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5

/** The longest retry advice to a caller. */
const RETRY_AFTER_SECONDS_MAX = 3600

/** The errors of a call that no source could serve. Every verb that asks sources lists these. */
export const SOURCE_ERRORS = ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"] as const

export type SourceError = {
  readonly [C in (typeof SOURCE_ERRORS)[number]]: WireError<C>
}[(typeof SOURCE_ERRORS)[number]]

export type OwnKeyError = WireError<"own_key_failed"> | WireError<"tool_key_invalid">

/** Whether a source was not asked because neither service nor workspace has a credential. */
export const isUnconfigured = ({ concluded, reason }: ProviderFailure): boolean =>
  reason === "account" && concluded === "skipped"

/** The error for a faulty own credential; null if none was at fault. */
export const ownKeyError = (failures: ReadonlyArray<ProviderFailure>): OwnKeyError | null => {
  const failure = failures.find(({ ownKey }) => ownKey !== undefined)
  if (failure === undefined) return null
  const { ownKey, provider } = failure
  return ownKey === "refused" ? refuse("own_key_failed", { provider }) : refuse("tool_key_invalid", { provider })
}

/** The seconds until the first source is back, at least one. */
const secondsUntilFirst = (failures: ReadonlyArray<ProviderFailure>): number => {
  const waits = failures.map((failure) => failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT)
  return Math.max(1, Math.ceil(Math.min(...waits, RETRY_AFTER_SECONDS_MAX)))
}

/** One error for all failures: that of the first source to be back. */
export const unavailable = (failures: ReadonlyArray<ProviderFailure>): WireError<"provider_unavailable"> =>
  refuse("provider_unavailable", { retry_after_seconds: secondsUntilFirst(failures) })

/** No credential for any source of the tool, so waiting doesn't help. */
export const unconfigured = (tool: string): WireError<"tool_unavailable"> =>
  refuse("tool_unavailable", { tool, reason: "no provider is configured for this workspace" })

/**
 * One error for the failures of all sources. A faulty own credential comes first, because only the workspace can fix
 * it. Sources without any credential count as unconfigured.
 */
export const refusalOf = (failures: ReadonlyArray<ProviderFailure>, tool: string): SourceError => {
  const own = ownKeyError(failures)
  if (own !== null) return own
  const configured = failures.filter((failure) => !isUnconfigured(failure))
  return configured.length === 0 && failures.length > 0 ? unconfigured(tool) : unavailable(configured)
}

/**
 * The error of a call with several parts, if no part was answered and only the workspace or the operator can fix that.
 * Null: each part reports its own.
 */
export const refusalOfParts = (refusals: ReadonlyArray<SourceError>, parts: number): SourceError | null => {
  if (parts === 0 || refusals.length < parts) return null
  const own = refusals.find(({ code }) => code === "own_key_failed" || code === "tool_key_invalid")
  if (own !== undefined) return own
  return refusals.every(({ code }) => code === "tool_unavailable") ? (refusals[0] ?? null) : null
}
