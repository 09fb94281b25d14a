import { assert, it } from "@effect/vitest"
import { smtpAnswerOf } from "@outbound/domain/outreach/mail/MailTransport.js"
import { faultySmtp } from "@outbound/testkit/mail/FaultySmtp.js"
import { TEST_AUTHORITY } from "@outbound/testkit/mail/certificates.js"
import { makeCollected } from "@outbound/testkit/telemetry/Collected.js"
import { Effect, Redacted } from "effect"
import { countedClaim, DEADLINES, inSession, mailServer, makeAccount, makeMail, sendOne, TOKEN } from "./support.js"

it.live("a message goes out once, signed in over TLS, with what it was given", () =>
  Effect.gen(function* () {
    const { port, taken } = yield* mailServer({ secure: true })
    const { asked, claim } = countedClaim(true)
    const mail = makeMail({ references: ["a@acme.test", "b@acme.test"], subject: "Grüße" })
    assert.strictEqual(yield* sendOne(makeAccount(port, { security: "tls" }), mail, claim), "sent")
    assert.strictEqual(asked.times, 1)
    assert.lengthOf(taken, 1)
    const { from, raw, to } = taken[0]!
    assert.deepStrictEqual([from, to], ["jo@acme.test", ["ann@example.com"]])
    assert.include(raw, `\r\nMessage-ID: <${mail.messageId}>\r\n`)
    assert.include(raw, "\r\nReferences: <a@acme.test> <b@acme.test>\r\n")
    assert.include(raw, "\r\nIn-Reply-To: <b@acme.test>\r\n")
    assert.include(raw, "\r\n.hidden dots are kept\r\n")
  })
)

it.live("STARTTLS is asked for, and an access token signs in", () =>
  Effect.gen(function* () {
    const { port, taken } = yield* mailServer()
    const account = makeAccount(port, { security: "starttls", auth: "xoauth2", secret: Redacted.make(TOKEN) })
    assert.strictEqual(yield* sendOne(account, makeMail()), "sent")
    assert.lengthOf(taken, 1)
  })
)

it.live("a token that is refused is the account's trouble, and says so in the server's words", () =>
  Effect.gen(function* () {
    const { port, taken } = yield* mailServer()
    const account = makeAccount(port, { security: "starttls", auth: "xoauth2", secret: Redacted.make("stale") })
    const failure = yield* Effect.flip(sendOne(account, makeMail()))
    assert.strictEqual(failure.reason, "account")
    assert.deepInclude(smtpAnswerOf(failure)!, { phase: "login", code: 535 })
    assert.isEmpty(taken)
  })
)

it.live("a wrong password is the account's trouble, and the password is in no part of the failure", () =>
  Effect.gen(function* () {
    const { port } = yield* mailServer({ secure: true })
    const account = makeAccount(port, { security: "tls", secret: Redacted.make("wrong-secret") })
    const failure = yield* Effect.flip(sendOne(account, makeMail()))
    assert.strictEqual(failure.reason, "account")
    assert.deepInclude(smtpAnswerOf(failure)!, { phase: "login", code: 535, status: "5.7.8" })
    const told = JSON.stringify(failure) + String(failure.cause) + String(failure.stack)
    for (const secret of ["wrong-secret", Buffer.from("\0jo@acme.test\0wrong-secret").toString("base64")]) {
      assert.notInclude(told, secret)
    }
  })
)

it.live("a certificate that nobody vouches for is not talked to, and no secret is told", () =>
  Effect.gen(function* () {
    for (const security of ["tls", "starttls"] as const) {
      let logins = 0
      const { port } = yield* mailServer({
        secure: security === "tls",
        onAuth: (_auth, _session, done) => {
          logins += 1
          done(null, { user: "jo" })
        }
      })
      const send = (ca: string | null) =>
        inSession(makeAccount(port, { security }), (session) => session.send(makeMail(), Effect.succeed(true)), {
          ca,
          deadlines: DEADLINES
        })
      const failure = yield* Effect.flip(send(null))
      assert.strictEqual(failure.reason, "account")
      assert.strictEqual(smtpAnswerOf(failure)?.phase, "tls")
      assert.strictEqual(logins, 0)
    }
  })
)

it.live("a server that is not on this machine gets no secret without TLS", () =>
  Effect.gen(function* () {
    const account = makeAccount(25, { smtp: { host: "192.0.2.1", port: 25, security: "none" } })
    const failure = yield* Effect.flip(sendOne(account, makeMail()))
    assert.strictEqual(failure.reason, "account")
  })
)

it.live("a claim that says no, or fails, takes the message back: nothing arrives, and the next one goes", () =>
  Effect.gen(function* () {
    const { port, taken } = yield* mailServer({ secure: true })
    const later = makeMail()
    yield* inSession(
      makeAccount(port, { security: "tls" }),
      (session) =>
        Effect.gen(function* () {
          assert.strictEqual(yield* session.send(makeMail(), Effect.succeed(false)), "withdrawn")
          assert.strictEqual(yield* Effect.flip(session.send(makeMail(), Effect.fail("store" as const))), "store")
          assert.strictEqual(yield* session.send(later, Effect.succeed(true)), "sent")
        }),
      // On a connection that still waits for the content the next message would be waited for in vain.
      { ca: TEST_AUTHORITY, deadlines: { ...DEADLINES, envelope: 60_000, content: 60_000 } }
    )
    assert.lengthOf(taken, 1)
    assert.include(taken[0]!.raw, later.messageId)
  })
)

it.live("the claim is asked when the server waits for the content, and not before", () =>
  Effect.gen(function* () {
    const server = yield* faultySmtp({ fault: null })
    let heard: ReadonlyArray<string> = []
    const claim = Effect.sync(() => {
      heard = server.commands().map((line) => line.split(" ")[0] ?? "")
      return true
    })
    assert.strictEqual(yield* sendOne(makeAccount(server.port), makeMail(), claim), "sent")
    assert.deepStrictEqual(heard, ["EHLO", "AUTH", "MAIL", "RCPT", "DATA"])
    assert.lengthOf(server.messages(), 1)
  })
)

it.live("messages follow one another on one connection, in order, also when they are sent at once", () =>
  Effect.gen(function* () {
    for (const features of [[], ["PIPELINING", "8BITMIME", "SIZE 1000000"]]) {
      const server = yield* faultySmtp({ fault: null, features })
      const mails = Array.from({ length: 5 }, (_, i) => makeMail({ subject: `Number ${i}` }))
      yield* inSession(makeAccount(server.port), (session) =>
        Effect.forEach(mails, (mail) => session.send(mail, Effect.succeed(true)), { concurrency: "unbounded" })
      )
      assert.strictEqual(server.connections(), 1)
      assert.deepStrictEqual(
        server.messages().map((raw) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim()),
        mails.map(({ subject }) => subject)
      )
    }
  })
)

it.live("a connection that the server gave up while it waited is opened again", () =>
  Effect.gen(function* () {
    const server = yield* faultySmtp({
      fault: { at: "mail", do: "answer", lines: "421 4.4.2 Idle too long", after: "drop" },
      connections: 1,
      afterMessages: 1
    })
    const { asked, claim } = countedClaim(true)
    yield* inSession(makeAccount(server.port), (session) =>
      Effect.replicateEffect(
        Effect.suspend(() => session.send(makeMail(), claim)),
        2
      )
    )
    assert.deepStrictEqual([server.connections(), server.messages().length, asked.times], [2, 2, 2])
  })
)

it.live("an address beyond ASCII is written to where the server can, and refused where it can't", () =>
  Effect.gen(function* () {
    const mail = makeMail({ to: { address: "jörg@xn--exmple-cua.test", name: "Jörg" } })
    const able = yield* faultySmtp({ fault: null, features: ["SMTPUTF8", "8BITMIME"] })
    assert.strictEqual(yield* sendOne(makeAccount(able.port), mail), "sent")
    const envelope = able.commands().filter((line) => /^(?:MAIL|RCPT)/.test(line))
    assert.deepStrictEqual(envelope, ["MAIL FROM:<jo@acme.test> SMTPUTF8 BODY=8BITMIME", "RCPT TO:<jörg@exämple.test>"])
    const unable = yield* faultySmtp({ fault: null })
    const { asked, claim } = countedClaim(true)
    const failure = yield* Effect.flip(sendOne(makeAccount(unable.port), mail, claim))
    assert.deepStrictEqual([failure.reason, asked.times, unable.messages().length], ["invalid", 0, 0])
  })
)

it.live("each phase has its span, with the type of a failure and none of its text", () =>
  Effect.gen(function* () {
    const { port } = yield* mailServer({ secure: true })
    const good = makeCollected()
    yield* Effect.provide(sendOne(makeAccount(port, { security: "tls" }), makeMail()), good.layer)
    assert.deepStrictEqual(
      good.spans.map(({ failure, kind, name }) => `${name} ${kind} ${failure}`),
      ["mail.connect client null", "mail.recipient client null", "mail.data client null"]
    )

    const bad = makeCollected()
    const account = makeAccount(port, { security: "tls", secret: Redacted.make("wrong-secret") })
    yield* Effect.provide(Effect.flip(sendOne(account, makeMail())), bad.layer)
    assert.deepStrictEqual(
      bad.spans.map(({ attributes, name }) => [name, attributes.get("error.type")]),
      [["mail.connect", "account"]]
    )
    const told = bad.spans[0]?.failure ?? assert.fail("the span went well")
    assert.include(told, "account")
    for (const word of ["5.7.8", "wrong-secret", "jo@acme.test"]) assert.notInclude(told, word)
  })
)
