import { assert, layer } from "@effect/vitest"
import * as Outbound from "@outbound/domain/app/Outbound.js"
import {
  CHALLENGE_MINUTES,
  PASSKEY_NAME_CHARS_MAX,
  PasskeyAccess,
  PASSKEYS_MAX
} from "@outbound/domain/control/console/PasskeyAccess.js"
import { FRESH_SIGN_IN_MILLIS } from "@outbound/domain/control/Control.js"
import { ASK_WINDOW_MINUTES } from "@outbound/domain/control/users/asks.js"
import { Passkeys } from "@outbound/domain/control/users/Passkeys.js"
import { PasskeyStore } from "@outbound/domain/control/users/PasskeyStore.js"
import { type SignedIn, UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Crypto } from "@outbound/domain/kernel/ports/Crypto.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Clock, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenWorkspace, MINUTE } from "../../src/contracts/fixtures.js"
import { Letters } from "../../src/mail/MemoryMailer.js"
import * as MemoryMailer from "../../src/mail/MemoryMailer.js"
import { layerMemory } from "../../src/service/Service.js"

/** What the stand-in of an authenticator says. */
interface Said {
  readonly credentialId: string
  readonly challenge: string
  readonly userHandle: string | null
  /** Whether its signature verifies. */
  readonly isSigned: boolean
  readonly counter?: number
}

const parsed = (answer: string): Said | null => (answer === "nonsense" ? null : (JSON.parse(answer) as Said))

const handleOf = (userId: string): string => `handle of ${userId}`

/** Signatures are believed; everything else is as it would be. */
const passkeys = Layer.succeed(Passkeys, {
  registration: (given) => Effect.succeed(given),
  authentication: (given) => Effect.succeed(given),
  read: parsed,
  registered: (answer, challenge) => {
    const said = parsed(answer)
    return Effect.succeed(
      said?.isSigned === true && said.challenge === challenge
        ? Option.some({ credentialId: said.credentialId, publicKey: "key", counter: 0, transports: [] })
        : Option.none()
    )
  },
  authenticated: (answer, challenge, passkey) => {
    const said = parsed(answer)
    const isTheirs = said?.credentialId === passkey.credentialId && said.challenge === challenge
    return Effect.succeed(
      isTheirs && said.isSigned ? Option.some({ counter: said.counter ?? passkey.counter + 1 }) : Option.none()
    )
  },
  userHandle: handleOf
})

const service = Layer.provideMerge(Outbound.signIn, Layer.mergeAll(layerMemory, MemoryMailer.layer, passkeys))

const BROWSER = "the browser's secret"

layer(service, { timeout: "60 seconds" })("passkeys, and what they open", (it) => {
  const within = <A, E, R>(write: Effect.Effect<A, E, R>) =>
    Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(write))

  const join = (workspaceId: string, email: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (atMillis) =>
      Effect.flatMap(UserStore, (users) =>
        within(users.ensureMember({ userId: freshId(), email, workspaceId, role: "owner", atMillis }))
      )
    )

  /** A person of two workspaces, signed in to the second one. */
  const given = (beganBy: "link" | "start_link" = "link") =>
    Effect.gen(function* () {
      const users = yield* UserStore
      const nowMillis = yield* Clock.currentTimeMillis
      const [first, second] = [yield* givenWorkspace({ name: "First" }), yield* givenWorkspace({ name: "Second" })]
      const email = `${freshId()}@owner.test`
      const user = yield* join(first.workspaceId, email)
      yield* TestClock.adjust(1)
      yield* join(second.workspaceId, email)
      const sessionHash = `session ${freshId()}`
      const times = { createdAtMillis: nowMillis, expiresAtMillis: nowMillis + 100 * FRESH_SIGN_IN_MILLIS }
      yield* within(
        users.insertSession({ sessionHash, userId: user.userId, workspaceId: second.workspaceId, beganBy, ...times })
      )
      const by = Option.getOrThrow(yield* users.findSession(sessionHash, nowMillis))
      return { by, user, first, second }
    })

  const say = (challenge: string, said: Partial<Said> = {}): string =>
    JSON.stringify({ credentialId: freshId(), challenge, userHandle: null, isSigned: true, ...said })

  const challengeIn = (options: object): string => (options as { readonly challenge: string }).challenge

  const toAdd = (by: SignedIn, browser = BROWSER) =>
    Effect.map(
      Effect.flatMap(PasskeyAccess, (access) => access.beginAdding(by, browser)),
      challengeIn
    )

  const add = (by: SignedIn, answer: string, { browser = BROWSER, name = "A phone" } = {}) =>
    Effect.flatMap(PasskeyAccess, (access) => access.add(by, browser, answer, name))

  const added = (by: SignedIn, said: Partial<Said> = {}) =>
    Effect.flatMap(toAdd(by), (challenge) => add(by, say(challenge, said)))

  const signingIn = (client = freshId()) =>
    Effect.map(
      Effect.flatMap(PasskeyAccess, (access) => access.beginSignIn(BROWSER, client)),
      (options) => challengeIn(Option.getOrThrow(options))
    )

  const signIn = (answer: string, browser = BROWSER) =>
    Effect.flatMap(PasskeyAccess, (access) => access.signIn(browser, answer))

  const listed = (by: SignedIn) => Effect.flatMap(PasskeyAccess, (access) => access.list(by))

  /** The reason why it is refused. */
  const refusal = <A, E, R>(act: Effect.Effect<A, E, R>) =>
    Effect.map(Effect.flip(act), (error) => (error as { readonly reason?: string }).reason ?? "?")

  it.effect("one is added with its name, told to its user, and among theirs alone", () =>
    Effect.gen(function* () {
      const letters = yield* Letters
      const { by, user } = yield* given()
      const other = yield* given()
      yield* letters.rest
      const options = yield* Effect.flatMap(PasskeyAccess, (access) => access.beginAdding(by, BROWSER))
      assert.deepInclude(options, {
        userId: user.userId,
        email: user.email,
        known: [],
        timeoutMillis: CHALLENGE_MINUTES * MINUTE
      })
      const passkey = yield* add(by, say(challengeIn(options), { credentialId: "one" }), { name: "  My phone " })
      assert.deepInclude(passkey, {
        userId: user.userId,
        credentialId: "one",
        name: "My phone",
        createdAtMillis: yield* Clock.currentTimeMillis,
        lastUsedAtMillis: null
      })
      assert.deepStrictEqual(yield* listed(by), [passkey])
      assert.isEmpty(yield* listed(other.by))
      const letter = yield* letters.next
      assert.strictEqual(letter.to, user.email)
      assert.include(letter.text, "My phone")
      const again = yield* Effect.flatMap(PasskeyAccess, (access) => access.beginAdding(by, BROWSER))
      assert.deepInclude(again, { known: [passkey] })
    })
  )

  it.effect("a name is that of a passkey if it is left out, and as long as is said at most", () =>
    Effect.gen(function* () {
      const { by } = yield* given()
      const named = (name: string) => Effect.flatMap(toAdd(by), (challenge) => add(by, say(challenge), { name }))
      assert.strictEqual((yield* named("  ")).name, "Passkey")
      assert.lengthOf((yield* named("n".repeat(PASSKEY_NAME_CHARS_MAX))).name, PASSKEY_NAME_CHARS_MAX)
      assert.strictEqual(yield* refusal(named("n".repeat(PASSKEY_NAME_CHARS_MAX + 1))), "invalid")
    })
  )

  it.effect("a challenge is answered once, by the browser that asked, for what it asked, within its time", () =>
    Effect.gen(function* () {
      const { by } = yield* given()
      const access = yield* PasskeyAccess
      const isRefused = (act: Effect.Effect<unknown, unknown, PasskeyAccess>) =>
        Effect.map(refusal(act), (reason) => assert.strictEqual(reason, "invalid"))
      const first = say(yield* toAdd(by))
      yield* add(by, first)
      yield* isRefused(add(by, first))
      // A wrong answer uses the challenge up.
      const elsewhere = say(yield* toAdd(by))
      yield* isRefused(add(by, elsewhere, { browser: "another browser's" }))
      yield* isRefused(add(by, elsewhere))
      const unsigned = yield* toAdd(by)
      yield* isRefused(add(by, say(unsigned, { isSigned: false })))
      yield* isRefused(add(by, say(unsigned)))
      yield* isRefused(add(by, "nonsense"))
      yield* isRefused(add(by, say("a challenge of nobody's")))
      yield* isRefused(add(by, say(yield* signingIn())))
      yield* isRefused(add(by, say(challengeIn(yield* access.beginConfirming(by, BROWSER)))))
      const [passkey] = yield* listed(by)
      const said = { credentialId: passkey!.credentialId, userHandle: handleOf(by.user.userId) }
      const [late, inTime] = [say(yield* signingIn(), said), say(yield* signingIn(), said)]
      yield* TestClock.adjust(CHALLENGE_MINUTES * MINUTE - 1)
      assert.isTrue(Option.isSome(yield* signIn(inTime)))
      yield* TestClock.adjust(1)
      assert.isTrue(Option.isNone(yield* signIn(late)))
      assert.lengthOf(yield* listed(by), 1)
    })
  )

  it.effect("to add or take one away needs a session of the person's own, to add a fresh one", () =>
    Effect.gen(function* () {
      const access = yield* PasskeyAccess
      const printed = yield* given("start_link")
      assert.strictEqual(yield* refusal(toAdd(printed.by)), "printed_link")
      assert.strictEqual(yield* refusal(add(printed.by, say("it"))), "printed_link")
      assert.strictEqual(yield* refusal(access.remove(printed.by, freshId())), "printed_link")
      const { by } = yield* given()
      const passkey = yield* added(by)
      const challenge = yield* toAdd(by)
      yield* TestClock.adjust(FRESH_SIGN_IN_MILLIS + 1)
      assert.strictEqual(yield* refusal(toAdd(by)), "reauthentication_required")
      assert.strictEqual(yield* refusal(add(by, say(challenge))), "reauthentication_required")
      const other = yield* given()
      assert.strictEqual(yield* refusal(access.remove(other.by, passkey.passkeyId)), "not_found")
      assert.strictEqual(yield* refusal(access.remove(by, "no id")), "not_found")
      yield* access.remove(by, passkey.passkeyId)
      assert.isEmpty(yield* listed(by))
    })
  )

  it.effect("a person has so many and no more, however many were begun; a credential is one person's", () =>
    Effect.gen(function* () {
      const { by } = yield* given()
      const other = yield* given()
      const late = yield* toAdd(by)
      for (let count = 0; count < PASSKEYS_MAX; count += 1)
        yield* added(by, { credentialId: `${by.user.userId} ${count}` })
      assert.strictEqual(yield* refusal(toAdd(by)), "invalid")
      assert.strictEqual(yield* refusal(add(by, say(late))), "invalid")
      assert.lengthOf(yield* listed(by), PASSKEYS_MAX)
      assert.strictEqual(yield* refusal(added(other.by, { credentialId: `${by.user.userId} 0` })), "invalid")
      assert.isEmpty(yield* listed(other.by))
    })
  )

  it.effect("who signs in with one begins a session in their first workspace, and its use is counted", () =>
    Effect.gen(function* () {
      const { by, first, user } = yield* given()
      const { credentialId } = yield* added(by)
      const said = { credentialId, userHandle: handleOf(user.userId), counter: 7 }
      const answer = say(yield* signingIn(), said)
      yield* TestClock.adjust(MINUTE)
      const { secret, signedIn } = Option.getOrThrow(yield* signIn(answer))
      const nowMillis = yield* Clock.currentTimeMillis
      assert.deepInclude(signedIn.session, {
        userId: user.userId,
        workspaceId: first.workspaceId,
        beganBy: "passkey",
        createdAtMillis: nowMillis,
        sessionHash: (yield* Crypto).sha256Hex(secret)
      })
      assert.deepInclude((yield* listed(by))[0], { counter: 7, lastUsedAtMillis: nowMillis })
      // The session from before stays: it is another one.
      const users = yield* UserStore
      assert.isTrue(Option.isSome(yield* users.findSession(by.session.sessionHash, nowMillis)))
      assert.isTrue(Option.isNone(yield* signIn(answer)))
    })
  )

  it.effect("nobody signs in without a proof, as nobody, as somebody else, or from another browser", () =>
    Effect.gen(function* () {
      const access = yield* PasskeyAccess
      const { by, user } = yield* given()
      const other = yield* given()
      const { credentialId } = yield* added(by)
      const right = { credentialId, userHandle: handleOf(user.userId) }
      const wrong: ReadonlyArray<Partial<Said>> = [
        { ...right, isSigned: false },
        { ...right, userHandle: null },
        { ...right, userHandle: handleOf(other.user.userId) },
        { ...right, credentialId: "nobody's" }
      ]
      for (const said of wrong) assert.isTrue(Option.isNone(yield* signIn(say(yield* signingIn(), said))))
      assert.isTrue(Option.isNone(yield* signIn(say(yield* signingIn(), right), "another browser's")))
      assert.isTrue(Option.isNone(yield* signIn(say(yield* toAdd(by), right))))
      assert.isTrue(Option.isNone(yield* signIn(say(challengeIn(yield* access.beginConfirming(by, BROWSER)), right))))
      assert.isTrue(Option.isNone(yield* signIn("nonsense")))
      assert.deepInclude((yield* listed(by))[0], { counter: 0, lastUsedAtMillis: null })
      assert.isTrue(Option.isSome(yield* signIn(say(yield* signingIn(), right))))
    })
  )

  it.effect("a client asks so often for a challenge in a while, and keeps nobody else from it", () =>
    Effect.gen(function* () {
      const access = yield* PasskeyAccess
      const client = freshId()
      const ask = (of: string) => Effect.map(access.beginSignIn(BROWSER, of), Option.isSome)
      const asked = yield* Effect.replicateEffect(ask(client), 61)
      assert.deepStrictEqual(
        asked,
        Array.from({ length: 61 }, (_, count) => count < 60)
      )
      assert.isTrue(yield* ask(freshId()))
      yield* TestClock.adjust(ASK_WINDOW_MINUTES * MINUTE)
      assert.isTrue(yield* ask(client))
    })
  )

  it.effect("who confirms gets a fresh session where they were, in the place of the one before", () =>
    Effect.gen(function* () {
      const access = yield* PasskeyAccess
      const users = yield* UserStore
      const { by, second, user } = yield* given()
      const other = yield* given()
      const { credentialId } = yield* added(by)
      const theirs = yield* added(other.by)
      const begin = Effect.map(access.beginConfirming(by, BROWSER), (options) => {
        assert.deepInclude(options, { timeoutMillis: CHALLENGE_MINUTES * MINUTE })
        const { allowed } = options as { readonly allowed: ReadonlyArray<{ readonly credentialId: string }> }
        assert.deepStrictEqual(
          allowed.map((one) => one.credentialId),
          [credentialId]
        )
        return challengeIn(options)
      })
      const isOpen = ({ session }: SignedIn) =>
        Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
          Effect.map(users.findSession(session.sessionHash, nowMillis), Option.isSome)
        )
      const confirm = (answer: string) => access.confirm(by, BROWSER, answer)
      // Somebody else's passkey confirms nothing here, though its own proof is right.
      assert.isTrue(Option.isNone(yield* confirm(say(yield* begin, { credentialId: theirs.credentialId }))))
      const wrongHandle = { credentialId, userHandle: handleOf(other.user.userId) }
      assert.isTrue(Option.isNone(yield* confirm(say(yield* begin, wrongHandle))))
      assert.isTrue(Option.isNone(yield* confirm(say(yield* begin, { credentialId, isSigned: false }))))
      assert.isTrue(Option.isNone(yield* confirm(say(yield* signingIn(), { credentialId }))))
      assert.isTrue(yield* isOpen(by))
      yield* TestClock.adjust(MINUTE)
      const { signedIn } = Option.getOrThrow(yield* confirm(say(yield* begin, { credentialId })))
      assert.deepInclude(signedIn.session, {
        userId: user.userId,
        workspaceId: second.workspaceId,
        beganBy: "passkey",
        createdAtMillis: yield* Clock.currentTimeMillis
      })
      assert.deepStrictEqual([yield* isOpen(by), yield* isOpen(signedIn), yield* isOpen(other.by)], [false, true, true])
      const named = { credentialId, userHandle: handleOf(user.userId) }
      const again = access.confirm(signedIn, BROWSER, say(yield* begin, named))
      assert.isTrue(Option.isSome(yield* again))
    })
  )

  it.effect("who has left every workspace signs in nowhere", () =>
    Effect.gen(function* () {
      const users = yield* UserStore
      const { by, first, second, user } = yield* given()
      const { credentialId } = yield* added(by)
      for (const { workspaceId } of [first, second]) yield* within(users.removeMember(workspaceId, user.userId))
      const said = { credentialId, userHandle: handleOf(user.userId) }
      assert.isTrue(Option.isNone(yield* signIn(say(yield* signingIn(), said))))
      assert.isTrue(Option.isSome(yield* within(Effect.flatMap(PasskeyStore, (s) => s.lockByCredential(credentialId)))))
    })
  )
})
