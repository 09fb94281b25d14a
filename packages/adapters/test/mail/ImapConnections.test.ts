import { assert, it } from "@effect/vitest"
import { makeImap, told } from "@outbound/adapters/mail/Imap.js"
import { connect } from "@outbound/adapters/mail/ImapConnection.js"
import { LOGINS_MAX, makeLogins } from "@outbound/adapters/mail/Logins.js"
import { makeSentFolders } from "@outbound/adapters/mail/SentFolders.js"
import * as Smtp from "@outbound/adapters/mail/Smtp.js"
import { SMTP_DEADLINES } from "@outbound/adapters/mail/SmtpClient.js"
import { MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import { type ImapServer, makeImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import { rounds } from "@outbound/testkit/thorough.js"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { mailServer, makeAccount, makeMail, PASSWORD } from "./support.js"

const USER = "jo@acme.test"
const SENT = "Gesendete Objekte"

const accountOf = (imap: ImapServer, smtpPort = 1) =>
  makeAccount(smtpPort, {
    imap: { host: "127.0.0.1", port: imap.port, security: "none" },
    keepsSent: false,
    sentFolder: SENT
  })

const heardOf = (server: ImapServer, word: RegExp) => server.heard.filter((command) => word.test(command)).length

const LOGIN = /\b(?:LOGIN|AUTHENTICATE)\b/

/** Waits for something of the server's side, which answers on its own time. */
const until = (isSo: () => boolean) => Effect.repeat(Effect.sleep("1 millis"), { until: () => isSo() })

const mail = (n: number): Buffer =>
  Buffer.from(`From: Pat <pat@b.test>\r\nSubject: ${n}\r\nMessage-ID: <m${n}@b.test>\r\n\r\nHello\r\n`)

it.live(
  "thousands of wakes leave no listener behind, and take one login",
  () =>
    Effect.gen(function* () {
      const server = yield* makeImapServer()
      const mailbox = server.addMailbox(USER, PASSWORD)
      const warnings: Array<Error> = []
      const warned = (warning: Error) => void warnings.push(warning)
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("warning", warned)),
        () => Effect.sync(() => process.off("warning", warned))
      )
      const client = yield* connect(accountOf(server), {})
      yield* Effect.promise(() => client.mailboxOpen("INBOX", { readOnly: true }))
      const listeners = () => client.eventNames().map((name) => [String(name), client.listenerCount(name)])
      const before = listeners()
      const wakes = rounds(3_000, 300)
      for (let wake = 1; wake <= wakes; wake += 1) {
        const woken = yield* Effect.forkChild(told(client))
        yield* until(() => heardOf(server, /IDLE/) >= wake)
        mailbox.inbox.add(mail(wake), new Date())
        yield* Fiber.join(woken)
        yield* Effect.promise(() => client.noop())
      }
      assert.deepStrictEqual(listeners(), before)
      assert.strictEqual(heardOf(server, LOGIN), 1)
      yield* Effect.sleep("1 millis")
      assert.isEmpty(warnings.filter(({ name }) => name === "MaxListenersExceededWarning"))
    }),
  { timeout: 600_000 }
)

it.live("copies of many messages and look-ups among them take one login", () =>
  Effect.gen(function* () {
    const server = yield* makeImapServer()
    const mailbox = server.addMailbox(USER, PASSWORD)
    const smtp = yield* mailServer({ hideSTARTTLS: true, allowInsecureAuth: true })
    const account = accountOf(server, smtp.port)
    const options = { logins: makeLogins() }
    const folders = yield* makeSentFolders(options)
    const reader = yield* makeImap(options, folders)
    const sent = Array.from({ length: 12 }, () => makeMail())
    yield* Effect.forEach(sent, (one) =>
      Effect.flatMap(MailTransport, (transport) =>
        // Each message has a session of its own, as in the service.
        Effect.scoped(Effect.flatMap(transport.session(account), (session) => session.send(one, Effect.succeed(true))))
      )
    ).pipe(Effect.provide(Smtp.layer({ ca: null, deadlines: SMTP_DEADLINES }, folders)))
    assert.lengthOf(mailbox.folder(SENT)?.mails ?? [], sent.length)
    assert.strictEqual(yield* reader.findInSent(account, sent[7]?.messageId ?? ""), "found")
    assert.strictEqual(heardOf(server, LOGIN), 1)
    // A server that closes the connection is logged in to once more.
    yield* server.drop
    assert.strictEqual(yield* reader.findInSent(account, sent[0]?.messageId ?? ""), "found")
    assert.strictEqual(heardOf(server, LOGIN), 2)
  })
)

it.live("a connection is opened again after it was lost, and refused logins leave none open", () =>
  Effect.gen(function* () {
    const server = yield* makeImapServer()
    server.addMailbox(USER, PASSWORD)
    const folders = yield* makeSentFolders({})
    const account = accountOf(server)
    server.faults.refusesLogin = true
    for (let tries = 0; tries < 3; tries += 1) {
      assert.strictEqual((yield* Effect.flip(folders.use(account, () => Effect.void))).reason, "account")
    }
    yield* until(() => server.connections() === 0)
    server.faults.refusesLogin = false
    yield* folders.use(account, () => Effect.void)
    assert.strictEqual(server.connections(), 1)
  })
)

it.effect("a mailbox logs in six times in any hour of a day at most, and reading never waits for copies", () =>
  Effect.gen(function* () {
    const logins = makeLogins()
    const granted: Array<number> = []
    // A server that drops every connection at once: copies and reading try each minute.
    for (let minute = 0; minute < 24 * 60; minute += 1) {
      const nowMillis = minute * 60_000
      for (const use of ["sent", "reading"] as const) {
        const taken = yield* Effect.result(logins.take("m", use))
        if (taken._tag === "Success") granted.push(nowMillis)
        else assert.isAbove(taken.failure.retryAfterSeconds ?? 0, 0)
      }
      yield* TestClock.adjust("1 minute")
    }
    for (const at of granted) {
      const inHour = granted.filter((other) => other >= at && other < at + 3_600_000)
      assert.isAtMost(inHour.length, LOGINS_MAX)
    }
    assert.isAtLeast(granted.length, 24)
    // Copies alone never take the last ones.
    const fresh = makeLogins()
    const copies = yield* Effect.forEach(Array.from({ length: 9 }), () => Effect.result(fresh.take("m", "sent")))
    assert.lengthOf(
      copies.filter(({ _tag }) => _tag === "Success"),
      LOGINS_MAX - 2
    )
    yield* fresh.take("m", "reading")
    yield* fresh.take("another", "sent")
    const late = yield* Effect.result(fresh.take("m", "reading"))
    assert.strictEqual(late._tag, "Success")
    assert.strictEqual((yield* Effect.flip(fresh.take("m", "reading"))).reason, "rate_limited")
    yield* TestClock.adjust("1 hour")
    yield* fresh.take("m", "reading")
  })
)
