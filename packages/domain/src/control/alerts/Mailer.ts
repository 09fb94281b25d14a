import { Context, type Effect } from "effect"
import type { ProviderFailure } from "../../sources/ports/Source.js"

/** A plain-text email of the service to one of its users. */
export interface Letter {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Sends the service's own email: sign-in links, invitations. It uses the operator's mail server, never a mailbox that
 * writes to prospects.
 */
export class Mailer extends Context.Service<
  Mailer,
  {
    /**
     * Fails as `SmtpSession.send` does; an `unknown_outcome` may have arrived. Null: no mail server is configured, and
     * the operator hands out links instead.
     */
    readonly send: ((letter: Letter) => Effect.Effect<void, ProviderFailure>) | null
  }
>()("@outbound/domain/control/alerts/Mailer") {}
