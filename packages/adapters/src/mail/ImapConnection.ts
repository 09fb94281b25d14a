import type { MailAccount } from "@outbound/domain/ports/MailTransport.js"
import { ProviderFailure, type ProviderFailureReason } from "@outbound/domain/ports/providers/ProviderFailure.js"
import { Effect, Redacted, type Scope } from "effect"
import { ImapFlow } from "imapflow"
import { isLoopback, type MailTls, mailTls } from "./mailTls.js"

/** What failures name as their provider. */
export const IMAP = "imap"

const CONNECT_MILLIS = 20_000
const GREETING_MILLIS = 15_000
const SOCKET_MILLIS = 60_000

/** The largest thing a server may send at once. */
const LITERAL_BYTES_MAX = 32 * 1024 * 1024

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ISSUER|ALTNAME|HOSTNAME_MISMATCH/

const textOf = (error: unknown, key: string): string =>
  typeof error === "object" && error !== null && key in error
    ? String((error as Record<string, unknown>)[key] ?? "")
    : ""

const reasonOf = (error: unknown): ProviderFailureReason => {
  const response = textOf(error, "serverResponseCode")
  if (response === "UNAVAILABLE" || response === "INUSE") return "transient"
  if (response === "LIMIT" || textOf(error, "code") === "ETHROTTLE") return "rate_limited"
  const isRefused = textOf(error, "authenticationFailed") === "true" || CERTIFICATE.test(textOf(error, "code"))
  return isRefused ? "account" : "transient"
}

/** What the server or the connection to it said, in one line. */
export const imapWords = (error: unknown): string =>
  (textOf(error, "responseText") || (error instanceof Error ? error.message : String(error)))
    .replace(/[^\P{C}]+/gu, " ")
    .trim()
    .slice(0, 500)

export const imapFailure = (error: unknown): ProviderFailure =>
  new ProviderFailure({ provider: IMAP, reason: reasonOf(error), cause: imapWords(error) })

/** A signed-in connection, closed with the scope. It listens for nothing by itself. */
export const openImap = (account: MailAccount, tls: MailTls): Effect.Effect<ImapFlow, ProviderFailure, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      const { auth, imap, secret, username } = account
      if (imap.security === "none" && !isLoopback(imap.host)) {
        const cause = "A server that is not on this machine needs TLS"
        return Effect.fail(new ProviderFailure({ provider: IMAP, reason: "account", cause }))
      }
      const client = new ImapFlow({
        host: imap.host,
        port: imap.port,
        secure: imap.security === "tls",
        doSTARTTLS: imap.security === "starttls",
        auth: {
          user: username,
          ...(auth === "password" ? { pass: Redacted.value(secret) } : { accessToken: Redacted.value(secret) })
        },
        tls: mailTls(tls),
        logger: false,
        disableAutoIdle: true,
        connectionTimeout: CONNECT_MILLIS,
        greetingTimeout: GREETING_MILLIS,
        socketTimeout: SOCKET_MILLIS,
        maxLiteralSize: LITERAL_BYTES_MAX,
        maxResponseSize: 2 * LITERAL_BYTES_MAX,
        maxLineLength: 1024 * 1024
      })
      // What fails is told by the command that fails.
      client.on("error", () => undefined)
      return Effect.tryPromise({ try: () => client.connect(), catch: imapFailure }).pipe(
        Effect.as(client),
        Effect.onError(() => Effect.sync(() => client.close()))
      )
    }).pipe(Effect.interruptible),
    (client) =>
      Effect.sync(() => {
        client.logout().catch(() => undefined)
        setTimeout(() => client.close(), 1_000).unref()
      })
  )

/** One command. */
export const imapCommand = <A>(run: () => Promise<A>): Effect.Effect<A, ProviderFailure> =>
  Effect.tryPromise({ try: run, catch: imapFailure })
