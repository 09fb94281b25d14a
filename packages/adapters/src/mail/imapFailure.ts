import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import type { ImapFlowError } from "imapflow"

export const IMAP = "imap"

/** How long a server that wants fewer connections is left alone, where it does not say. */
const CROWDED_SECONDS = 120

/** Response codes and words by which servers say that this account may not come in now, whatever its secret. */
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

/** Signing in there would tell the secret to whoever listens. */
export const imapUnsafe: ProviderFailure = failed("account", "a server that is not on this machine needs TLS")

/** What tokens are renewed by is for the token endpoint alone. */
export const imapTokenless: ProviderFailure = failed("account", "an access token has to be had first")

/**
 * Why an operation failed. A server that can't be trusted may be mended without its owner's doing, as one that can't be
 * reached; it was told no secret. Nothing of it holds the secret: commands that carry one are not in the library's errors. */
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
