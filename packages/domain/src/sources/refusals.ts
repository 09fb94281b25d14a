import { invalid, refuse, type WireError } from "../kernel/errors/Wire.js"
import type { ProviderFailure } from "./ports/Source.js"

/** The retry advice if no provider named a time. */
export const RETRY_AFTER_SECONDS_DEFAULT = 5

/** The longest retry advice to a caller. */
const RETRY_AFTER_SECONDS_MAX = 3600

/** The errors of a call that no source could serve. Every verb that asks sources lists these; the first is every verb's. */
export const SOURCE_ERRORS = [
  "invalid_request",
  "provider_unavailable",
  "tool_unavailable",
  "own_key_failed",
  "tool_key_invalid"
] as const

/** Refused as to where we asked, or how: what was asked has no part in it. */
const OF_OUR_ASKING: ReadonlyArray<number | undefined> = [404, 405, 410, 415]

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

/** Refused for good: another try can't help. What can't be read of one company may be readable tomorrow. */
const isForGood = ({ concluded, reason }: ProviderFailure): boolean =>
  reason === "invalid" && concluded !== "unreadable"

/** The error of a request that each source refused, in the sources' own words. */
export const refused = (
  failures: ReadonlyArray<ProviderFailure>,
  tool: string
): WireError<"invalid_request"> | WireError<"tool_unavailable"> => {
  const about = failures.filter(({ status }) => !OF_OUR_ASKING.includes(status))
  if (about.length === 0) {
    return refuse("tool_unavailable", {
      tool,
      reason: "its provider does not take this service's requests. Its operator must correct that"
    })
  }
  const words = [...new Set(about.flatMap(({ said }) => (said === undefined || said === "" ? [] : [said])))]
  if (words.length === 0) return invalid([{ path: "", message: "was refused by the source, which did not say why" }])
  return invalid(words.map((said) => ({ path: "", message: `was refused by the source: ${said}` })))
}

/**
 * One error for the failures of all sources. A faulty own credential comes first, because only the workspace can fix
 * it. Sources without any credential count as unconfigured. If a single one may still answer, waiting may help.
 */
export const refusalOf = (failures: ReadonlyArray<ProviderFailure>, tool: string): SourceError => {
  const own = ownKeyError(failures)
  if (own !== null) return own
  const configured = failures.filter((failure) => !isUnconfigured(failure))
  if (configured.length === 0 && failures.length > 0) return unconfigured(tool)
  return configured.length > 0 && configured.every(isForGood) ? refused(configured, tool) : unavailable(configured)
}

/** Waiting mends none of them. */
const IS_FINAL: ReadonlyArray<SourceError["code"]> = ["tool_unavailable", "invalid_request"]

/**
 * The error of a call with several parts, if no part was answered and another try can't help. Null: each part reports
 * its own.
 */
export const refusalOfParts = (refusals: ReadonlyArray<SourceError>, parts: number): SourceError | null => {
  if (parts === 0 || refusals.length < parts) return null
  const own = refusals.find(({ code }) => code === "own_key_failed" || code === "tool_key_invalid")
  if (own !== undefined) return own
  const [first] = refusals
  return first !== undefined && IS_FINAL.includes(first.code) && refusals.every(({ code }) => code === first.code)
    ? first
    : null
}
