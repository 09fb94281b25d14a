import { assert, it } from "@effect/vitest"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { MailProbe } from "@outbound/domain/outreach/mail/MailProbe.js"
import { MailReader } from "@outbound/domain/outreach/mail/MailReader.js"
import { type MailAccount, MailTransport } from "@outbound/domain/outreach/mail/MailTransport.js"
import type { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { grantOf, grantSecret } from "@outbound/domain/outreach/sending/mailGrant.js"
import { OwnMailboxStore, sealAccount } from "@outbound/domain/outreach/sending/OwnMailboxes.js"
import { SendingStore } from "@outbound/domain/outreach/sending/SendingStore.js"
import { givenWorkspace } from "@outbound/testkit/contracts/fixtures.js"
import { makeOwnMailbox } from "@outbound/testkit/contracts/ownMailboxes.js"
import { makeMailServer } from "@outbound/sandbox/mail/MailServer.js"
import { makeTokenServer, type TokenServer } from "@outbound/testkit/mail/TokenServer.js"
import { layer as memory } from "@outbound/testkit/memory/layer.js"
import * as TestCrypto from "@outbound/testkit/memory/TestCrypto.js"
import { Deferred, type Duration, Effect, Fiber, Layer, Redacted, Result } from "effect"
import { TestClock } from "effect/testing"
import * as Imap from "../../src/mail/Imap.js"
import * as Probe from "../../src/mail/Probe.js"
import * as RenewedMail from "../../src/mail/RenewedMail.js"
import * as Smtp from "../../src/mail/Smtp.js"
import { DEADLINES, makeAccount, makeMail } from "./support.js"

const CLIENT_SECRET = "s3cret of the client"
const GIVEN = "refresh-given"

const raw = Layer.merge(Imap.layer, Probe.layer({ arrivalMillis: 2_000, copyMillis: 500, pollMillis: 50 })).pipe(
  Layer.provideMerge(Smtp.layer({ ca: null, deadlines: DEADLINES }))
)
const stores = Layer.merge(memory, TestCrypto.layer)

/** What one host has: its own memory of tokens, over the stores of all. */
const host = (isAtHome = true) =>
  Effect.flatMap(Effect.context<OwnMailboxStore | Crypto>(), (context) =>
    Layer.build(RenewedMail.layer({ isAtHome }).pipe(Layer.provide(raw), Layer.provide(Layer.succeedContext(context))))
  )

/** A mail server that takes the newest access token alone, the endpoint that gives it, and a mailbox that is stored. */
const world = Effect.gen(function* () {
  const server = yield* makeMailServer()
  const address = "jo@acme.test"
  const mailbox = server.addMailbox(address, "no password gets in")
  const tokens = yield* makeTokenServer((token) => void (mailbox.accessToken = token))
  tokens.good.add(GIVEN)
  const { workspaceId } = yield* givenWorkspace({ kind: "live" })
  const stored = makeOwnMailbox({ workspaceId, address })
  const secret = grantSecret({
    tokenUrl: tokens.url,
    clientId: "client-1",
    clientSecret: Redacted.make(CLIENT_SECRET),
    refreshToken: Redacted.make(GIVEN),
    scope: "mail"
  })
  const account = makeAccount(server.smtpPort, {
    workspaceId,
    mailboxId: stored.mailboxId,
    imap: { host: "127.0.0.1", port: server.imap.port, security: "none" },
    auth: "oauth",
    secret
  })
  const owns = yield* OwnMailboxStore
  const crypto = yield* Crypto
  const sendings = yield* SendingStore
  const { atomically } = yield* UnitOfWork
  yield* atomically(Effect.andThen(sendings.insertMailboxes([stored]), owns.put(sealAccount(crypto, account))))
  const kept = owns.renewedSecret(workspaceId, stored.mailboxId)
  return { account, kept, mailbox, server, tokens }
})

const using =
  (on: Effect.Success<ReturnType<typeof host>>) =>
  <A, E>(effect: Effect.Effect<A, E, MailTransport | MailReader | MailProbe>): Effect.Effect<A, E> =>
    Effect.provide(effect, on)

const send = (account: MailAccount) =>
  Effect.flatMap(MailTransport, (transport) =>
    Effect.scoped(
      Effect.flatMap(transport.session(account), (session) => session.send(makeMail(), Effect.succeed(true)))
    )
  )

const signIn = (account: MailAccount) =>
  Effect.flatMap(MailReader, (reader) =>
    Effect.scoped(Effect.map(reader.session(account), ({ folders }) => folders.length))
  )

const failureOf = <A, R>(effect: Effect.Effect<A, ProviderFailure, R>) =>
  Effect.map(Effect.result(effect), (result) => (Result.isFailure(result) ? result.failure : null))

const refreshTokens = ({ asked }: TokenServer) => asked.map((form) => form["refresh_token"])

it.effect("a mailbox sends and is read by one token, and by a new one five minutes before that is over", () =>
  Effect.gen(function* () {
    const { account, server, tokens } = yield* world
    const on = using(yield* host())
    assert.strictEqual(yield* on(send(account)), "sent")
    assert.isAbove(yield* on(signIn(account)), 0)
    assert.deepStrictEqual(tokens.asked, [
      {
        grant_type: "refresh_token",
        refresh_token: GIVEN,
        client_id: "client-1",
        client_secret: CLIENT_SECRET,
        scope: "mail"
      }
    ])
    yield* TestClock.adjust("54 minutes")
    yield* on(send(account))
    assert.lengthOf(tokens.asked, 1)
    yield* TestClock.adjust("1 minutes")
    yield* on(signIn(account))
    yield* on(send(account))
    assert.lengthOf(tokens.asked, 2)
    assert.lengthOf(server.taken, 3)
  }).pipe(Effect.provide(stores))
)

it.effect("a token is believed for a day at most, and for an hour where its endpoint says nothing that counts", () =>
  Effect.gen(function* () {
    const { account, tokens } = yield* world
    const on = using(yield* host())
    const askedAfter = (wait: Duration.Input) =>
      Effect.andThen(
        TestClock.adjust(wait),
        Effect.map(on(signIn(account)), () => tokens.asked.length)
      )
    tokens.lifetimeSeconds = 30 * 86_400
    assert.deepStrictEqual([yield* askedAfter(0), yield* askedAfter("23 hours")], [1, 1])
    for (const [index, lifetime] of [Number.NaN, 0, -60].entries()) {
      tokens.lifetimeSeconds = lifetime
      assert.strictEqual(yield* askedAfter("1 hours"), index + 2)
      assert.strictEqual(yield* askedAfter("54 minutes"), index + 2)
    }
  }).pipe(Effect.provide(stores))
)

it.effect("concurrent callers share one request, and interrupting one doesn't end it for the others", () =>
  Effect.gen(function* () {
    const { account, tokens } = yield* world
    const on = using(yield* host())
    const asked = yield* Deferred.make<void>()
    const answered = yield* Deferred.make<void>()
    tokens.onAsked = () => {
      Effect.runSync(Deferred.succeed(asked, undefined))
      return Effect.runPromise(Deferred.await(answered))
    }
    const first = yield* Effect.forkChild(on(signIn(account)))
    yield* Deferred.await(asked)
    const others = yield* Effect.forkChild(
      Effect.all([on(signIn(account)), on(send(account))], { concurrency: "unbounded" })
    )
    yield* Fiber.interrupt(first)
    yield* Deferred.succeed(answered, undefined)
    yield* Fiber.join(others)
    assert.lengthOf(tokens.asked, 1)
  }).pipe(Effect.provide(stores))
)

it.effect("a token that is refused before its time is renewed at once, and its server asked once more", () =>
  Effect.gen(function* () {
    const { account, mailbox, tokens } = yield* world
    const on = using(yield* host())
    yield* on(signIn(account))
    mailbox.accessToken = "given out by somebody else"
    assert.strictEqual(yield* on(send(account)), "sent")
    assert.lengthOf(tokens.asked, 2)
    // One that was asked for just now is not asked for again.
    tokens.always = { status: 200, body: JSON.stringify({ access_token: "nobody's", token_type: "bearer" }) }
    yield* TestClock.adjust("1 hours")
    assert.strictEqual((yield* failureOf(on(signIn(account))))?.reason, "account")
    assert.lengthOf(tokens.asked, 3)
  }).pipe(Effect.provide(stores))
)

it.effect("a refresh token that changes is kept sealed, and used by every host and after a new start", () =>
  Effect.gen(function* () {
    const { account, kept, tokens } = yield* world
    tokens.rotates = true
    const [first, second] = [using(yield* host()), using(yield* host())]
    yield* first(signIn(account))
    const sealed = yield* kept
    assert.isString(sealed)
    assert.notInclude(sealed, "refresh-1")
    yield* second(signIn(account))
    yield* TestClock.adjust("1 hours")
    yield* first(send(account))
    assert.deepStrictEqual(refreshTokens(tokens), [GIVEN, "refresh-1", "refresh-2"])
    // What was kept is good for the secret that it came for, and no other.
    const other = { ...account, secret: grantSecret({ ...grantOf(account.secret)!, clientId: "client-2" }) }
    tokens.good.add(GIVEN)
    yield* first(signIn(other))
    assert.strictEqual(refreshTokens(tokens).at(-1), GIVEN)
  }).pipe(Effect.provide(stores))
)

it.effect("where the kept refresh token is refused the given one is tried, and kept where that one is good", () =>
  Effect.gen(function* () {
    const { account, tokens } = yield* world
    tokens.rotates = true
    const on = using(yield* host())
    yield* on(signIn(account))
    tokens.rotates = false
    tokens.good.clear()
    tokens.good.add(GIVEN)
    yield* TestClock.adjust("1 hours")
    yield* on(signIn(account))
    yield* TestClock.adjust("1 hours")
    yield* on(signIn(account))
    assert.deepStrictEqual(refreshTokens(tokens), [GIVEN, "refresh-1", GIVEN, GIVEN])
  }).pipe(Effect.provide(stores))
)

it.effect(
  "a grant that is good no more is the account's fault; everything else passes, and nothing tells a secret",
  () =>
    Effect.gen(function* () {
      const { account, tokens } = yield* world
      const on = using(yield* host())
      const told: Array<string> = []
      const reasonOf = (of: MailAccount = account, through = on) =>
        Effect.map(failureOf(Effect.andThen(through(signIn(of)), through(send(of)))), (failure) => {
          told.push(JSON.stringify(failure), String(failure?.cause))
          return failure?.reason
        })
      tokens.good.clear()
      assert.strictEqual(yield* reasonOf(), "account")
      assert.strictEqual((yield* failureOf(on(send(account))))?.reason, "account")
      const always = (status: number, body: string, location?: string) => {
        tokens.always = { status, body, ...(location === undefined ? {} : { location }) }
        return reasonOf()
      }
      assert.strictEqual(yield* always(401, `{"error":"invalid_client","error_description":"${GIVEN}"}`), "account")
      assert.strictEqual(yield* always(400, `{"error":"temporarily_unavailable"}`), "transient")
      assert.strictEqual(yield* always(500, `{"error":"invalid_grant"}`), "transient")
      assert.strictEqual(yield* always(200, "<html>"), "transient")
      assert.strictEqual(yield* always(200, `{"access_token":"a\\nb","token_type":"bearer"}`), "transient")
      assert.strictEqual(
        yield* always(200, `{"access_token":"${"x".repeat(70_000)}","token_type":"bearer"}`),
        "transient"
      )
      const before = tokens.asked.length
      assert.strictEqual(yield* always(307, "", tokens.url), "transient")
      assert.lengthOf(tokens.asked, before + 1)
      const grant = grantOf(account.secret)!
      const at = (tokenUrl: string) => ({ ...account, secret: grantSecret({ ...grant, tokenUrl }) })
      assert.strictEqual(yield* reasonOf(at("http://127.0.0.1:1/token")), "transient")
      assert.strictEqual(yield* reasonOf(at("https://10.0.0.1/token")), "transient")
      assert.strictEqual(yield* reasonOf(at("http://example.com/token")), "transient")
      // A service for strangers asks nothing of its own machine.
      tokens.always = null
      tokens.good.add(GIVEN)
      assert.strictEqual(yield* reasonOf(account, using(yield* host(false))), "transient")
      assert.lengthOf(tokens.asked, before + 1)
      assert.isUndefined(yield* reasonOf())
      for (const words of told) for (const secret of [GIVEN, CLIENT_SECRET, "access-"]) assert.notInclude(words, secret)
    }).pipe(Effect.provide(stores))
)

it.effect("what the servers are signed in to with is never what tokens are renewed by", () =>
  Effect.gen(function* () {
    const { account, server } = yield* world
    const on = Effect.provide(raw)
    assert.strictEqual((yield* failureOf(on(send(account))))?.reason, "account")
    assert.strictEqual((yield* failureOf(on(signIn(account))))?.reason, "account")
    assert.notInclude(server.imap.heard.join("\n"), "AUTHENTICATE")
  }).pipe(Effect.provide(stores))
)

it.live("trying a mailbox out takes one token, and says what is to be kept and what keeps it out", () =>
  Effect.gen(function* () {
    const { account, tokens } = yield* world
    tokens.rotates = true
    const on = using(yield* host())
    const probe = Effect.flatMap(MailProbe, (one) => one.probe({ ...account, mailboxId: "" }))
    const report = yield* on(probe)
    assert.deepStrictEqual([report.smtpLogin, report.read], [{ state: "ok" }, { state: "ok" }])
    assert.lengthOf(tokens.asked, 1)
    const { refreshToken, ...rest } = grantOf(report.secret!)!
    assert.strictEqual(Redacted.value(refreshToken), "refresh-1")
    assert.deepInclude(rest, { tokenUrl: tokens.url, clientId: "client-1", scope: "mail" })
    const refused = yield* on(probe)
    assert.deepStrictEqual(refused.smtpLogin, {
      state: "failed",
      says: "No access token could be obtained. The token endpoint answered invalid_grant, status 400."
    })
    assert.deepStrictEqual(refused.imapLogin, { state: "not_tried" })
  }).pipe(Effect.provide(stores))
)
