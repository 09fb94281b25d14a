import type { Effect } from "effect"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { OutboundScheduled, OutgoingReply, SentOutcome } from "../../sources/ports/SendingProvider.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"

/** What a mailbox's sender can do for one person outside a sequence. */
export interface Sender extends Pick<OutboundScheduled, "name" | "setInterest"> {
  /**
   * Sends one reply, as `SendingProvider.reply` does. If outbound talks to the mailbox's server itself, the last check
   * runs as late as possible; false: nothing was sent.
   */
  readonly reply: (
    reply: OutgoingReply,
    lastCheck: FromStore<boolean>
  ) => Effect.Effect<"sent" | "withdrawn", ProviderFailure>
  /** The outcome of a reply that was requested at this time. `transient`: not known yet. */
  readonly findSent: (reply: OutgoingReply, askedAtMillis: number) => Effect.Effect<SentOutcome, ProviderFailure>
}
