import { Effect, Exit, type Scope } from "effect"
import type { AddressInfo } from "node:net"
import type { SMTPServer, SMTPServerOptions } from "smtp-server"
import { type ImapServer, type ImapServerOptions, makeImapServer } from "./ImapServer.js"

/** What a server has taken, for whom. */
export interface TakenMessage {
  readonly from: string
  readonly to: string
  readonly raw: Buffer
}

/** A mail server within this process: what is submitted to one of its addresses lies in that mailbox's inbox. */
export interface MailServerInProcess {
  readonly smtpPort: number
  readonly imap: ImapServer
  /** Opens a mailbox, whose user is its address. */
  readonly addMailbox: ImapServer["addMailbox"]
  /** Everything that was accepted, oldest first, also for addresses that are nobody's here. */
  readonly taken: ReadonlyArray<TakenMessage>
}

export interface MailServerOptions extends ImapServerOptions {
  /** Whether what is submitted is put into the sender's folder of sent mail. */
  readonly keepsSent?: boolean
  /**
   * Takes each submitted message, once per recipient, instead of keeping and delivering it here. If it fails, the server
   * answers that it takes nothing at the moment.
   */
  readonly onSubmitted?: (submitted: TakenMessage) => Effect.Effect<void, unknown>
}

/** How long a closing server waits for its connections. */
const CLOSE_MILLIS = 1_000

/** The largest message that is taken. */
const MESSAGE_OCTETS_MAX = 10 * 1024 * 1024

const listen = (server: SMTPServer): Effect.Effect<number> =>
  Effect.callback((resume) => {
    server.once("error", (error) => resume(Effect.die(error)))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.server.address() as AddressInfo).port)))
  })

export const makeMailServer = (
  options: MailServerOptions = {}
): Effect.Effect<MailServerInProcess, never, Scope.Scope> =>
  Effect.gen(function* () {
    const imap = yield* makeImapServer(options)
    const runCallback = Effect.runCallbackWith(yield* Effect.context<never>())
    const { certificate, keepsSent = true, now = () => new Date(), onSubmitted, security } = options
    const taken: Array<TakenMessage> = []

    const settings: SMTPServerOptions = {
      authMethods: ["PLAIN", "LOGIN", "XOAUTH2"],
      size: MESSAGE_OCTETS_MAX,
      disableReverseLookup: true,
      closeTimeout: CLOSE_MILLIS,
      secure: security === "tls",
      ...(certificate === undefined ? { hideSTARTTLS: true, allowInsecureAuth: true } : certificate),
      onAuth: (auth, _session, done) => {
        const mailbox = imap.mailboxes.get((auth.username ?? "").toLowerCase())
        const isRight =
          auth.method === "XOAUTH2"
            ? auth.accessToken === mailbox?.accessToken
            : mailbox !== undefined && auth.password === mailbox.password
        if (mailbox !== undefined && isRight) done(null, { user: mailbox.user })
        else done(Object.assign(new Error("Authentication failed"), { responseCode: 535 }))
      },
      onData: (stream, session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope
          const from = mailFrom === false ? "" : mailFrom.address
          const body = Buffer.concat(chunks)
          if (onSubmitted !== undefined) {
            const each = Effect.forEach(rcptTo, ({ address }) => onSubmitted({ from, to: address, raw: body }))
            runCallback(each, {
              onExit: (exit) =>
                Exit.isSuccess(exit)
                  ? done()
                  : done(Object.assign(new Error("It can't be taken now"), { responseCode: 451 }))
            })
            return
          }
          for (const { address } of rcptTo) {
            // As a server does that delivers: it says whom a failure would be told to (RFC 5321 §4.4).
            const raw = Buffer.concat([Buffer.from(`Return-Path: <${from}>\r\n`), body])
            taken.push({ from, to: address, raw })
            imap.mailboxes.get(address.toLowerCase())?.inbox.add(raw, now())
          }
          const sender = keepsSent ? imap.mailboxes.get(String(session.user ?? "")) : undefined
          const sent = [...(sender?.folders.values() ?? [])].find(({ specialUse }) => specialUse === "\\Sent")
          sent?.add(body, now(), new Set(["\\Seen"]))
          done()
        })
      }
    }
    const { SMTPServer: Server } = yield* Effect.promise(() => import("smtp-server"))
    const server = new Server(settings)
    // A client that resets its connection ends that alone. Without a listener it would end the process.
    server.on("error", () => undefined)
    const smtpPort = yield* Effect.acquireRelease(listen(server), () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
    )
    return { smtpPort, imap, addMailbox: imap.addMailbox, taken }
  })
