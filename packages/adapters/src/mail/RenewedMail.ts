import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { MailProbe, type ProbeReport } from "@outbound/domain/outreach/mail/MailProbe.js"
import { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { type MailAccount, MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import type { OwnMailboxStore } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { Context, Effect, Layer } from "effect"
import { makeAccessTokens } from "./AccessTokens.js"
import { EMPTY } from "./Probe.js"
import { makeTokenEndpoint, type TokenEndpointOptions } from "./TokenEndpoint.js"

type Mail = MailTransport | MailReader | MailProbe

/** Without an access token we contacted neither server. */
const tokenless = ({ cause }: ProviderFailure): Effect.Effect<ProbeReport> =>
  Effect.succeed({
    ...EMPTY,
    smtpLogin: { state: "failed", says: `No access token could be obtained. ${String(cause)}.` }
  })

/**
 * The same ports for mailboxes whose `auth` is `oauth`, with valid access tokens. If a server refuses a cached token,
 * we renew it and try once more; nothing had been sent by then.
 */
export const layer = (options: TokenEndpointOptions): Layer.Layer<Mail, never, Mail | OwnMailboxStore | Crypto> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const transport = yield* MailTransport
      const reader = yield* MailReader
      const probe = yield* MailProbe
      const tokens = yield* makeAccessTokens(makeTokenEndpoint(options))

      const withToken = <A, R>(
        account: MailAccount,
        use: (account: MailAccount) => Effect.Effect<A, ProviderFailure, R>
      ): Effect.Effect<A, ProviderFailure, R> =>
        account.auth !== "oauth"
          ? use(account)
          : Effect.flatMap(tokens.of(account), (access) =>
              use(access.account).pipe(
                Effect.catchIf(
                  ({ reason }) => reason === "account" && !access.isFresh,
                  () =>
                    tokens.forget(account, access.account.secret).pipe(
                      Effect.andThen(tokens.of(account)),
                      Effect.flatMap((renewed) => use(renewed.account))
                    )
                )
              )
            )

      const tryOut = (account: MailAccount): Effect.Effect<ProbeReport, ProviderFailure> =>
        Effect.flatMap(tokens.once(account), (access) =>
          Effect.map(probe.probe(access.account), (report) => ({ ...report, secret: access.secret }))
        )

      return Context.make(MailTransport, {
        session: (account) => withToken(account, transport.session)
      }).pipe(
        Context.add(MailReader, {
          session: (account) => withToken(account, reader.session),
          findInSent: (account, messageId) => withToken(account, (known) => reader.findInSent(known, messageId))
        }),
        Context.add(MailProbe, {
          probe: (account) =>
            account.auth !== "oauth" ? probe.probe(account) : Effect.catch(tryOut(account), tokenless)
        })
      )
    })
  )
