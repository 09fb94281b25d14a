import { assert, it } from "@effect/vitest"
import { makeImap } from "@outbound/adapters/mail/Imap.js"
import * as Smtp from "@outbound/adapters/mail/Smtp.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import { namedMessages } from "@outbound/domain/outreach/replies/recognise.js"
import { valueOf } from "@outbound/domain/outreach/mail/mail.js"
import { makeMailServer } from "@outbound/sandbox/mail/MailServer.js"
import { Effect, Redacted } from "effect"
import { connect, type Socket } from "node:net"

const [JO, PAT] = ["jo@acme.test", "pat@acme.test"]
/** Connects, and leaves once the server has greeted. */
const greeted = (port: number, leave: (socket: Socket) => void) =>
  Effect.callback<void>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("data", () => {
      socket.once("close", () => resume(Effect.void))
      socket.write("\r\n", () => leave(socket))
    })
  })

const OURS = "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70"

it.live("a client that resets its connection ends that alone", () =>
  Effect.gen(function* () {
    const server = yield* makeMailServer()
    for (const port of [server.smtpPort, server.imap.port]) {
      yield* greeted(port, (socket) => socket.resetAndDestroy())
      yield* greeted(port, (socket) => socket.destroy())
    }
  }).pipe(Effect.scoped)
)

it.live("what is submitted by SMTP is read by IMAP, names its message, and lies among what was sent", () =>
  Effect.gen(function* () {
    const server = yield* makeMailServer()
    for (const user of [JO, PAT]) server.addMailbox(user, "secret")
    const accountOf = (address: string): MailAccount => ({
      workspaceId: "w",
      mailboxId: address,
      address,
      displayName: "Jo",
      smtp: { host: "127.0.0.1", port: server.smtpPort, security: "none" },
      imap: { host: "127.0.0.1", port: server.imap.port, security: "none" },
      username: address,
      auth: "password",
      secret: Redacted.make("secret"),
      sentFolder: "Gesendete Objekte",
      keepsSent: true,
      keepsMessageIds: true
    })
    const messageId = `${OURS}@acme.test`
    const transport = yield* MailTransport
    const smtp = yield* transport.session(accountOf(JO))
    const outgoing = {
      messageId,
      from: { address: JO, name: "Jo" },
      to: { address: PAT, name: null },
      subject: "Grüße",
      text: "Hi Pat,\n\nfür dich.",
      html: null,
      references: [],
      unsubscribeUrl: "https://outbound.test/u/1",
      mark: { header: "X-Lunedaki", value: `${OURS}.${"m".repeat(22)}` }
    }
    assert.strictEqual(yield* smtp.send(outgoing, Effect.succeed(true)), "sent")

    const reader = yield* makeImap()
    const session = yield* reader.session(accountOf(PAT))
    const { mails } = yield* session.arrivals({ folder: "INBOX", cursor: null, sinceMillis: Date.now(), limit: 10 })
    assert.lengthOf(mails, 1)
    const content = yield* session.content(mails[0]!)
    assert.deepStrictEqual([content?.subject, content?.text.includes("für dich.")], ["Grüße", true])
    assert.strictEqual(valueOf(content?.headers ?? [], "return-path"), `<${JO}>`)
    // Where a server renamed it, the marker still says which message of ours it is.
    const renamed = (content?.headers ?? []).filter(({ name }) => name !== "message-id")
    assert.deepStrictEqual(namedMessages({ ...content!, headers: renamed }, "X-Lunedaki"), [OURS])
    assert.strictEqual(yield* reader.findInSent(accountOf(JO), messageId), "found")
  }).pipe(Effect.provide(Smtp.layer()))
)
