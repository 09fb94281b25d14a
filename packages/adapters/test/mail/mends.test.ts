import { assert, it } from "@effect/vitest"
import { MailProbe } from "@outbound/domain/outreach/mail/MailProbe.js"
import type { MailAccount } from "@outbound/domain/outreach/mail/MailTransport.js"
import { mendsOf } from "@outbound/domain/outreach/sending/mailboxMends.js"
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "@outbound/testkit/mail/certificates.js"
import { makeImapServer } from "@outbound/sandbox/mail/ImapServer.js"
import { freePort } from "@outbound/testkit/net/FreePorts.js"
import { Effect, Layer, Redacted } from "effect"
import { createServer, type AddressInfo, type Socket } from "node:net"
import { layer } from "../../src/mail/Probe.js"
import * as Smtp from "../../src/mail/Smtp.js"
import { DEADLINES, mailServer, makeAccount, PASSWORD } from "./support.js"

/** What people read of real servers and real sockets that fail: no text here is made up. */

const USER = "jo@acme.test"

const probing = layer({ arrivalMillis: 1_000, copyMillis: 100, pollMillis: 50 }).pipe(
  Layer.provideMerge(Smtp.layer({ ca: null, deadlines: { ...DEADLINES, greeting: 500 } }))
)

const mends = (account: MailAccount) =>
  Effect.flatMap(MailProbe, (one) => one.probe(account)).pipe(
    Effect.map((report) => ({ report, mends: mendsOf(report, account) })),
    Effect.provide(probing)
  )

/** A server that takes connections and says nothing. */
const silent = Effect.acquireRelease(
  Effect.promise(async () => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)))
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    return { port: (server.address() as AddressInfo).port, server, sockets }
  }),
  ({ server, sockets }) =>
    Effect.sync(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
)

it.live("ports where nothing answers are named, with the usual ones", () =>
  Effect.gen(function* () {
    const [smtp, imap] = yield* Effect.promise(async () => [await freePort(), await freePort()] as const)
    const account = makeAccount(smtp, { imap: { host: "127.0.0.1", port: imap, security: "none" } })
    const found = yield* mends(account)
    assert.deepStrictEqual(
      found.mends.map((mend) => mend.split(".")[0]?.slice(0, 35)),
      [`Nothing answers on port ${smtp} of 127`.slice(0, 35), `Nothing answers on port ${imap} of 127`.slice(0, 35)],
      JSON.stringify(found.report)
    )
  })
)

it.live("names that no DNS knows are to be corrected", () =>
  Effect.gen(function* () {
    const server = (host: string) => ({ host, port: 465, security: "tls" as const })
    const account = makeAccount(465, { smtp: server("smtp.acme.invalid"), imap: server("imap.acme.invalid") })
    const found = yield* mends(account)
    for (const [index, side] of ["SMTP", "IMAP"].entries()) {
      assert.include(found.mends[index] ?? "", `Correct the name of the ${side} server`, JSON.stringify(found.report))
    }
  })
)

it.live("a wrong password is told apart from a server that does not answer at all", () =>
  Effect.gen(function* () {
    const imap = yield* makeImapServer()
    imap.addMailbox(USER, PASSWORD)
    const smtp = yield* mailServer({ hideSTARTTLS: true, allowInsecureAuth: true })
    const wrong = makeAccount(smtp.port, {
      imap: { host: "127.0.0.1", port: imap.port, security: "none" },
      secret: Redacted.make("not the password")
    })
    const refused = yield* mends(wrong)
    assert.lengthOf(refused.mends, 1, JSON.stringify(refused.report))
    assert.include(refused.mends[0], "The user name or password is wrong")

    const mute = yield* silent
    const quiet = yield* mends({ ...wrong, smtp: { host: "127.0.0.1", port: mute.port, security: "none" } })
    assert.include(quiet.mends[0] ?? "", `Port ${mute.port} of 127.0.0.1 did not answer`, JSON.stringify(quiet.report))
  }).pipe(Effect.scoped)
)

it.live("TLS where the server speaks none from the start, and a certificate that nobody trusts, are said", () =>
  Effect.gen(function* () {
    const imap = yield* makeImapServer()
    imap.addMailbox(USER, PASSWORD)
    const plain = yield* mailServer({ hideSTARTTLS: true, allowInsecureAuth: true })
    const tls = (port: number) => ({ host: "127.0.0.1", port, security: "tls" as const })
    const mixed = yield* mends(makeAccount(plain.port, { smtp: tls(plain.port), imap: tls(imap.port) }))
    assert.include(mixed.mends[0] ?? "", "smtp+starttls://127.0.0.1:587", JSON.stringify(mixed.report))
    assert.include(mixed.mends[1] ?? "", "imap+starttls://127.0.0.1:143", JSON.stringify(mixed.report))

    const secure = yield* mailServer({ secure: true, key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE })
    const distrusted = yield* mends(makeAccount(secure.port, { smtp: tls(secure.port), imap: tls(imap.port) }))
    assert.include(distrusted.mends[0] ?? "", "OUTBOUND_MAIL_CA", JSON.stringify(distrusted.report))
  }).pipe(Effect.scoped)
)
