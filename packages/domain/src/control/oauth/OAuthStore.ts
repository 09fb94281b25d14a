import { Context, type Effect, type Option } from "effect"
import type { Scope } from "../../verbs/Policy.js"
import type { StoreUnavailable, Tx } from "../../kernel/ports/UnitOfWork.js"

/** How we know a client: by the document at its id, or because it registered (RFC 7591). */
export const CLIENT_KINDS = ["document", "registered"] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

/** A public client: it has no secret, and proves with PKCE that it asked. */
export interface OAuthClient {
  readonly clientId: string
  readonly kind: ClientKind
  /** As the client calls itself. */
  readonly name: string
  readonly redirectUris: ReadonlyArray<string>
}

export interface RegisteredClient extends OAuthClient {
  readonly kind: "registered"
  readonly createdAtMillis: number
}

/** What a client asked for, until a human has decided. */
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

/** What a human allowed: the key behind it says what may be done, and ends it when it is revoked. */
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
  /** When the code was redeemed; null: not yet. */
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
  /** When a refresh token was used; it is kept, so that a second use is noticed. */
  readonly spentAtMillis: number | null
}

/** What an access token stands for. It never changes. */
export interface AccessClaim {
  /** SHA-256 of the secret of the key that it acts as. */
  readonly keyHash: string
  readonly expiresAtMillis: number
}

export class OAuthStore extends Context.Tag("@outbound/domain/control/oauth/OAuthStore")<
  OAuthStore,
  {
    readonly insertClient: (client: RegisteredClient) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly client: (clientId: string) => Effect.Effect<Option.Option<RegisteredClient>, StoreUnavailable>
    /** How many have registered since. */
    readonly registeredSince: (sinceMillis: number) => Effect.Effect<number, StoreUnavailable>
    /** A registered client was allowed something. Of any other nothing changes. */
    readonly markUsed: (clientId: string, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>

    readonly insertRequest: (request: AuthorizationRequest) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly openRequests: (nowMillis: number) => Effect.Effect<number, StoreUnavailable>
    readonly request: (requestId: string) => Effect.Effect<Option.Option<AuthorizationRequest>, StoreUnavailable>
    readonly lockRequest: (
      requestId: string
    ) => Effect.Effect<Option.Option<AuthorizationRequest>, StoreUnavailable, Tx>
    readonly deleteRequest: (requestId: string) => Effect.Effect<void, StoreUnavailable, Tx>

    readonly insertGrant: (grant: Grant) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly lockGrant: (
      workspaceId: string,
      grantId: string
    ) => Effect.Effect<Option.Option<Grant>, StoreUnavailable, Tx>
    readonly lockGrantByCode: (codeHash: string) => Effect.Effect<Option.Option<Grant>, StoreUnavailable, Tx>
    readonly redeem: (grant: Grant, nowMillis: number) => Effect.Effect<void, StoreUnavailable, Tx>
    /** Grants whose code is over and that no token can renew any more: at most so many. */
    readonly lapsed: (nowMillis: number, limit: number) => Effect.Effect<ReadonlyArray<Grant>, StoreUnavailable>
    /** Deletes a grant with its tokens if it has lapsed. False: it is in use again, or gone; then nothing changes. */
    readonly deleteLapsed: (
      workspaceId: string,
      grantId: string,
      nowMillis: number
    ) => Effect.Effect<boolean, StoreUnavailable, Tx>

    readonly insertTokens: (tokens: ReadonlyArray<IssuedToken>) => Effect.Effect<void, StoreUnavailable, Tx>
    readonly token: (tokenHash: string) => Effect.Effect<Option.Option<IssuedToken>, StoreUnavailable>
    /** Spends an unspent refresh token; false: it was spent before. */
    readonly spend: (tokenHash: string, nowMillis: number) => Effect.Effect<boolean, StoreUnavailable, Tx>
    /** None: nobody's, or no access token. An expired one is found as long as it is kept. */
    readonly access: (tokenHash: string) => Effect.Effect<Option.Option<AccessClaim>, StoreUnavailable>

    /** Forgets requests and tokens that are over, and clients that nobody uses; at most so many of each. */
    readonly purge: (
      before: { readonly nowMillis: number; readonly unusedMillis: number; readonly usedMillis: number },
      limit: number
    ) => Effect.Effect<number, StoreUnavailable, Tx>
  }
>() {}
