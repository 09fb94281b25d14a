import { assert, it } from "@effect/vitest"
import { Mailer } from "@outbound/domain/control/alerts/Mailer.js"
import { TEST_AUTHORITY } from "@outbound/testkit/mail/certificates.js"
import { Effect, Redacted } from "effect"
import { layer, type ServiceMailAccount } from "../../src/mail/ServiceMail.js"
import { DEADLINES, mailServer, PASSWORD } from "./support.js"

const account = (port: number, given: Partial<ServiceMailAccount> = {}): ServiceMailAccount => ({
  server: { host: "127.0.0.1", port, security: "tls" },
  username: "jo@acme.test",
  password: Redacted.make(PASSWORD),
  from: { address: "outbound@acme.test", name: "Outbound" },
  ...given
})

const send = (of: ServiceMailAccount, letter = { to: "ann@example.com", subject: "Grüße\r\nBcc: x@y", text: "Hi\n" }) =>
  Effect.flatMap(Mailer, (mailer) => mailer.send!(letter)).pipe(
    Effect.provide(layer(of, { ca: TEST_AUTHORITY, deadlines: DEADLINES }))
  )

it.live("a letter goes out signed in over TLS, says that no person wrote it, and holds no header of its text", () =>
  Effect.gen(function* () {
    const { port, taken } = yield* mailServer({ secure: true })
    yield* send(account(port))
    assert.lengthOf(taken, 1)
    const { from, raw, to } = taken[0]!
    assert.deepStrictEqual([from, to], ["outbound@acme.test", ["ann@example.com"]])
    assert.match(raw, /^From: Outbound <outbound@acme\.test>\r$/m)
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m)
    assert.notMatch(raw, /^Bcc:/im)
  })
)

it.live("a letter to two, or to nobody, is not written", () =>
  Effect.gen(function* () {
    const { port, taken } = yield* mailServer({ secure: true })
    for (const to of ["a@b.test\r\nRCPT TO:<x@y.test>", "<a@b.test>", "nobody"]) {
      assert.strictEqual((yield* Effect.flip(send(account(port), { to, subject: "x", text: "x" }))).reason, "invalid")
    }
    assert.isEmpty(taken)
  })
)

it.live("a wrong password is said to be the account's trouble", () =>
  Effect.gen(function* () {
    const { port } = yield* mailServer({ secure: true })
    const failure = yield* Effect.flip(send(account(port, { password: Redacted.make("wrong") })))
    assert.strictEqual(failure.reason, "account")
  })
)

it.live("a server that takes mail from this machine is not signed in to", () =>
  Effect.gen(function* () {
    let logins = 0
    const { port, taken } = yield* mailServer({
      authOptional: true,
      onAuth: (_auth, _session, done) => {
        logins += 1
        done(null, { user: "x" })
      }
    })
    const server = { host: "127.0.0.1", port, security: "none" } as const
    yield* send(account(port, { server, username: "", password: Redacted.make("") }))
    assert.deepStrictEqual([taken.length, logins], [1, 0])
  })
)
