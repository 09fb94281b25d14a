import { makeImap } from "@outbound/adapters/mail/Imap.js"
import { makeLogins } from "@outbound/adapters/mail/Logins.js"
import * as Probe from "@outbound/adapters/mail/Probe.js"
import { makeSentFolders } from "@outbound/adapters/mail/SentFolders.js"
import * as ServiceMail from "@outbound/adapters/mail/ServiceMail.js"
import * as Smtp from "@outbound/adapters/mail/Smtp.js"
import { SMTP_DEADLINES } from "@outbound/adapters/mail/SmtpClient.js"
import * as Vitals from "@outbound/adapters/mail/Vitals.js"
import { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { Effect, Layer, Option } from "effect"
import { readFile } from "node:fs/promises"
import type { OutboundConfig } from "../Config.js"

/** The file of certificates for mail servers can't be used. */
export class MailCaError extends Error {
  constructor(file: string, options?: ErrorOptions) {
    super(`OUTBOUND_MAIL_CA: ${file} is not a readable file of PEM certificates`, options)
    this.name = "MailCaError"
  }
}

/** The file of additional authorities, if one is configured. */
export const certificates = ({ mailCaFile }: Pick<OutboundConfig, "mailCaFile">) =>
  Option.match(mailCaFile, {
    onNone: () => Effect.succeed(null),
    onSome: (file) =>
      Effect.tryPromise({
        try: () => readFile(file, "utf8"),
        catch: (cause) => new MailCaError(file, { cause })
      }).pipe(
        Effect.filterOrFail(
          (text) => text.includes("-----BEGIN CERTIFICATE-----"),
          () => new MailCaError(file)
        )
      )
  })

/**
 * Sending from, reading and testing own mailboxes, their DNS records, and the service's own emails. `resolvers`: the
 * name servers that the prober asks too; none: the machine's own.
 */
export const layer = (
  config: Pick<OutboundConfig, "mailCaFile" | "serviceMail">,
  resolvers: ReadonlyArray<string> = []
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const ca = yield* certificates(config)
      // All connections of a mailbox count their logins together.
      const imap = { ...(ca === null ? {} : { ca }), logins: makeLogins() }
      const sent = yield* makeSentFolders(imap)
      return Layer.mergeAll(
        Probe.layer({ ...(ca === null ? {} : { ca }), ...Probe.PROBE_TIMES }),
        Layer.effect(MailReader, makeImap(imap, sent)),
        Vitals.layer({ servers: resolvers }),
        ServiceMail.layer(Option.getOrNull(config.serviceMail), { ca, deadlines: SMTP_DEADLINES })
      ).pipe(Layer.provideMerge(Smtp.layer({ ca, deadlines: SMTP_DEADLINES }, sent)))
    })
  )
