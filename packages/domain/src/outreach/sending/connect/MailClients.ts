import { Context, Data, type Effect, type Redacted } from "effect"
import type { GrantProvider } from "../mailGrant.js"

/** An OAuth client that the operator registered at a provider of mailboxes. */
export interface MailClient {
  readonly provider: GrantProvider
  /** Where people consent. */
  readonly authorizeUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  /** Null: a public client. */
  readonly clientSecret: Redacted.Redacted | null
}

/**
 * Why a consent came to nothing:
 *
 * - `used`: the code is spent or too old;
 * - `client`: the provider refuses the operator's client;
 * - `no_refresh`: it gave access for an hour only;
 * - `scope`: the person did not allow everything that is needed;
 * - `unreachable`: no usable answer, which another try may mend.
 */
export const CONSENT_FAILURES = ["used", "client", "no_refresh", "scope", "unreachable"] as const

/** Private: never encoded. It holds no text of the provider. */
export class ConsentFailed extends Data.TaggedError("ConsentFailed")<{
  readonly reason: (typeof CONSENT_FAILURES)[number]
}> {}

/** What a person's consent is exchanged with. */
export interface CodeToExchange {
  readonly code: string
  /** Proves that the one who asks also began (RFC 7636). */
  readonly verifier: string
  readonly redirectUri: string
  /** What was asked for, if not a mailbox. */
  readonly scope?: string
}

/** The providers at which mailboxes are connected by a button, and the exchange of codes there. Absent: no such buttons. */
export class MailClients extends Context.Service<
  MailClients,
  {
    /** At least one, one for each provider. */
    readonly all: ReadonlyArray<MailClient>
    /** The refresh token. A code works once. */
    readonly exchange: (client: MailClient, of: CodeToExchange) => Effect.Effect<Redacted.Redacted, ConsentFailed>
  }
>()("@outbound/domain/outreach/sending/connect/MailClients") {}
