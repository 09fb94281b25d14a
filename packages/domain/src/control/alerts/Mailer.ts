import { Context, type Effect } from "effect"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"

/** A letter of the service itself, in plain text, to somebody who works with it. */
export interface Letter {
  /** One address. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/**
 * Sends the service's own letters: sign-in links, invitations. They leave by the operator's mail server, never from a
 * mailbox that writes to prospects.
 */
export class Mailer extends Context.Tag("@outbound/domain/control/alerts/Mailer")<
  Mailer,
  {
    /**
     * Fails as `SmtpSession.send` does; an `unknown_outcome` may have arrived. Null: no mail server is configured, and
     * whoever would get a letter gets a link from the operator.
     */
    readonly send: ((letter: Letter) => Effect.Effect<void, ProviderFailure>) | null
  }
>() {}
