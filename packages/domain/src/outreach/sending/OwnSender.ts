import { Clock, Effect, Option, Scope } from "effect"
import { Crypto } from "../../kernel/ports/Crypto.js"
import { MailReader } from "../mail/MailReader.js"
import { type MailAccount, MailTransport, type OutgoingMail } from "../mail/MailTransport.js"
import { ProviderFailure } from "../../sources/ports/ProviderFailure.js"
import type { OutgoingReply } from "../../sources/ports/SendingProvider.js"
import type { FromStore } from "../../kernel/ports/UnitOfWork.js"
import { markOf } from "../mail/mailMark.js"
import { askProvider } from "./askProvider.js"
import { messageIdOf } from "./compose.js"
import { openAccount } from "./mailAccount.js"
import { OwnMailboxStore } from "./OwnMailboxes.js"
import { OWN_MAILBOX } from "./OwnSession.js"
import type { Sender } from "./Sender.js"
import type { Mailbox } from "./SendingStore.js"

/** Timeout of one reply's session. */
const SESSION_SECONDS = 60

/** How long after sending its copy may still appear in the folder of sent mail. */
const COPY_MILLIS_MAX = 60_000

const failure = (reason: ProviderFailure["reason"], cause?: unknown): ProviderFailure =>
  new ProviderFailure({ provider: OWN_MAILBOX, reason, ...(cause === undefined ? {} : { cause }) })

const mailOf = ({ from, messageId, references, subject, text, to }: OutgoingReply, mark: string): OutgoingMail => ({
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
export const makeOwnSender = Effect.gen(function* () {
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
          Effect.flatMap(Scope.extend(transport.session(account), scope), (smtp) =>
            smtp.send(mailOf(reply, markOf(crypto, reply.workspaceId, messageIdOf(reply.messageId) ?? "")), claim)
          ),
        // Don't wait for the session's end, which may have to store a copy.
        (scope, exit) => Effect.forkDaemon(Scope.close(scope, exit))
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
