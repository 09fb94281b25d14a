import { assert, it } from "@effect/vitest"
import { type MailAccount, MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import { MailProbe } from "@outbound/domain/outreach/mail/MailProbe.js"
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { type ImapServer, makeImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import { Effect, Layer, Redacted, References } from "effect"
import { layer } from "../../src/mail/Probe.js"
import * as Smtp from "../../src/mail/Smtp.js"
import { DEADLINES, mailServer, makeAccount, makeMail, PASSWORD } from "./support.js"

const USER = "jo@acme.test"
const TLS = { certificate: { key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE } }
const SENT = "Gesendete Objekte"
const JUNK = "Unerwünscht"

const probing = layer({ arrivalMillis: 4_000, copyMillis: 1_000, pollMillis: 50 }).pipe(
  Layer.provideMerge(Smtp.layer({ ca: null, deadlines: DEADLINES }))
)

interface World {
  /** Where the server puts what comes for the mailbox; null: nowhere. */
  readonly into: string | null
  readonly keepsSent: boolean
  /** What the server makes of a message before it delivers it. */
  readonly change: (raw: string) => string
  readonly folders?: ReadonlyArray<readonly [path: string, specialUse: string | null]>
}

const USUAL: World = { into: "INBOX", keepsSent: true, change: (raw) => raw }

/** A mail server of both sides: what is submitted to it arrives in the mailbox. */
const world = ({ change, folders, into, keepsSent }: World = USUAL) =>
  Effect.gen(function* () {
    const imap: ImapServer = yield* makeImapServer()
    const mailbox = folders === undefined ? imap.addMailbox(USER, PASSWORD) : imap.addMailbox(USER, PASSWORD, folders)
    const smtp = yield* mailServer({
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onData: (stream, _session, done) => {
        const chunks: Array<Buffer> = []
        stream.on("data", (chunk: Buffer) => chunks.push(chunk))
        stream.on("end", () => {
          const raw = Buffer.from(change(Buffer.concat(chunks).toString("utf8")))
          if (into !== null) mailbox.folder(into)?.add(raw, new Date())
          if (keepsSent) mailbox.folder(SENT)?.add(raw, new Date())
          done()
        })
      }
    })
    const account = makeAccount(smtp.port, { imap: { host: "127.0.0.1", port: imap.port, security: "none" } })
    return { account, mailbox }
  })

const probe = (account: MailAccount) =>
  Effect.flatMap(MailProbe, (one) => one.probe(account)).pipe(Effect.provide(probing))

it.live("a mailbox that works is found to: signed in to, sent from, read, and its folders known", () =>
  Effect.gen(function* () {
    const { account, mailbox } = yield* world()
    assert.deepStrictEqual(yield* probe(account), {
      smtpLogin: { state: "ok" },
      imapLogin: { state: "ok" },
      send: { state: "ok" },
      read: { state: "ok" },
      isJunk: false,
      sentFolder: SENT,
      keepsSent: true,
      keepsMessageIds: true,
      signatures: [],
      dkimSelectors: []
    })
    assert.lengthOf(mailbox.inbox.mails, 1)
    assert.isEmpty([...(mailbox.inbox.mails[0]?.flags ?? [])])
  })
)

it.live("a server that gives messages other ids, keeps no copy, signs, or takes them for junk is found out", () =>
  Effect.gen(function* () {
    const signed = `DKIM-Signature: v=1; a=rsa-sha256; d=acme.test;\r\n s=s2026; bh=x; b=y\r\nDKIM-Signature: v=1; d=other.test; s=x; b=y\r\n`
    const { account } = yield* world({
      into: JUNK,
      keepsSent: false,
      change: (raw) => signed + raw.replace(/^Message-ID:.*$/m, "Message-ID: <other@server.test>")
    })
    const report = yield* probe(account)
    assert.deepInclude(report, {
      read: { state: "ok" },
      isJunk: true,
      sentFolder: SENT,
      keepsSent: false,
      keepsMessageIds: false
    })
    assert.deepStrictEqual(report.dkimSelectors, ["s2026"])
    // Who else signed is evidence as well: of mail that is not aligned.
    assert.deepStrictEqual(report.signatures, [
      { signer: "acme.test", selector: "s2026" },
      { signer: "other.test", selector: "x" }
    ])
  })
)

it.live("a server without a folder of sent mail is told apart", () =>
  Effect.gen(function* () {
    const { account } = yield* world({ ...USUAL, keepsSent: false, folders: [["INBOX", null]] })
    assert.deepInclude(yield* probe(account), { read: { state: "ok" }, sentFolder: null, keepsSent: false })
  })
)

it.live("both sign-ins are tried, each says what is wrong, and nothing is sent where one fails", () =>
  Effect.gen(function* () {
    const { account, mailbox } = yield* world()
    const both = yield* probe({ ...account, secret: Redacted.make("wrong") })
    assert.deepStrictEqual([both.smtpLogin.state, both.imapLogin.state, both.send.state, both.read.state], [
      "failed",
      "failed",
      "not_tried",
      "not_tried"
    ] as Array<string>)
    assert.match(JSON.stringify(both.smtpLogin), /SMTP server refuses this user name and secret.*535 5\.7\.8 Wrong/)
    assert.match(JSON.stringify(both.imapLogin), /IMAP server refuses this user name and secret/)
    assert.notInclude(JSON.stringify(both), "wrong")
    const distrusted = yield* makeImapServer({ ...TLS, security: "tls" })
    const unproven = yield* probe({ ...account, imap: { host: "127.0.0.1", port: distrusted.port, security: "tls" } })
    assert.match(JSON.stringify(unproven.imapLogin), /IMAP server has a certificate that can't be trusted/)
    const gone = yield* probe({ ...account, imap: { ...account.imap, port: 1 } })
    assert.deepStrictEqual([gone.smtpLogin.state, gone.imapLogin.state, gone.send.state], ["ok", "failed", "not_tried"])
    assert.isEmpty(mailbox.inbox.mails)
  })
)

it.live("a message that is not found in time is said to be missing", () =>
  Effect.gen(function* () {
    const { account } = yield* world({ ...USUAL, into: null })
    const report = yield* probe(account)
    assert.deepStrictEqual([report.send.state, report.read.state], ["ok", "failed"])
    assert.match(JSON.stringify(report.read), /not found in INBOX or Unerwünscht/)
  })
)

it.live("where the server keeps no copy of what is sent, one is put there, and only of what was accepted", () =>
  Effect.gen(function* () {
    const { account, mailbox } = yield* world({ ...USUAL, keepsSent: false })
    const mail = makeMail()
    yield* Effect.flatMap(MailTransport, (transport) =>
      Effect.scoped(
        Effect.flatMap(transport.session({ ...account, keepsSent: false, sentFolder: SENT }), (session) =>
          Effect.andThen(session.send(makeMail(), Effect.succeed(false)), session.send(mail, Effect.succeed(true)))
        )
      )
    ).pipe(Effect.provide(probing))
    const copies = mailbox.folder(SENT)?.mails ?? []
    assert.lengthOf(copies, 1)
    assert.include(copies[0]?.raw.toString(), `Message-ID: <${mail.messageId}>`)
    assert.deepStrictEqual([...(copies[0]?.flags ?? [])], ["\\Seen"])
  })
)

it.live("where the server keeps a copy of what is sent by itself, no second one is put beside it", () =>
  Effect.gen(function* () {
    const { account, mailbox } = yield* world()
    yield* Effect.flatMap(MailTransport, (transport) =>
      // The session ends once its copies are made.
      Effect.scoped(
        Effect.flatMap(transport.session({ ...account, keepsSent: true, sentFolder: SENT }), (session) =>
          session.send(makeMail(), Effect.succeed(true))
        )
      )
    ).pipe(Effect.provide(probing))
    assert.lengthOf(mailbox.folder(SENT)?.mails ?? [], 1)
  })
)

it.live("a copy that can't be made takes nothing from the message: it was sent", () =>
  Effect.gen(function* () {
    const { account } = yield* world({ ...USUAL, keepsSent: false })
    const unreadable = { ...account, imap: { ...account.imap, port: 1 }, keepsSent: false, sentFolder: SENT }
    const outcome = yield* Effect.flatMap(MailTransport, (transport) =>
      Effect.scoped(
        Effect.flatMap(transport.session(unreadable), (session) => session.send(makeMail(), Effect.succeed(true)))
      )
    ).pipe(Effect.provide(probing), Effect.provideService(References.MinimumLogLevel, "None"))
    assert.strictEqual(outcome, "sent")
  })
)
