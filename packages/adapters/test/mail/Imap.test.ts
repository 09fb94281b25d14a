import { DAY_MILLIS } from "@outbound/domain/kernel/durations.js"
import { assert, it } from "@effect/vitest"
import { makeImap } from "@outbound/adapters/mail/Imap.js"
import type { ArrivalsQuery, MailboxSession } from "@outbound/domain/outreach/mail/MailReader.js"
import { valueOf } from "@outbound/domain/outreach/mail/mail.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { accessTokenOf, type ImapServer, makeImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { inspect } from "node:util"
import { Deferred, Effect, Redacted } from "effect"

const USER = "jo@acme.test"
const PASSWORD = 'pa"ss \\wörd'

const mail = (n: number, text = "Hello"): Buffer =>
  Buffer.from(
    `From: Pat <pat@b.test>\r\nTo: jo@acme.test\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe_${n}?=\r\n` +
      `Message-ID: <m${n}@b.test>\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`
  )

const accountOf = (server: ImapServer, given: Partial<MailAccount> = {}): MailAccount => {
  const reached = { host: "127.0.0.1", port: server.port, security: "none" as const }
  return {
    workspaceId: "w",
    mailboxId: "m",
    address: USER,
    displayName: "Jo",
    smtp: reached,
    imap: reached,
    username: USER,
    auth: "password",
    secret: Redacted.make(PASSWORD),
    sentFolder: "Gesendete Objekte",
    keepsSent: true,
    keepsMessageIds: true,
    ...given
  }
}

const started = Effect.gen(function* () {
  const server = yield* makeImapServer()
  const mailbox = server.addMailbox(USER, PASSWORD)
  const reader = yield* makeImap()
  return { server, mailbox, reader, account: accountOf(server) }
})

const query = (given: Partial<ArrivalsQuery> = {}): ArrivalsQuery => ({
  folder: "INBOX",
  cursor: null,
  sinceMillis: Date.now(),
  limit: 10,
  ...given
})

/** Reads a folder up to its end, page by page. */
const readAll = (session: MailboxSession, first: ArrivalsQuery) =>
  Effect.gen(function* () {
    const subjects: Array<string> = []
    let { cursor } = first
    for (;;) {
      const page = yield* session.arrivals({ ...first, cursor })
      subjects.push(...page.mails.map(({ subject }) => subject))
      cursor = page.cursor
      if (!page.more) return { subjects, cursor }
    }
  })

const failureOf = <A>(effect: Effect.Effect<A, ProviderFailure>): Effect.Effect<string> =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason).pipe(Effect.orElseSucceed(() => "succeeded"))

it.live("what came in is read page by page, once, and stays unseen", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader, server } = yield* started
    for (let n = 1; n <= 25; n++) mailbox.inbox.add(mail(n), new Date())
    const session = yield* reader.session(account)
    assert.deepStrictEqual(session.folders, ["INBOX", "Unerwünscht"])
    const { cursor, subjects } = yield* readAll(session, query())
    assert.deepStrictEqual(
      subjects,
      Array.from({ length: 25 }, (_, n) => `Grüße ${n + 1}`)
    )
    assert.deepStrictEqual((yield* session.arrivals(query({ cursor }))).mails, [])
    mailbox.inbox.add(mail(26), new Date())
    const [arrived] = (yield* session.arrivals(query({ cursor }))).mails
    assert.strictEqual(arrived?.fromEmail, "pat@b.test")
    const content = yield* session.content(arrived!)
    assert.strictEqual(content?.text.trim(), "Hello")
    assert.isFalse(content?.truncated)
    assert.isTrue(mailbox.inbox.mails.every(({ flags }) => flags.size === 0))
    assert.isFalse(server.heard.some((command) => /SELECT|STORE|BODY\[/.test(command)))
  })
)

it.live("folders beyond ASCII are found and read", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    mailbox.folder("Unerwünscht")?.add(mail(1), new Date())
    const session = yield* reader.session(account)
    const { subjects } = yield* readAll(session, query({ folder: session.folders[1] as string }))
    assert.deepStrictEqual(subjects, ["Grüße 1"])
  })
)

it.live("what came since a time is found though the day before is on the server's calendar, and nothing older", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    // Servers search by the days of their own time zone, without the time (RFC 3501 §6.4.4).
    const days = ["2026-11-22T23:00:00Z", "2026-11-23T00:00:00Z", "2026-11-24T06:00:00Z"]
    for (const [n, day] of days.entries()) mailbox.inbox.add(mail(n), new Date(day))
    const session = yield* reader.session(account)
    const { subjects } = yield* readAll(session, query({ sinceMillis: Date.parse("2026-11-24T05:00:00Z") }))
    assert.deepStrictEqual(subjects, ["Grüße 1", "Grüße 2"])
  })
)

it.live("an empty beginning starts at what comes, not at what lay there before", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    for (let n = 1; n <= 5; n++) mailbox.inbox.add(mail(n), new Date(Date.now() - 40 * DAY_MILLIS))
    const session = yield* reader.session(account)
    const first = yield* session.arrivals(query())
    assert.deepStrictEqual([first.mails.length, first.cursor.lastUid], [0, 5])
    mailbox.inbox.add(mail(6), new Date(Date.now() - 40 * DAY_MILLIS))
    const second = yield* session.arrivals(query({ cursor: first.cursor }))
    assert.deepStrictEqual(
      second.mails.map(({ uid }) => uid),
      [6]
    )
  })
)

it.live("under another UIDVALIDITY the folder is begun anew, by date", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    mailbox.inbox.add(mail(1), new Date(Date.now() - 40 * DAY_MILLIS))
    mailbox.inbox.add(mail(2), new Date())
    const session = yield* reader.session(account)
    const { cursor } = yield* readAll(session, query())
    mailbox.inbox.changeUidValidity(500)
    mailbox.inbox.add(mail(3), new Date())
    const { cursor: next, subjects } = yield* readAll(session, query({ cursor }))
    assert.deepStrictEqual(subjects, ["Grüße 2", "Grüße 3"])
    assert.notStrictEqual(next.uidValidity, cursor.uidValidity)
    assert.strictEqual(next.lastUid, 502)
  })
)

it.live("without a UIDVALIDITY no message is lost, and none comes twice within a session", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    mailbox.inbox.uidValidity = 0
    for (let n = 1; n <= 25; n++) mailbox.inbox.add(mail(n), new Date())
    const session = yield* reader.session(account)
    const { cursor, subjects } = yield* readAll(session, query())
    assert.strictEqual(new Set(subjects).size, 25)
    assert.isTrue(Number.isSafeInteger(cursor.uidValidity))
    mailbox.inbox.add(mail(26), new Date())
    const next = yield* readAll(session, query({ cursor }))
    assert.deepStrictEqual(next.subjects, ["Grüße 26"])
    const [arrived] = (yield* session.arrivals(query())).mails
    assert.strictEqual((yield* session.content(arrived!))?.text.trim(), "Hello")
    const other = yield* reader.session(account)
    mailbox.inbox.renumber()
    assert.lengthOf((yield* readAll(other, query({ cursor: next.cursor }))).subjects, 26)
  })
)

it.live("a server that numbers anew without saying so hides no message", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    for (let n = 1; n <= 5; n++) mailbox.inbox.add(mail(n), new Date())
    const session = yield* reader.session(account)
    const { cursor } = yield* readAll(session, query())
    mailbox.inbox.remove(1)
    mailbox.inbox.remove(2)
    mailbox.inbox.renumber()
    mailbox.inbox.add(mail(6), new Date())
    assert.include((yield* readAll(session, query({ cursor }))).subjects, "Grüße 6")
  })
)

it.live("where a server replaces our ids, the folder of sent mail tells which message left under one", () =>
  Effect.gen(function* () {
    const { mailbox, reader, server } = yield* started
    const head = "From: jo@acme.test\r\nX-Lunedaki: ours\r\nMessage-ID: <theirs@relay.test>\r\n"
    mailbox.folder("Gesendete Objekte")?.add(Buffer.from(`${head}\r\nHello\r\n`), new Date())
    mailbox.inbox.add(mail(1), new Date())
    const session = yield* reader.session(accountOf(server, { keepsMessageIds: false }))
    const [arrived] = (yield* session.arrivals(query())).mails
    const copy = yield* session.sentAs!("theirs@relay.test")
    assert.strictEqual(valueOf(copy?.headers ?? [], "x-lunedaki"), "ours")
    assert.isNull(yield* session.sentAs!("unknown@relay.test"))
    assert.strictEqual((yield* session.content(arrived!))?.text.trim(), "Hello")
    const trusted = yield* reader.session(accountOf(server, { mailboxId: "other" }))
    assert.isUndefined(trusted.sentAs)
  })
)

it.live("folders of unwanted mail are found by their names too, if no server marks them", () =>
  Effect.gen(function* () {
    const server = yield* makeImapServer()
    const reader = yield* makeImap({ logins: { take: () => Effect.void } })
    const names: ReadonlyArray<readonly [string, boolean]> = [
      ["Spamverdacht", true],
      ["Unbekannt", true],
      ["QUARANTAINE", true],
      ["Quarentena", true],
      ["Clutter", true],
      ["Unerwünscht", true],
      ["INBOX/Junk E-mail", true],
      ["[Gmail]/Spam", true],
      ["Bulk", true],
      ["Courrier indésirable", true],
      ["Correo no deseado", true],
      ["Posta indesiderata", true],
      ["Lixo Eletrônico", true],
      ["Ongewenste e-mail", true],
      ["Skräppost", true],
      ["Niechciane", true],
      ["Нежелательная почта", true],
      ["垃圾邮件", true],
      ["迷惑メール", true],
      ["스팸함", true],
      ["İstenmeyen", true],
      ["Customers", false],
      ["Archive", false],
      ["Papierkorb", false]
    ]
    for (const [index, [name, isJunk]] of names.entries()) {
      const user = `user${index}@acme.test`
      const box = server.addMailbox(user, PASSWORD, [
        ["INBOX", null],
        [name, null]
      ])
      box.folder(name)?.add(mail(1), new Date())
      const session = yield* reader.session(accountOf(server, { mailboxId: user, username: user }))
      assert.deepStrictEqual(session.folders, isJunk ? ["INBOX", name] : ["INBOX"], name)
      if (isJunk) assert.lengthOf((yield* session.arrivals(query({ folder: name }))).mails, 1, name)
    }
  })
)

it.live("a message of any size is read up to a bound, whatever size the server states", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader, server } = yield* started
    mailbox.inbox.add(mail(1, `Yes, please.\r\n${"x".repeat(50_000_000)}`), new Date())
    server.faults.sizeFactor = 0.000001
    const session = yield* reader.session(account)
    const [arrived] = (yield* session.arrivals(query())).mails
    const content = yield* session.content(arrived!)
    assert.isTrue(content?.truncated)
    assert.isTrue(content?.text.startsWith("Yes, please."))
    assert.isBelow(content?.text.length ?? Infinity, 300_000)
    server.faults.ignoresPartial = true
    assert.strictEqual(yield* failureOf(session.content(arrived!)), "transient")
  })
)

it.live("the server's hint ends the wait, and so does the time", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader, server } = yield* started
    const session = yield* reader.session(account)
    const { cursor } = yield* session.arrivals(query())
    yield* session.waitForMail(20)
    const woken = yield* Deferred.make<void>()
    yield* Effect.forkScoped(Effect.andThen(session.waitForMail(60_000), Deferred.succeed(woken, undefined)))
    const idles = () => server.heard.filter((command) => /IDLE/.test(command)).length
    yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => idles() >= 2 })
    mailbox.inbox.add(mail(1), new Date())
    yield* Deferred.await(woken)
    // What came between reading and waiting is not waited for.
    yield* session.waitForMail(60_000)
    assert.lengthOf((yield* session.arrivals(query({ cursor }))).mails, 1)
  })
)

it.live("without IDLE the time ends the wait", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader, server } = yield* started
    server.faults.hasNoIdle = true
    const session = yield* reader.session(account)
    const { cursor } = yield* session.arrivals(query())
    yield* session.waitForMail(50)
    mailbox.inbox.add(mail(1), new Date())
    assert.lengthOf((yield* session.arrivals(query({ cursor }))).mails, 1)
  })
)

it.live("a connection that is lost fails what is under way, and a new one goes on from the cursor", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader, server } = yield* started
    for (let n = 1; n <= 4; n++) mailbox.inbox.add(mail(n), new Date())
    const cursor = yield* Effect.scoped(
      Effect.gen(function* () {
        const session = yield* reader.session(account)
        const page = yield* session.arrivals(query({ limit: 2 }))
        server.faults.dropsOn = { command: "UID FETCH", times: 1 }
        assert.strictEqual(yield* failureOf(session.arrivals(query({ cursor: page.cursor }))), "transient")
        assert.strictEqual(yield* failureOf(session.arrivals(query({ cursor: page.cursor }))), "transient")
        return page.cursor
      })
    )
    yield* server.stop
    assert.strictEqual(yield* failureOf(Effect.scoped(reader.session(account))), "transient")
    yield* server.start
    const again = yield* reader.session(account)
    const { subjects } = yield* readAll(again, query({ cursor }))
    assert.deepStrictEqual(subjects, ["Grüße 3", "Grüße 4"])
    yield* Effect.forkScoped(Effect.delay(server.drop, "20 millis"))
    assert.strictEqual(yield* failureOf(again.waitForMail(60_000)), "transient")
  })
)

it.live("who is not let in is told apart from a server that is full, and from one that is away", () =>
  Effect.gen(function* () {
    const { account, reader, server } = yield* started
    const tried = (given: Partial<MailAccount> = {}) =>
      failureOf(Effect.scoped(reader.session({ ...account, ...given })))
    assert.strictEqual(yield* tried(), "succeeded")
    assert.strictEqual(yield* tried({ secret: Redacted.make("wrong") }), "account")
    const token = Redacted.make(accessTokenOf(USER))
    assert.strictEqual(yield* tried({ auth: "xoauth2", secret: token }), "succeeded")
    assert.strictEqual(yield* tried({ auth: "xoauth2", secret: Redacted.make("old") }), "account")
    server.faults.isCrowded = true
    assert.strictEqual(yield* tried(), "rate_limited")
    yield* server.stop
    assert.strictEqual(yield* tried(), "transient")
    yield* server.start
    assert.strictEqual(server.connections(), 0)
  })
)

it.live("nobody is told the secret: neither who reads a failure, nor a server that is not to be trusted", () =>
  Effect.gen(function* () {
    const { account, server, reader } = yield* started
    server.faults.refusesLogin = true
    const failure = yield* Effect.flip(Effect.scoped(reader.session(account)))
    assert.notInclude(inspect(failure, { depth: 20, showHidden: true }), "wörd")
    const far = { ...account.imap, host: "imap.acme.test" }
    assert.strictEqual(yield* failureOf(Effect.scoped(reader.session({ ...account, imap: far }))), "account")
  })
)

for (const security of ["tls", "starttls"] as const) {
  it.live(`the connection is encrypted, with who can show who they are (${security})`, () =>
    Effect.gen(function* () {
      const server = yield* makeImapServer({
        certificate: { key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE },
        security
      })
      server.addMailbox(USER, PASSWORD).inbox.add(mail(1), new Date())
      const imap = { host: "localhost", port: server.port, security }
      const account = accountOf(server, { imap })
      const trusting = yield* makeImap({ ca: TEST_AUTHORITY })
      const session = yield* trusting.session(account)
      assert.lengthOf((yield* session.arrivals(query())).mails, 1)
      const distrusting = yield* makeImap()
      const heard = server.heard.length
      assert.strictEqual(yield* failureOf(Effect.scoped(distrusting.session(account))), "transient")
      assert.isFalse(server.heard.slice(heard).some((command) => /LOGIN|AUTHENTICATE/.test(command)))
    })
  )
}

it.live("a server without TLS is told nothing where TLS is asked for", () =>
  Effect.gen(function* () {
    const { account, reader, server } = yield* started
    const imap = { ...account.imap, security: "starttls" as const }
    assert.notStrictEqual(yield* failureOf(Effect.scoped(reader.session({ ...account, imap }))), "succeeded")
    assert.isFalse(server.heard.some((command) => /LOGIN|AUTHENTICATE/.test(command)))
  })
)

it.live("a message of ours is found among what was sent, or known not to be looked up", () =>
  Effect.gen(function* () {
    const { account, mailbox, reader } = yield* started
    mailbox.folder("Gesendete Objekte")?.add(mail(1), new Date())
    assert.strictEqual(yield* reader.findInSent(account, "m1@b.test"), "found")
    assert.strictEqual(yield* reader.findInSent(account, "m2@b.test"), "absent")
    assert.strictEqual(yield* reader.findInSent({ ...account, sentFolder: null }, "m1@b.test"), "unknowable")
    assert.strictEqual(yield* reader.findInSent({ ...account, sentFolder: "Gone" }, "m1@b.test"), "unknowable")
    assert.strictEqual(yield* reader.findInSent({ ...account, keepsMessageIds: false }, "m1@b.test"), "unknowable")
  })
)
