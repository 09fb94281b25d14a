import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { ImapFlowError } from "imapflow"

export const IMAP = "imap"

/** Pause after a server refuses more connections without saying how long to wait. */
const CROWDED_SECONDS = 120

/** Response codes and words for: this account may not sign in now, whatever its secret. */
const CROWDED = /\b(?:LIMIT|INUSE|UNAVAILABLE|OVERQUOTA)\b|too many|maximum number|try again later|temporar/i

const failed = (reason: ProviderFailure["reason"], cause: unknown, retryAfterSeconds?: number): ProviderFailure =>
  new ProviderFailure({
    provider: IMAP,
    reason,
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  })

export const imapTimeout = (operation: string): ProviderFailure =>
  failed("transient", `${operation}: no answer in time`)

/** Signing in there would reveal the secret to eavesdroppers. */
export const imapUnsafe: ProviderFailure = failed("account", "a server that is not on this machine needs TLS")

/** Refresh tokens go to the token endpoint only. */
export const imapTokenless: ProviderFailure = failed("account", "an access token has to be had first")

/**
 * Classifies a failed operation. A server whose certificate fails may recover without its owner, like an unreachable
 * one; it received no secret. The result holds no secret: the library's errors omit commands that carry one.
 */
export const imapFailure = (error: unknown): ProviderFailure => {
  const { authenticationFailed, response, responseText, serverResponseCode, throttleReset } = (
    error instanceof Error ? error : {}
  ) as Partial<ImapFlowError>
  const said = `${serverResponseCode ?? ""} ${responseText ?? ""} ${typeof response === "string" ? response : ""}`
  if (throttleReset !== undefined) return failed("rate_limited", error, Math.ceil(throttleReset / 1000))
  if (CROWDED.test(said)) return failed("rate_limited", error, CROWDED_SECONDS)
  if (authenticationFailed === true) return failed("account", error)
  return failed("transient", error)
}
