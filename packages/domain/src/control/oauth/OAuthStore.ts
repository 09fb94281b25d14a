import { Context, type Option } from "effect"
import type { Scope } from "../../verbs/Policy.js"
import type { FromStore, InTx } from "../../kernel/ports/UnitOfWork.js"

/** How we know a client: by the document at its id, or by registration (RFC 7591). */
export const CLIENT_KINDS = ["document", "registered"] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

/** A public client: it has no secret and uses PKCE. */
export interface OAuthClient {
  readonly clientId: string
  readonly kind: ClientKind
  /** The client's name for itself. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
}

export interface RegisteredClient extends OAuthClient {
  readonly kind: "registered"
  readonly createdAtMillis: number
}

/** An authorisation request that waits for a decision. */
export interface AuthorizationRequest {
  readonly requestId: string
  readonly clientId: string
  readonly clientKind: ClientKind
  readonly clientName: string
  readonly redirectUri: string
  readonly state: string | null
  readonly codeChallenge: string
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
}

/** What a person allowed. The key behind it defines the permissions; revoking the key ends the grant. */
export interface Grant {
  readonly grantId: string
  readonly workspaceId: string
  readonly keyId: string
  readonly userId: string
  readonly clientId: string
  readonly scopes: ReadonlyArray<Scope>
  readonly redirectUri: string
  readonly codeChallenge: string
  /** SHA-256 of the code. */
  readonly codeHash: string
  readonly codeExpiresAtMillis: number
  /** Null: the code was not redeemed yet. */
  readonly redeemedAtMillis: number | null
  readonly createdAtMillis: number
}

export const TOKEN_KINDS = ["access", "refresh"] as const
export type TokenKind = (typeof TOKEN_KINDS)[number]

export interface IssuedToken {
  readonly tokenHash: string
  readonly kind: TokenKind
  readonly workspaceId: string
  readonly grantId: string
  readonly createdAtMillis: number
  readonly expiresAtMillis: number
  /** When a refresh token was used. We keep used ones to detect a second use. */
  readonly spentAtMillis: number | null
}

/** What an access token grants. It never changes. */
export interface AccessClaim {
  /** SHA-256 of the key's secret. */
  readonly keyHash: string
  readonly expiresAtMillis: number
}

export class OAuthStore extends Context.Service<
  OAuthStore,
  {
    readonly insertClient: (client: RegisteredClient) => InTx<void>
    readonly client: (clientId: string) => FromStore<Option.Option<RegisteredClient>>
    /** Deletes all but the newest `keep` registered clients that were never allowed anything. */
    readonly trimClients: (keep: number) => InTx<void>
    /** Records that a registered client was allowed something. No effect on other clients. */
    readonly markUsed: (clientId: string, nowMillis: number) => InTx<void>

    readonly insertRequest: (request: AuthorizationRequest) => InTx<void>
    /** Deletes all but the newest `keep` requests. */
    readonly trimRequests: (keep: number) => InTx<void>
    readonly request: (requestId: string) => FromStore<Option.Option<AuthorizationRequest>>
    readonly lockRequest: (requestId: string) => InTx<Option.Option<AuthorizationRequest>>
    readonly deleteRequest: (requestId: string) => InTx<void>

    readonly insertGrant: (grant: Grant) => InTx<void>
    readonly lockGrant: (workspaceId: string, grantId: string) => InTx<Option.Option<Grant>>
    readonly lockGrantByCode: (codeHash: string) => InTx<Option.Option<Grant>>
    readonly redeem: (grant: Grant, nowMillis: number) => InTx<void>
    /** Grants whose code has expired and that no token can renew, at most `limit`. */
    readonly lapsed: (nowMillis: number, limit: number) => FromStore<ReadonlyArray<Grant>>
    /** Deletes a lapsed grant with its tokens. False: it is in use again or gone; nothing changes. */
    readonly deleteLapsed: (workspaceId: string, grantId: string, nowMillis: number) => InTx<boolean>

    readonly insertTokens: (tokens: ReadonlyArray<IssuedToken>) => InTx<void>
    readonly token: (tokenHash: string) => FromStore<Option.Option<IssuedToken>>
    /** Marks a refresh token as used. False: it was used before. */
    readonly spend: (tokenHash: string, nowMillis: number) => InTx<boolean>
    /** None: unknown, or not an access token. Expired tokens are found until they are purged. */
    readonly access: (tokenHash: string) => FromStore<Option.Option<AccessClaim>>

    /** Deletes expired requests and tokens, and unused clients; at most `limit` of each. */
    readonly purge: (
      before: { readonly nowMillis: number; readonly unusedMillis: number; readonly usedMillis: number },
      limit: number
    ) => InTx<number>
  }
>()("@outbound/domain/control/oauth/OAuthStore") {}
