import { Context, type Effect, type Redacted } from "effect"
import type { MailGrant } from "../../outreach/sending/mailGrant.js"
import type { ProviderFailure } from "../../sources/ports/Source.js"
import type { PostmasterStats, Requirement } from "./Postmaster.js"

/** An access token, and what replaces the refresh token that it was had with; null: that one stays good. */
export interface PostmasterToken {
  readonly accessToken: Redacted.Redacted
  readonly refreshToken: Redacted.Redacted | null
}

/**
 * Google's Postmaster Tools (API v2), reading only. Failures: `account`: the consent, the client or the scope is refused;
 * `rate_limited`; `transient`: the rest, and answers that make no sense.
 */
export class PostmasterApi extends Context.Service<
  PostmasterApi,
  {
    readonly token: (grant: MailGrant) => Effect.Effect<PostmasterToken, ProviderFailure>
    /** The verified domains that the person may read, at most so many. */
    readonly domains: (token: Redacted.Redacted, limit: number) => Effect.Effect<ReadonlyArray<string>, ProviderFailure>
    /** Null: Google has nothing to say of it, or not to this person. */
    readonly requirements: (
      token: Redacted.Redacted,
      domain: string
    ) => Effect.Effect<ReadonlyArray<Requirement> | null, ProviderFailure>
    /** Of the newest of these days (UTC, as epoch milliseconds) that has any. */
    readonly stats: (
      token: Redacted.Redacted,
      domain: string,
      days: { readonly fromMillis: number; readonly toMillis: number }
    ) => Effect.Effect<PostmasterStats | null, ProviderFailure>
  }
>()("@outbound/domain/wings/postmaster/PostmasterApi") {}
