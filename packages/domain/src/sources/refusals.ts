import { refuse, type WireError } from "../kernel/errors/Wire.js"
import type { ProviderFailure } from "./ports/ProviderFailure.js"

/** When a caller may try again where no provider said for how long to leave it alone. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5

/** The longest wait that is passed on to a caller. */
const RETRY_AFTER_SECONDS_MAX = 3600

/** What a call is told that no source could serve. Every verb that asks sources lists these. */
export const SOURCE_ERRORS = ["provider_unavailable", "tool_unavailable", "own_key_failed", "tool_key_invalid"] as const

export type SourceError = {
  readonly [C in (typeof SOURCE_ERRORS)[number]]: WireError<C>
}[(typeof SOURCE_ERRORS)[number]]

export type OwnKeyError = WireError<"own_key_failed"> | WireError<"tool_key_invalid">

/** Whose source was not asked for want of a credential: the service has none with its vendor, nor has the workspace. */
export const isUnconfigured = ({ concluded, reason }: ProviderFailure): boolean =>
  reason === "account" && concluded === "skipped"

/** What is told of a workspace's own credential that was at fault; null where none was. */
export const ownKeyError = (failures: ReadonlyArray<ProviderFailure>): OwnKeyError | null => {
  const failure = failures.find(({ ownKey }) => ownKey !== undefined)
  if (failure === undefined) return null
  const { ownKey, provider } = failure
  return ownKey === "refused" ? refuse("own_key_failed", { provider }) : refuse("tool_key_invalid", { provider })
}

/** When the source is back that is back first: in whole seconds, at least one. */
const secondsUntilFirst = (failures: ReadonlyArray<ProviderFailure>): number => {
  const waits = failures.map((failure) => failure.retryAfterSeconds ?? RETRY_AFTER_SECONDS_DEFAULT)
  return Math.max(1, Math.ceil(Math.min(...waits, RETRY_AFTER_SECONDS_MAX)))
}

/** The failure of all, told as that of the source that is back first. */
export const unavailable = (failures: ReadonlyArray<ProviderFailure>): WireError<"provider_unavailable"> =>
  refuse("provider_unavailable", { retry_after_seconds: secondsUntilFirst(failures) })

/** Nobody has a credential for any source of the tool: waiting does not help. */
export const unconfigured = (tool: string): WireError<"tool_unavailable"> =>
  refuse("tool_unavailable", { tool, reason: "no provider is configured for this workspace" })

/**
 * What the failures of all sources come to. An own credential goes before everything else, as the workspace alone can
 * mend it; sources that nobody has a credential for count as not configured.
 */
export const refusalOf = (failures: ReadonlyArray<ProviderFailure>, tool: string): SourceError => {
  const own = ownKeyError(failures)
  if (own !== null) return own
  const configured = failures.filter((failure) => !isUnconfigured(failure))
  return configured.length === 0 && failures.length > 0 ? unconfigured(tool) : unavailable(configured)
}

/**
 * What a call of several parts fails with where no part was answered, and the workspace alone, or the operator, can mend
 * that. Null: each part is told for itself.
 */
export const refusalOfParts = (refusals: ReadonlyArray<SourceError>, parts: number): SourceError | null => {
  if (parts === 0 || refusals.length < parts) return null
  const own = refusals.find(({ code }) => code === "own_key_failed" || code === "tool_key_invalid")
  if (own !== undefined) return own
  return refusals.every(({ code }) => code === "tool_unavailable") ? (refusals[0] ?? null) : null
}
