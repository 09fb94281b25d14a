import { Context, Data } from "effect"
import type { ControlRefused } from "../Control.js"
import type { Scope } from "../../verbs/Policy.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import type { AuthorizationRequest, RegisteredClient } from "./OAuthStore.js"

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

/** Where the browser goes next: to our consent page, or back to its client. */
export type Asked =
  | { readonly _tag: "Waiting"; readonly requestId: string }
  | { readonly _tag: "Answered"; readonly redirectTo: string }

/** A person's decision. `scopes`: some or all of those asked for. */
export type Decision =
  | { readonly _tag: "Allow"; readonly scopes: ReadonlyArray<Scope>; readonly monthlySpendCap: Credits | null }
  | { readonly _tag: "Deny" }

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string
  readonly expiresInSeconds: number
  /** What the key behind the grant may do now. */
  readonly scopes: ReadonlyArray<Scope>
}

/**
 * The authorisation server for MCP clients (OAuth 2.1: codes with PKCE, refresh tokens, public clients). Allowing a
 * client creates a key. Its tokens act as that key and end when it is revoked.
 */
export class OAuth extends Context.Service<
  OAuth,
  {
    /** `from`: the client's network address. */
    readonly register: (metadata: unknown, from: string) => FromStore<RegisteredClient, OAuthRefused>
    /**
     * Handles a browser's authorisation request. Fails if there is no known client to answer; other errors are sent to
     * the client. `from`: the browser's network address.
     */
    readonly ask: (given: URLSearchParams, from: string) => FromStore<Asked, OAuthRefused>
    /** The request that a person decides; `not_found` once it is decided or expired. */
    readonly request: (requestId: string) => FromStore<AuthorizationRequest, ControlRefused>
    /**
     * Allowing: owners, after a fresh sign-in, as for any new key. Denying: any member. Returns where the browser goes
     * next.
     */
    readonly decide: (
      by: SignedIn,
      requestId: string,
      decision: Decision
    ) => FromStore<{ readonly redirectTo: string }, ControlRefused>
    /**
     * Exchanges a code or a refresh token for tokens. Using a code twice revokes the grant. So does using a refresh token
     * again after `REFRESH_GRACE_MILLIS`; before that it returns the same tokens.
     */
    readonly token: (given: URLSearchParams) => FromStore<Tokens, OAuthRefused>
    /** RFC 7009: revoking any token of a grant ends the whole grant. An unknown token counts as revoked. */
    readonly revoke: (given: URLSearchParams) => FromStore<void, OAuthRefused>
  }
>()("@outbound/domain/control/oauth/OAuth") {}

/** The protected resource: tokens are issued for it (RFC 8707) and accepted there. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`
