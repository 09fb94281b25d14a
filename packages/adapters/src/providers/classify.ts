import type { ProviderFailure, ProviderFailureReason } from "@outbound/domain/sources/ports/Source.js"
import { retryAfterSeconds as secondsIn } from "../platform/retryAfter.js"

/** A classified failure and its cause for logs. */
export interface Classified {
  readonly reason: ProviderFailureReason
  readonly cause?: string
  readonly retryAfterSeconds?: number
}

const BY_STATUS: Readonly<Record<number, ProviderFailureReason>> = {
  400: "invalid",
  401: "account",
  402: "account",
  403: "account",
  404: "invalid",
  405: "invalid",
  409: "invalid",
  410: "invalid",
  413: "invalid",
  415: "invalid",
  422: "invalid",
  429: "rate_limited"
}

/** As a status says where the vendor has no way of its own. Null: it answered. */
export const classifiedByStatus = ({ status }: { readonly status: number }): Classified | null =>
  status >= 200 && status < 300 ? null : { reason: BY_STATUS[status] ?? "transient" }

/** Headers by lower-case name; the first of a repeated one. */
export const headerOf =
  (headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>) =>
  (name: string): string | null => {
    const value = headers[name.toLowerCase()]
    return (typeof value === "string" ? value : value?.[0]) ?? null
  }

/** For how long to leave the vendor alone: as its own rule says, else in `Retry-After`, else in the draft's reset. */
export const retryAfterOf = (
  { header }: { readonly header: (name: string) => string | null },
  { retryAfterSeconds }: Classified
): { readonly retryAfterSeconds?: number } => {
  if (retryAfterSeconds !== undefined) return { retryAfterSeconds }
  // The other form of Retry-After, a date, is left out: a vendor's clock is not ours.
  const seconds = secondsIn(header("retry-after") ?? header("ratelimit-reset"))
  return seconds === null ? {} : { retryAfterSeconds: seconds }
}

const NOT_FOUND = "not found"

/** Tells "not found" apart from other errors. Null: it is another one, or none. */
export const classifiedNotFound = ({ status }: { readonly status: number }): Classified | null =>
  status === 404 ? { reason: "invalid", cause: NOT_FOUND } : null

export const isNotFound = ({ cause, reason }: ProviderFailure): boolean => reason === "invalid" && cause === NOT_FOUND
