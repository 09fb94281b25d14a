import { Data } from "effect"

/** The errors of RFC 6749, 7009, 7591 and 8707 that are told, with the status of an answer that carries one. */
export const OAUTH_ERRORS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  access_denied: 403,
  temporarily_unavailable: 503
} as const

export type OAuthErrorCode = keyof typeof OAUTH_ERRORS

/** Why a client is not given what it asked for. Its words are public: ASCII, without quotes and backslashes. */
export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly error: OAuthErrorCode
  readonly description: string
  /** Whoever asks asked too often, and may ask again after so long. */
  readonly retryAfterSeconds?: number
}> {}

export const refused = (error: OAuthErrorCode, description: string): OAuthRefused =>
  new OAuthRefused({ error, description })

export const askedTooOften = (retryAfterSeconds: number): OAuthRefused =>
  new OAuthRefused({
    error: "temporarily_unavailable",
    description: "too many requests from your network address; try again later",
    retryAfterSeconds
  })
