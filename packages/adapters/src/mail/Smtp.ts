import {
  type MailAccount,
  MailTransport,
  type OutgoingMail,
  smtpAnswerOf
} from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Clock, Effect, Layer } from "effect"
import { type ComposedMail, composeMail } from "./mime.js"
import { type SentCopies, sentCopies } from "./SentCopies.js"
import { SMTP_DEADLINES, SmtpClient, type SmtpOptions } from "./SmtpClient.js"
import { SMTP } from "./smtpFailure.js"

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
