import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { Effect, Redacted, type Scope } from "effect"
import type { ImapFlow, ImapFlowOptions } from "imapflow"
import { imapFailure, imapTimeout, imapTokenless, imapUnsafe } from "./imapFailure.js"
import type { Logins } from "./Logins.js"
import { isLoopback, mailTls } from "./mailTls.js"

/** Timeouts for connecting and signing in, and for each command after that. */
const CONNECT_MILLIS = 30_000
export const COMMAND_MILLIS = 60_000

/** Largest literal we accept; larger ones end the connection. */
const LITERAL_OCTETS_MAX = 1024 * 1024
const RESPONSE_OCTETS_MAX = 4 * LITERAL_OCTETS_MAX

/** RFC 2177: a server may end an IDLE after 30 minutes, so we renew it earlier. */
const IDLE_MILLIS = 25 * 60_000

export interface ImapOptions {
  /** Certificates (PEM) trusted in addition to the usual ones, for private servers. */
  readonly ca?: string
  /** Counts the logins of a host's mailboxes; default: nobody counts. */
  readonly logins?: Logins
}

export type Failing<A> = Effect.Effect<A, ProviderFailure>

/** Loaded at the first connection: it is large, and a restart must not wait for it. */
const library = Effect.promise(() => import("imapflow"))

const clientOf = (Client: typeof ImapFlow, account: MailAccount, options: ImapOptions): ImapFlow => {
  const { host, port, security } = account.imap
  const secret = Redacted.value(account.secret)
  const settings: ImapFlowOptions = {
    host,
    port,
    secure: security === "tls",
    ...(security === "tls" ? {} : { doSTARTTLS: security === "starttls" }),
    auth:
      account.auth === "password"
        ? { user: account.username, pass: secret }
        : { user: account.username, accessToken: secret },
    tls: mailTls({ ca: options.ca ?? null }),
    logger: false,
    clientInfo: { name: "outbound" },
    disableAutoIdle: true,
    maxIdleTime: IDLE_MILLIS,
    connectionTimeout: CONNECT_MILLIS,
    greetingTimeout: CONNECT_MILLIS,
    socketTimeout: IDLE_MILLIS + COMMAND_MILLIS,
    maxLineLength: LITERAL_OCTETS_MAX,
    maxLiteralSize: LITERAL_OCTETS_MAX,
    maxResponseSize: RESPONSE_OCTETS_MAX
  }
  return new Client(settings)
}

/** Runs one command. After a failure or a timeout the connection can't be used any more. */
export const command = <A>(client: ImapFlow, name: string, millis: number, run: () => Promise<A>): Failing<A> =>
  Effect.tryPromise({ try: run, catch: imapFailure }).pipe(
    Effect.timeoutOrElse({ duration: millis, orElse: () => Effect.fail(imapTimeout(name)) }),
    Effect.onExit((exit) => (exit._tag === "Failure" ? Effect.sync(() => client.close()) : Effect.void))
  )

/** A signed-in connection, closed with the scope. Secrets go unencrypted to this machine only. */
export const connect = (
  account: MailAccount,
  options: ImapOptions,
  use: "reading" | "sent" = "reading"
): Effect.Effect<ImapFlow, ProviderFailure, Scope.Scope> =>
  Effect.gen(function* () {
    if (account.imap.security === "none" && !isLoopback(account.imap.host)) return yield* imapUnsafe
    if (account.auth === "oauth") return yield* imapTokenless
    if (options.logins !== undefined && account.isSandbox !== true) yield* options.logins.take(account.mailboxId, use)
    const { ImapFlow: Client } = yield* library
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const made = clientOf(Client, account, options)
        // A lost connection fails the current or the next command. Without a listener the event would end the process.
        made.on("error", () => undefined)
        return made
      }),
      (made) => Effect.sync(() => made.close())
    )
    yield* command(client, "connect", CONNECT_MILLIS, () => client.connect())
    return client
  })
