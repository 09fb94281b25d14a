import { Data } from "effect"

/** The errors of RFC 6749, 7009, 7591 and 8707 that we return, with their HTTP status. */
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

/** Why we refuse a client. The text is public: ASCII without quotes and backslashes. */
export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly error: OAuthErrorCode
  readonly description: string
  /** Set when the client asked too often. */
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
