import type { Effect } from "effect"
import type { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { OutboundScheduled, OutgoingReply, SentOutcome } from "../../sources/ports/SendingProvider.js"
import type { StoreUnavailable } from "../../kernel/ports/UnitOfWork.js"

/** What a mailbox's sender can do for one person, outside of a sequence. */
export interface Sender extends Pick<OutboundScheduled, "name" | "setInterest"> {
  /**
   * Sends one answer, as `SendingProvider.reply` does. Where outbound speaks to the mailbox's server itself, the last
   * check is made as late as can be; false: nothing was sent.
   */
  readonly reply: (
    reply: OutgoingReply,
    lastCheck: Effect.Effect<boolean, StoreUnavailable>
  ) => Effect.Effect<"sent" | "withdrawn", ProviderFailure>
  /** What became of an answer that was asked for at this time. `transient`: it can't be told yet. */
  readonly findSent: (reply: OutgoingReply, askedAtMillis: number) => Effect.Effect<SentOutcome, ProviderFailure>
}
