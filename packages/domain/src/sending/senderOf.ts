import { Effect } from "effect"
import type { ProviderFailure } from "../ports/providers/ProviderFailure.js"
import { Providers } from "../ports/providers/Providers.js"
import type { OutgoingReply, SendingProvider, SentOutcome } from "../ports/providers/SendingProvider.js"
import type { StoreUnavailable } from "../ports/UnitOfWork.js"
import type { WorkspaceKind } from "../workspaces/WorkspaceStore.js"
import { askProvider } from "./askProvider.js"
import { makeOwnSender } from "./OwnSender.js"
import type { Mailbox } from "./SendingStore.js"

/** The longest that a sending provider is waited for, for an answer and for its fate. */
const SEND_SECONDS = 30
const LOOK_UP_SECONDS = 30

/** What a mailbox's sender can do for one person, outside of a sequence. */
export interface Sender extends Pick<SendingProvider, "name" | "setInterest"> {
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

const purchased = (provider: SendingProvider): Sender => ({
  name: provider.name,
  setInterest: provider.setInterest,
  reply: (reply) =>
    Effect.as(
      askProvider(provider.name, { seconds: SEND_SECONDS, otherwise: "unknown_outcome" }, () => provider.reply(reply)),
      "sent" as const
    ),
  findSent: (reply) =>
    askProvider(provider.name, { seconds: LOOK_UP_SECONDS, otherwise: "transient" }, () => provider.findSent(reply))
})

/** Who sends from a mailbox, and the one place where that is chosen. Null: nobody can at the moment. */
export const makeSenderOf = Effect.gen(function* () {
  const providers = yield* Providers
  const ownSender = yield* makeOwnSender
  return (workspaceKind: WorkspaceKind, mailbox: Mailbox): Effect.Effect<Sender | null, StoreUnavailable> => {
    if (mailbox.kind === "own") return ownSender(mailbox)
    const { sending } = providers[workspaceKind]
    return Effect.succeed(sending === null ? null : purchased(sending))
  }
})
