import { SMTP_DEADLINES, SmtpClient } from "@outbound/adapters/mail/SmtpClient.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/ProviderFailure.js"
import { Effect, Either, Option } from "effect"
import { type OutboundConfig, SANDBOX } from "../../Config.js"
import { certificates, MailCaError } from "../Mail.js"
import { readConfigured } from "../Providers.js"
import { bad, type Finding, good, warning } from "../../commands/Finding.js"

const whyOf = ({ cause, reason, said }: ProviderFailure): string => {
  if (said !== undefined) return said
  const message = typeof cause === "object" && cause !== null && "message" in cause ? cause.message : ""
  return typeof message === "string" && message !== "" ? message : reason
}

/** Connects and signs in to the server of the service's own mail. Sends nothing. */
export const examineMail = (config: Pick<OutboundConfig, "mailCaFile" | "serviceMail">): Effect.Effect<Finding> =>
  Option.match(config.serviceMail, {
    onNone: () =>
      Effect.succeed(
        warning(
          "mail",
          "none, so members get their sign-in links and alerts from you alone",
          "Set OUTBOUND_SMTP_URL and OUTBOUND_MAIL_FROM."
        )
      ),
    onSome: ({ from, password: secret, server: smtp, username }) =>
      Effect.gen(function* () {
        const ca = yield* certificates(config)
        const account = { smtp, username, secret, auth: "password" } as const
        yield* Effect.acquireUseRelease(
          SmtpClient.open(account, { ca, deadlines: SMTP_DEADLINES }),
          () => Effect.void,
          (client) => client.quit
        )
        return good("mail", `${smtp.host}:${smtp.port} accepts the sign-in, as ${from.address}`)
      }).pipe(
        Effect.catchAll((error) => {
          const found = `${smtp.host}:${smtp.port} fails: ${error instanceof MailCaError ? error.message : whyOf(error)}`
          return Effect.succeed(bad("mail", found, "Correct OUTBOUND_SMTP_URL or OUTBOUND_MAIL_CA."))
        })
      )
  })

/** The file of providers. Whether each of them works, `outbound providers check` finds out. */
export const examineProviders = (config: Pick<OutboundConfig, "providers">): Effect.Effect<Finding> =>
  Effect.map(Effect.either(readConfigured(config)), (read) =>
    Either.isLeft(read)
      ? bad("providers", read.left.message, "Correct the file that OUTBOUND_PROVIDERS names.")
      : config.providers === SANDBOX
        ? good("providers", "none: live workspaces find nothing, the sandbox has its own world")
        : good("providers", `${config.providers} is valid; npx outbound providers check asks each of them`)
  )
