import type { MailAccount, SmtpPhase } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { inSpan } from "@outbound/domain/kernel/telemetry.js"
import { Effect, Redacted } from "effect"
import SMTPConnection, { type SMTPConnectionCustomAuthHandler } from "nodemailer/lib/smtp-connection"
import { Readable } from "node:stream"
import { callback } from "../platform/callback.js"
import { isLoopback, type MailTls, mailTls } from "./mailTls.js"
import type { ComposedMail } from "./mime.js"
import { type SmtpError, smtpFailure } from "./smtpFailure.js"

/** Timeouts of the parts of a session, in milliseconds. */
export interface SmtpDeadlines {
  /** From the DNS look-up to an encrypted session. */
  readonly connect: number
  /** For the greeting and the upgrade to TLS. */
  readonly greeting: number
  readonly login: number
  /** From MAIL FROM to the server's invitation to send the content. */
  readonly envelope: number
  /** From the claim to the server's last answer. Long, because a timeout here leaves the outcome unknown. */
  readonly content: number
}

export const SMTP_DEADLINES: SmtpDeadlines = {
  connect: 20_000,
  greeting: 15_000,
  login: 20_000,
  envelope: 40_000,
  content: 90_000
}

export interface SmtpOptions extends MailTls {
  readonly deadlines: SmtpDeadlines
}

/** The server and its credentials. An empty username means no sign-in. */
export type SmtpAccount = Pick<MailAccount, "smtp" | "username" | "auth" | "secret">

/** Not the mechanism's own name: under that name the client would use a password if it has no token source. */
const TOKEN_METHOD = "TOKEN"

/** SASL XOAUTH2. The server answers a refused token with a challenge; an empty reply makes it state the reason. */
const xoauth2: SMTPConnectionCustomAuthHandler = async ({ auth, sendCommand }) => {
  const { pass, user } = auth.credentials
  const token = Buffer.from(`user=${user}\x01auth=Bearer ${pass}\x01\x01`, "utf8").toString("base64")
  const first = await sendCommand(`AUTH XOAUTH2 ${token}`)
  const { status } = first.status === 334 ? await sendCommand("") : first
  if (status !== 235) throw new Error("The access token was refused")
}

const timedOut = (what: string): SmtpError => ({ message: `The server took too long ${what}`, code: "ETIMEDOUT" })

/** One connection to one server. Any failure closes it. */
export class SmtpClient {
  private readonly connection: SMTPConnection
  private phase: SmtpPhase = "connection"
  private contentBegun = false
  private features = ""
  private onError: (error: SmtpError) => void = () => undefined

  private constructor(
    private readonly account: SmtpAccount,
    private readonly options: SmtpOptions
  ) {
    const { host, port, security } = account.smtp
    this.connection = new SMTPConnection({
      host,
      port,
      secure: security === "tls",
      requireTLS: security === "starttls",
      ignoreTLS: security === "none",
      tls: mailTls(options),
      connectionTimeout: options.deadlines.connect,
      dnsTimeout: options.deadlines.connect,
      greetingTimeout: options.deadlines.greeting,
      // A fallback for what the parts' own timeouts don't cover.
      socketTimeout: 2 * options.deadlines.content,
      // An abandoned connection must not finish its content in an orderly way.
      socketCloseTimeout: 0,
      maxResponseSize: 64 * 1024,
      customAuth: { [TOKEN_METHOD]: xoauth2 }
    })
    this.connection.on("error", (error: SmtpError) => this.onError(error))
  }

  /** Connects and signs in. */
  static open(account: SmtpAccount, options: SmtpOptions): Effect.Effect<SmtpClient, ProviderFailure> {
    return Effect.suspend(() => {
      if (account.smtp.security === "none" && !isLoopback(account.smtp.host)) {
        const error = { message: "A server that is not on this machine needs TLS", code: "EAUTH" }
        return Effect.fail(smtpFailure({ error, phase: "tls", contentBegun: false }))
      }
      if (account.auth === "oauth") {
        const error = { message: "An access token has to be had first", code: "EAUTH" }
        return Effect.fail(smtpFailure({ error, phase: "login", contentBegun: false }))
      }
      const client = new SmtpClient(account, options)
      return inSpan("mail.connect", {
        kind: "client",
        attributes: () => ({ "server.address": account.smtp.host, "server.port": account.smtp.port })
      })(Effect.as(Effect.andThen(client.connect, client.login), client))
    })
  }

  get isOpen(): boolean {
    return !this.connection.destroyed
  }

  get knowsUtf8(): boolean {
    return /[ -]SMTPUTF8\b/im.test(this.features)
  }

  /** Sends QUIT and waits only briefly for the answer. */
  readonly quit = Effect.sync(() => {
    if (!this.isOpen) return
    this.onError = () => undefined
    this.connection.quit()
    setTimeout(() => this.connection.close(), 1_000).unref()
  })

  readonly close = Effect.sync(() => this.connection.close())

  private readonly failure = (error: SmtpError): ProviderFailure =>
    smtpFailure({ error, phase: this.phase, contentBegun: this.contentBegun })

  /** One exchange with its timeout. A failure or a timeout closes the connection. */
  private exchange<A>(
    what: string,
    millis: number,
    run: (done: (error: SmtpError | null | undefined, value: A) => void) => void
  ): Effect.Effect<A, ProviderFailure> {
    return callback<A, ProviderFailure>((resume) => {
      const end = (effect: Effect.Effect<A, ProviderFailure>) => {
        clearTimeout(timer)
        this.onError = () => undefined
        resume(effect)
      }
      const fail = (error: SmtpError) => {
        end(Effect.fail(this.failure(error)))
        this.connection.close()
      }
      const timer = setTimeout(() => fail(timedOut(what)), millis)
      this.onError = fail
      run((error, value) => (error ? fail(error) : end(Effect.succeed(value))))
      return Effect.sync(() => {
        clearTimeout(timer)
        this.connection.close()
      })
    })
  }

  private get connect(): Effect.Effect<void, ProviderFailure> {
    return this.exchange<void>("to connect", this.options.deadlines.connect, (done) =>
      this.connection.connect((error) => {
        this.features = String(this.connection.lastServerResponse)
        this.phase = "login"
        done(error)
      })
    )
  }

  private get login(): Effect.Effect<void, ProviderFailure> {
    const { auth, secret, username } = this.account
    if (username === "") return Effect.sync(() => void (this.phase = "recipient"))
    const credentials = {
      user: username,
      pass: Redacted.value(secret),
      ...(auth === "xoauth2" ? { method: TOKEN_METHOD } : {})
    }
    return this.exchange<void>("to sign in", this.options.deadlines.login, (done) =>
      this.connection.login(credentials, (error) => {
        if (!error) this.phase = "recipient"
        done(error)
      })
    )
  }

  /**
   * Sends one message. The content stream stays empty until `claim` succeeds; it is first read when the server has
   * invited it.
   */
  send<E, R>(
    { from, raw, to }: ComposedMail,
    claim: Effect.Effect<boolean, E, R>
  ): Effect.Effect<"sent" | "withdrawn", ProviderFailure | E, R> {
    const { content: contentMillis, envelope: envelopeMillis } = this.options.deadlines
    let invited: () => void = () => undefined
    let answered: (error: SmtpError | null, response: string) => void = () => undefined
    let early: SmtpError | null = null
    const content = new Readable({ read: () => invited() })

    const envelope = this.exchange<void>("to accept sender and recipient", envelopeMillis, (done) => {
      invited = () => {
        done(null)
        // Errors before the content don't concern the message; keep them until the claim is made.
        this.onError = (error) => (early = error)
        answered = (error, response) => (early = error ?? { message: `Answered too soon: ${response}` })
      }
      answered = (error) => done(error)
      this.connection.send({ from, to: [to], size: raw.length, use8BitMime: true }, content, (error, info) =>
        answered(error as SmtpError | null, info?.response ?? "")
      )
    })

    const transfer = Effect.suspend(() => {
      if (early !== null) return Effect.fail(this.failure(early))
      return this.exchange<"sent">("to answer for the message", contentMillis, (done) => {
        answered = (error, response) =>
          // An unintelligible reply says nothing about the message.
          error === null && !/^2\d\d(?:[ -]|$)/.test(response)
            ? done({ message: response }, "sent")
            : done(error, "sent")
        this.phase = "content"
        this.contentBegun = true
        content.push(raw)
        content.push(null)
      })
    })

    return inSpan("mail.recipient", { kind: "client" })(envelope).pipe(
      Effect.andThen(claim),
      Effect.flatMap((claimed) =>
        claimed ? inSpan("mail.data", { kind: "client" })(transfer) : Effect.succeed("withdrawn" as const)
      ),
      Effect.tap(() =>
        Effect.sync(() => {
          this.phase = "recipient"
          this.contentBegun = false
        })
      ),
      // On any other exit the content is incomplete and must stay so: close the connection.
      Effect.onExit((exit) => (exit._tag === "Success" && exit.value === "sent" ? Effect.void : this.close))
    )
  }
}
