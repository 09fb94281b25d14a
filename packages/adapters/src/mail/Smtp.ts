import {
  type MailAccount,
  MailTransport,
  type OutgoingMail,
  smtpAnswerOf
} from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, FiberSet, Layer, type Scope, Semaphore } from "effect"
import { command, COMMAND_MILLIS } from "./ImapConnection.js"
import { makeLogins } from "./Logins.js"
import { type ComposedMail, composeMail } from "./mime.js"
import { SMTP_DEADLINES, SmtpClient, type SmtpOptions } from "./SmtpClient.js"
import { makeSentFolders, type SentFolders } from "./SentFolders.js"
import { SMTP } from "./smtpFailure.js"

/** Timeout of one copy. Closing a session waits for copies in progress. */
const COPY_TIMEOUT = "30 seconds"

interface SentCopies {
  /** Stores a sent message in the folder of sent mail, in the background. Logs a failure. */
  readonly keep: (raw: Buffer) => Effect.Effect<void>
}

/**
 * Copies of sent messages, for servers that store none. A copy is made only after the server accepted the message, so a
 * copy found later proves that it was sent.
 */
const sentCopies = (account: MailAccount, folders: SentFolders): Effect.Effect<SentCopies, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { keepsSent, sentFolder } = account
    if (keepsSent || sentFolder === null) return { keep: () => Effect.void }
    const underWay = yield* FiberSet.make<void>()
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(underWay), COPY_TIMEOUT)))

    const copy = (raw: Buffer) =>
      folders
        .use(account, (client) =>
          command(client, "append", COMMAND_MILLIS, () => client.append(sentFolder, raw, ["\\Seen"]))
        )
        .pipe(Effect.timeout(COPY_TIMEOUT))

    return {
      keep: (raw: Buffer) =>
        FiberSet.run(
          underWay,
          Effect.catchCause(copy(raw), (cause) =>
            Effect.logWarning("a message that was sent could not be put into its mailbox's folder of sent mail", cause)
          )
        ).pipe(Effect.asVoid)
    }
  })

const refusal = (said: string): ProviderFailure => new ProviderFailure({ provider: SMTP, reason: "invalid", said })

const compose = (mail: OutgoingMail): Effect.Effect<ComposedMail, ProviderFailure> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    Effect.tryPromise({
      try: () => composeMail(mail, nowMillis),
      catch: (cause) => refusal(`The message ${cause instanceof Error ? cause.message : "can't be written"}`)
    })
  )

/** The server was gone, or hung up instead of answering. */
const isHungUp = (failure: ProviderFailure): boolean => {
  const code = smtpAnswerOf(failure)?.code
  return failure.reason === "transient" && (code === null || code === 421)
}

/** One open connection at a time, reopened after a loss. */
const makeSession = (account: MailAccount, options: SmtpOptions, copies: SentCopies) =>
  Effect.gen(function* () {
    const turn = yield* Semaphore.make(1)
    let client = yield* SmtpClient.open(account, options)
    /** Whether the connection has been idle since its last message. */
    let hasWaited = false
    yield* Effect.addFinalizer(() => Effect.suspend(() => client.quit))

    const reopen = Effect.map(SmtpClient.open(account, options), (opened) => {
      hasWaited = false
      return (client = opened)
    })
    const connected = Effect.suspend(() => (client.isOpen ? Effect.succeed(client) : reopen))

    const deliver = <E, R>(mail: ComposedMail, claim: Effect.Effect<boolean, E, R>) =>
      Effect.gen(function* () {
        const mayBeStale = client.isOpen && hasWaited
        let isAsked = false
        const once = Effect.suspend(() => {
          isAsked = true
          return claim
        })
        const send = Effect.flatMap(connected, (open) =>
          mail.needsSmtpUtf8 && !open.knowsUtf8
            ? Effect.fail(refusal("The mailbox's server can't write to addresses beyond ASCII"))
            : open.send(mail, once)
        )
        // The server may have closed an idle connection. Nothing was sent yet, so try once more.
        return yield* send.pipe(
          Effect.catchIf(
            (failure) => failure instanceof ProviderFailure && isHungUp(failure) && mayBeStale && !isAsked,
            () => send
          )
        )
      })

    return {
      send: <E, R>(mail: OutgoingMail, claim: Effect.Effect<boolean, E, R>) =>
        turn.withPermits(1)(
          Effect.gen(function* () {
            const composed = yield* compose(mail)
            const outcome = yield* deliver(composed, claim)
            hasWaited = true
            if (outcome === "sent") yield* copies.keep(composed.raw)
            return outcome
          })
        )
    }
  })

/** SMTP submission (RFC 6409) over TLS with verified certificates. */
export const layer = (
  options: SmtpOptions = { ca: null, deadlines: SMTP_DEADLINES },
  sent?: SentFolders
): Layer.Layer<MailTransport> =>
  Layer.effect(
    MailTransport,
    Effect.gen(function* () {
      const imap = { ...(options.ca === null ? {} : { ca: options.ca }), logins: makeLogins() }
      const folders = sent ?? (yield* makeSentFolders(imap))
      return MailTransport.of({
        session: (account) =>
          Effect.flatMap(sentCopies(account, folders), (copies) => makeSession(account, options, copies))
      })
    })
  )
