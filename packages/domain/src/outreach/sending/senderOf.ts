import { OWN_MAILBOX, openAccount, OwnMailboxStore } from "./OwnMailboxes.js"
import { Clock, Effect, Option, Scope } from "effect"
import { ProviderFailure } from "../../sources/ports/Source.js"
import { Providers } from "../../sources/ports/Providers.js"
import type {
  InterestMark,
  OutboundScheduled,
  OutgoingReply,
  SentOutcome
} from "../../sources/ports/SendingProvider.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import type { WorkspaceKind } from "../../kernel/workspaces/WorkspaceStore.js"
import { askProvider } from "./askProvider.js"
import type { Mailbox } from "./SendingStore.js"
import { makeVendorOf } from "./vendor/asVendor.js"
import { VendorStore } from "./vendor/VendorStore.js"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { MailReader } from "../mail/MailReader.js"
import { type MailAccount, MailTransport, type OutgoingMail } from "../mail/MailTransport.js"
import { type MailMark, markOf } from "../mail/mailMark.js"
import { messageIdOf } from "./compose.js"

/** What a mailbox's sender can do for one person outside a sequence. */
interface Sender extends Pick<OutboundScheduled, "name" | "setInterest"> {
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

/** Timeout of one reply's session. */
const SESSION_SECONDS = 60

/** How long after sending its copy may still appear in the folder of sent mail. */
const COPY_MILLIS_MAX = 60_000

const failure = (reason: ProviderFailure["reason"], cause?: unknown): ProviderFailure =>
  new ProviderFailure({ provider: OWN_MAILBOX, reason, ...(cause === undefined ? {} : { cause }) })

const mailOf = ({ from, messageId, references, subject, text, to }: OutgoingReply, mark: MailMark): OutgoingMail => ({
  messageId,
  mark,
  from,
  to: { address: to, name: null },
  subject,
  text,
  references,
  html: null,
  unsubscribeUrl: null
})

/**
 * Sends replies from an own mailbox, each in its own session, even if another host holds the mailbox: the reply's row
 * ensures that it is sent once. The last check runs when the server has accepted the recipient. For a reply that may
 * have been sent, a copy in the folder of sent mail is proof; a missing copy proves nothing.
 */
const makeOwnSender = Effect.gen(function* () {
  const owns = yield* OwnMailboxStore
  const transport = yield* MailTransport
  const reader = yield* MailReader
  const crypto = yield* Crypto

  const send = (account: MailAccount, reply: OutgoingReply, lastCheck: FromStore<boolean>) =>
    Effect.suspend(() => {
      const session = { isClear: false, isOver: false }
      // An abandoned session must not send any more.
      const claim = Effect.gen(function* () {
        if (session.isOver || !(yield* lastCheck) || session.isOver) return false
        session.isClear = true
        return true
      }).pipe(Effect.mapError((cause) => failure("transient", cause)))
      const one = Effect.acquireUseRelease(
        Scope.make(),
        (scope) =>
          Effect.flatMap(Scope.provide(transport.session(account), scope), (smtp) =>
            smtp.send(mailOf(reply, markOf(crypto, reply.workspaceId, messageIdOf(reply.messageId) ?? "")), claim)
          ),
        // Don't wait for the session's end, which may have to store a copy.
        (scope, exit) => Effect.forkDetach(Scope.close(scope, exit))
      )
      return askProvider(OWN_MAILBOX, { seconds: SESSION_SECONDS, otherwise: "unknown_outcome" }, () => one).pipe(
        Effect.mapError((failed) =>
          failed.reason === "unknown_outcome" && !session.isClear ? failure("transient", failed.cause) : failed
        ),
        Effect.ensuring(Effect.sync(() => (session.isOver = true)))
      )
    })

  return ({ mailboxId, workspaceId }: Mailbox): FromStore<Sender | null> =>
    Effect.map(owns.get(workspaceId, mailboxId), (found) => {
      const account = Option.isNone(found) ? null : openAccount(crypto, found.value)
      if (account === null) return null
      return {
        name: OWN_MAILBOX,
        reply: (reply, lastCheck) => send(account, reply, lastCheck),
        findSent: ({ messageId }, askedAtMillis) =>
          Effect.gen(function* () {
            const found = yield* reader.findInSent(account, messageId)
            if (found === "found") return "sent"
            const isEarly = (yield* Clock.currentTimeMillis) < askedAtMillis + COPY_MILLIS_MAX
            return found === "absent" && isEarly ? yield* failure("transient") : "unknowable"
          }),
        // There is no provider to inform: our own record is the only one.
        setInterest: () => Effect.void
      }
    })
})

/** Timeout of a sending provider, for a reply and for its outcome. */
const SEND_SECONDS = 30
const LOOK_UP_SECONDS = 30

const purchased = (provider: OutboundScheduled): Sender => ({
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

/** The sender of a mailbox in a vendor's campaign. */
const makeVendorSender = Effect.gen(function* () {
  const vendors = yield* VendorStore
  const vendorOf = yield* makeVendorOf

  /** The vendor's names of the campaign and the person. */
  const atVendor = (name: string, of: Pick<OutgoingReply, "workspaceId" | "campaignId" | "campaignLeadId">) =>
    Effect.gen(function* () {
      const failed = (reason: "invalid" | "transient", cause: unknown) =>
        Effect.fail(new ProviderFailure({ provider: name, reason, cause }))
      const found = yield* Effect.all([
        vendors.get(of.workspaceId, of.campaignId),
        vendors.leadAt(of.workspaceId, of.campaignLeadId)
      ]).pipe(Effect.catchTag("StoreUnavailable", (cause) => failed("transient", cause)))
      const [campaign, at] = found
      if (Option.isNone(campaign) || Option.isNone(at)) return yield* failed("invalid", "it is at no vendor")
      const { ref } = campaign.value
      if (ref === null) return yield* failed("transient", "it is not there yet")
      const asked = yield* vendorOf(campaign.value).pipe(
        Effect.catchTag("StoreUnavailable", (cause) => failed("transient", cause))
      )
      return { ...asked, ref, person: { ref: at.value.vendorLead.ref, email: at.value.lead.email } }
    })

  return (name: string): Sender => ({
    name,
    setInterest: (mark: InterestMark) =>
      Effect.flatMap(atVendor(name, mark), ({ ask, ref }) => ask((vendor) => vendor.setInterest({ ...mark, ref }))),
    reply: (reply, lastCheck) =>
      Effect.gen(function* () {
        const { ask, person, ref } = yield* atVendor(name, reply)
        // Looking the person up took time, so check again.
        const clear = yield* Effect.catch(lastCheck, (cause) =>
          Effect.fail(new ProviderFailure({ provider: name, reason: "transient", cause }))
        )
        if (!clear) return "withdrawn" as const
        yield* ask((vendor) => vendor.reply({ ...reply, ref, person }))
        return "sent" as const
      }),
    findSent: (reply, askedAtMillis) =>
      Effect.gen(function* () {
        const { ask, person, ref } = yield* atVendor(name, reply)
        return yield* ask((vendor) => vendor.findSent({ ...reply, ref, person }, askedAtMillis))
      })
  })
})

/** Chooses the sender of a mailbox; this is the only place that does. Null: none is available now. */
export const makeSenderOf = Effect.gen(function* () {
  const providers = yield* Providers
  const ownSender = yield* makeOwnSender
  const vendorSender = yield* makeVendorSender
  return (workspaceKind: WorkspaceKind, mailbox: Mailbox): FromStore<Sender | null> => {
    if (mailbox.kind === "own") return ownSender(mailbox)
    const { sending } = providers[workspaceKind]
    if (sending === null) return Effect.succeed(null)
    return Effect.succeed(sending.schedules === "outbound" ? purchased(sending) : vendorSender(sending.name))
  }
})
