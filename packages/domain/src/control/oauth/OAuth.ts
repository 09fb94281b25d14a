import { Context, type Effect } from "effect"
import type { ControlRefused } from "../Control.js"
import type { Scope } from "../../verbs/Policy.js"
import type { Credits } from "../../kernel/money/Credits.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"
import type { SignedIn } from "../users/UserStore.js"
import type { OAuthRefused } from "./OAuthRefused.js"
import type { AuthorizationRequest, RegisteredClient } from "./OAuthStore.js"

/** Where a browser that asked is sent on to: to us, to be decided on by a human, or back to its client. */
export type Asked =
  { readonly _tag: "Waiting"; readonly requestId: string } | { readonly _tag: "Answered"; readonly redirectTo: string }

/** What a human decides. `scopes`: some or all of those asked for. */
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
 * The authorisation server of the tool protocol (OAuth 2.1: codes with PKCE, refresh tokens, public clients). A human
 * who allows a client something makes a key for it; its tokens act as that key, and end when it is revoked.
 */
export class OAuth extends Context.Tag("@outbound/domain/control/oauth/OAuth")<
  OAuth,
  {
    /** `from`: who registers, as far as the network says. */
    readonly register: (
      metadata: unknown,
      from: string
    ) => Effect.Effect<RegisteredClient, OAuthRefused | StoreUnavailable>
    /**
     * An authorisation request as a browser brings it. Fails where nobody is known to whom it could be answered; what
     * is wrong beyond that is answered to the client. `from`: who asks, as far as the network says.
     */
    readonly ask: (given: URLSearchParams, from: string) => Effect.Effect<Asked, OAuthRefused | StoreUnavailable>
    /** What a human is to decide on; `not_found` once it is decided or over. */
    readonly request: (requestId: string) => Effect.Effect<AuthorizationRequest, ControlRefused | StoreUnavailable>
    /** Allowing: owners, after a fresh sign-in, as for any new key. Denying: any member. Where the browser goes next. */
    readonly decide: (
      by: SignedIn,
      requestId: string,
      decision: Decision
    ) => Effect.Effect<{ readonly redirectTo: string }, ControlRefused | StoreUnavailable>
    /** A code or a refresh token for tokens. A second use of either revokes the grant. */
    readonly token: (given: URLSearchParams) => Effect.Effect<Tokens, OAuthRefused | StoreUnavailable>
    /** RFC 7009: any token of a grant ends all of it. A token that nobody has is ended already. */
    readonly revoke: (given: URLSearchParams) => Effect.Effect<void, OAuthRefused | StoreUnavailable>
  }
>() {}

/** The protected resource: what tokens are issued for (RFC 8707), and where they are taken. */
export const resourceOf = (baseUrl: string): string => `${baseUrl}/mcp`
