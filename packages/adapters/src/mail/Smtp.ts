import {
  type MailAccount,
  MailTransport,
  type OutgoingMail,
  smtpAnswerOf
} from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Clock, Effect, FiberSet, Layer, type Scope } from "effect"
import { command, COMMAND_MILLIS, connect } from "./ImapConnection.js"
import type { MailTls } from "./mailTls.js"
import { type ComposedMail, composeMail } from "./mime.js"
import { SMTP_DEADLINES, SmtpClient, type SmtpOptions } from "./SmtpClient.js"
import { SMTP } from "./smtpFailure.js"

/** How long one copy may take, and the end of a session waits for those under way. */
const COPY_TIMEOUT = "30 seconds"

interface SentCopies {
  /** Puts a message that was sent into the folder of sent mail, beside what comes next; where that fails, it is said. */
  readonly keep: (raw: Buffer) => Effect.Effect<void>
}

/**
 * Copies of what is sent, for servers that keep none. A copy is made once the message is known to have been accepted,
 * so that one that is found proves that it was.
 */
const sentCopies = (account: MailAccount, tls: MailTls): Effect.Effect<SentCopies, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { keepsSent, sentFolder } = account
    if (keepsSent || sentFolder === null) return { keep: () => Effect.void }
    const turn = yield* Effect.makeSemaphore(1)
    const underWay = yield* FiberSet.make<void>()
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(FiberSet.awaitEmpty(underWay), COPY_TIMEOUT)))

    const copy = (raw: Buffer) =>
      Effect.flatMap(connect(account, tls.ca === null ? {} : { ca: tls.ca }), (client) =>
        command(client, "append", COMMAND_MILLIS, () => client.append(sentFolder, raw, ["\\Seen"]))
      ).pipe(Effect.scoped, turn.withPermits(1), Effect.timeout(COPY_TIMEOUT))

    return {
      keep: (raw: Buffer) =>
        FiberSet.run(
          underWay,
          Effect.catchAllCause(copy(raw), (cause) =>
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

/** The server was gone, or went instead of answering. */
const isHungUp = (failure: ProviderFailure): boolean => {
  const code = smtpAnswerOf(failure)?.code
  return failure.reason === "transient" && (code === null || code === 421)
}

/** One open connection at a time, opened again where it was lost. */
const makeSession = (account: MailAccount, options: SmtpOptions, copies: SentCopies) =>
  Effect.gen(function* () {
    const turn = yield* Effect.makeSemaphore(1)
    let client = yield* SmtpClient.open(account, options)
    /** Whether the connection has waited since a message went over it. */
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
        // The server may have hung up on a connection that waited: nothing was asked for yet, so it is tried anew, once.
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

/** Sends by SMTP submission (RFC 6409), over TLS with verified certificates. */
export const layer = (options: SmtpOptions = { ca: null, deadlines: SMTP_DEADLINES }): Layer.Layer<MailTransport> =>
  Layer.succeed(MailTransport, {
    session: (account) =>
      Effect.flatMap(sentCopies(account, options), (copies) => makeSession(account, options, copies))
  })
