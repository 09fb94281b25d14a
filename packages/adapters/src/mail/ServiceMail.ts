import { type Letter, Mailer } from "@outbound/domain/control/alerts/Mailer.js"
import type { MailServer } from "@outbound/domain/outreach/mail/MailTransport.js"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Clock, Effect, Layer, type Redacted } from "effect"
import MailComposer from "nodemailer/lib/mail-composer"
import { randomUUID } from "node:crypto"
import { oneLine, safeAddress } from "./mime.js"
import { SmtpClient, type SmtpOptions } from "./SmtpClient.js"
import { SMTP } from "./smtpFailure.js"

/** The server for the service's own email, and the sender. */
export interface ServiceMailAccount {
  readonly server: MailServer
  /** Empty: the server accepts mail without signing in. */
  readonly username: string
  readonly password: Redacted.Redacted
  readonly from: { readonly address: string; readonly name: string }
}

/** A letter in wire format (RFC 5322), marked as automatic (RFC 3834). */
const compose = async (letter: Letter, from: ServiceMailAccount["from"], nowMillis: number) => {
  const sender = safeAddress(from.address)
  const to = safeAddress(letter.to)
  const message = new MailComposer({
    from: { name: oneLine(from.name), address: sender },
    to: { name: "", address: to },
    subject: oneLine(letter.subject),
    messageId: `<${randomUUID()}@${sender.slice(sender.lastIndexOf("@") + 1)}>`,
    date: new Date(nowMillis),
    text: letter.text,
    newline: "windows",
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true
  }).compile()
  return { raw: await message.build(), from: sender, to, needsSmtpUtf8: /[^\p{ASCII}]/u.test(`${sender}${to}`) }
}

const refusal = (cause: unknown) =>
  new ProviderFailure({
    provider: SMTP,
    reason: "invalid",
    said: `The letter ${cause instanceof Error ? cause.message : "can't be written"}`
  })

/** Sends each letter over its own connection: letters are rare. Null: no mail server is configured. */
export const layer = (account: ServiceMailAccount | null, options: SmtpOptions): Layer.Layer<Mailer> =>
  Layer.succeed(Mailer, {
    send:
      account === null
        ? null
        : (letter) =>
            Effect.gen(function* () {
              const nowMillis = yield* Clock.currentTimeMillis
              const mail = yield* Effect.tryPromise({
                try: () => compose(letter, account.from, nowMillis),
                catch: refusal
              })
              const { password: secret, server: smtp, username } = account
              yield* Effect.acquireUseRelease(
                SmtpClient.open({ smtp, username, secret, auth: "password" }, options),
                (client) =>
                  mail.needsSmtpUtf8 && !client.knowsUtf8
                    ? Effect.fail(refusal(new Error("needs a server that knows addresses beyond ASCII")))
                    : client.send(mail, Effect.succeed(true)),
                (client) => client.quit
              )
            })
  })
