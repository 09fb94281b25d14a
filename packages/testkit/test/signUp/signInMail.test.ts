import { assert, describe, it } from "@effect/vitest"
import * as ConsoleLive from "@outbound/domain/control/console/Console.js"
import { Console, SIGN_IN_LINK_MINUTES } from "@outbound/domain/control/console/Console.js"
import {
  ASKS_PER_ADDRESS_MAX,
  ASKS_PER_CLIENT_MAX,
  invitation,
  passkeyLetter,
  SignInMail
} from "@outbound/domain/control/console/SignInMail.js"
import * as SignInMailLive from "@outbound/domain/control/console/SignInMail.js"
import { makeAsks } from "@outbound/domain/control/users/asks.js"
import { SignInAskStore } from "@outbound/domain/control/users/SignInAskStore.js"
import { UserStore } from "@outbound/domain/control/users/UserStore.js"
import { Settings } from "@outbound/domain/kernel/Settings.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, Layer, Option, References } from "effect"
import { TestClock } from "effect/testing"
import { freshId, givenWorkspace, MINUTE, NOON } from "../../src/contracts/fixtures.js"
import * as MemoryMailer from "../../src/mail/MemoryMailer.js"
import { Letters } from "../../src/mail/MemoryMailer.js"
import { layer as memory } from "../../src/memory/layer.js"
import * as TestCrypto from "../../src/memory/TestCrypto.js"
import * as TestIds from "../../src/memory/TestIds.js"

const BASE = "https://outbound.test"

const service = (mailer = MemoryMailer.layer) =>
  SignInMailLive.layer.pipe(
    Layer.provideMerge(ConsoleLive.layer),
    Layer.provideMerge(Layer.mergeAll(memory, mailer)),
    Layer.provideMerge(Layer.mergeAll(TestCrypto.layer, TestIds.layer)),
    Layer.provide(Layer.succeed(Settings, { baseUrl: BASE })),
    Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
    Layer.fresh
  )

const givenMember = (email: string) =>
  Effect.gen(function* () {
    const { atomically } = yield* UnitOfWork
    const { workspaceId } = yield* givenWorkspace({ name: "Acme" })
    const member = { userId: freshId(), email, workspaceId, role: "owner" as const, atMillis: NOON }
    return { workspaceId, user: yield* atomically((yield* UserStore).ensureMember(member)) }
  })

const ask = (email: string, client = "198.51.100.7") => Effect.flatMap(SignInMail, (mail) => mail.ask(email, client))

const secretIn = (text: string): string => /sign-in\?token=([\w-]+)/.exec(text)?.[1] ?? assert.fail(text)

describe("a link by mail", () => {
  it.effect("signs its member in, once, and says how long it is good and what to do who did not ask", () =>
    Effect.gen(function* () {
      const { user, workspaceId } = yield* givenMember("ada@acme.test")
      assert.isTrue((yield* SignInMail).isOn)
      assert.strictEqual(yield* ask(" Ada@ACME.test "), "taken")
      const letter = yield* (yield* Letters).next
      const secret = secretIn(letter.text)
      assert.deepStrictEqual(letter, {
        to: "ada@acme.test",
        subject: "Your sign-in link",
        text: `Open this link to sign in to outbound:

${BASE}/console/sign-in?token=${secret}

It works once, for ${SIGN_IN_LINK_MINUTES} minutes.
If you did not ask for it, ignore this email. Nobody can sign in without the link.
`
      })
      const { signIn } = yield* Console
      const { signedIn } = Option.getOrThrow(yield* signIn(secret))
      assert.deepStrictEqual([signedIn.user.userId, signedIn.session.workspaceId], [user.userId, workspaceId])
      assert.isTrue(Option.isNone(yield* signIn(secret)))
    }).pipe(Effect.provide(service()))
  )

  it.effect("goes to members alone, and nobody is told who is one", () =>
    Effect.gen(function* () {
      yield* givenMember("ada@acme.test")
      const letters = yield* Letters
      const addresses = ["nobody@acme.test", "ada@acme.test"]
      assert.deepStrictEqual(yield* Effect.forEach(addresses, (email) => ask(email)), ["taken", "taken"])
      assert.strictEqual((yield* letters.next).to, "ada@acme.test")
      // The stranger's was asked for first, and would have left before.
      assert.deepStrictEqual(yield* letters.rest, [])
      assert.strictEqual(yield* ask("no address"), "invalid")
    }).pipe(Effect.provide(service()))
  )

  it.effect("is asked for only so often for one address, from wherever, until the window is over", () =>
    Effect.gen(function* () {
      yield* givenMember("ada@acme.test")
      const asked = (times: number) =>
        Effect.forEach(Array.from({ length: times }), (_, n) => ask("ada@acme.test", `client ${n}`))
      const answers = yield* asked(ASKS_PER_ADDRESS_MAX + 1)
      assert.deepStrictEqual(
        answers,
        answers.map((_, n) => (n < ASKS_PER_ADDRESS_MAX ? "taken" : "too_many"))
      )
      assert.strictEqual(yield* ask("bob@acme.test", "client 0"), "taken")
      yield* TestClock.adjust("15 minutes")
      assert.deepStrictEqual(yield* asked(1), ["taken"])
    }).pipe(Effect.provide(service()))
  )

  it.effect("is asked for only so often by one client, who then counts against no address any more", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(Array.from({ length: ASKS_PER_CLIENT_MAX + 1 }), (_, n) =>
        ask(`nobody-${n}@acme.test`)
      )
      assert.deepStrictEqual(
        answers,
        answers.map((_, n) => (n < ASKS_PER_CLIENT_MAX ? "taken" : "too_many"))
      )
      for (let n = 0; n <= ASKS_PER_ADDRESS_MAX; n++) assert.strictEqual(yield* ask("ada@acme.test"), "too_many")
      assert.strictEqual(yield* ask("ada@acme.test", "another client"), "taken")
    }).pipe(Effect.provide(service()))
  )

  it.effect("is counted for an address and for a client apart, whatever the client calls itself", () =>
    Effect.gen(function* () {
      for (let n = 0; n < ASKS_PER_ADDRESS_MAX; n++) {
        assert.strictEqual(yield* ask("ada@acme.test", "ada@acme.test"), "taken")
      }
      assert.strictEqual(yield* ask("bob@acme.test", "ada@acme.test"), "taken")
    }).pipe(Effect.provide(service()))
  )

  it.effect("is none where no mail server is configured: no answer claims that one was sent", () =>
    Effect.gen(function* () {
      yield* givenMember("ada@acme.test")
      assert.isFalse((yield* SignInMail).isOn)
      assert.strictEqual(yield* ask("ada@acme.test"), "invalid")
    }).pipe(Effect.provide(service(MemoryMailer.off)))
  )
})

describe("a letter about an account", () => {
  it("to a new member says who added them to what, and how they sign in", () => {
    assert.deepStrictEqual(invitation(BASE, "jo@acme.test", "ada@acme.test", "Acme"), {
      to: "jo@acme.test",
      subject: "You were added to a workspace on outbound",
      text: `“ada[@]acme[.]test” added you to the workspace “Acme” on outbound.

To sign in, enter this email address; we send you a link:

${BASE}/console/sign-in
`
    })
  })

  it("of a new passkey says which, and what to do who did not add it", () => {
    assert.deepStrictEqual(passkeyLetter(BASE, "jo@acme.test", "My phone"), {
      to: "jo@acme.test",
      subject: "A passkey was added",
      text: `You can now sign in to outbound with the passkey “My phone”.

If you did not add it, sign in, remove it, and tell the operator of the service:

${BASE}/console/settings#passkeys
`
    })
  })
})

describe("counting asks", () => {
  /** What the store was asked to count, and in which order. */
  const counted = (counts: ReadonlyArray<number>, windowMinutes?: number) =>
    Effect.gen(function* () {
      const asked: Array<readonly [subject: string, windowMillis: number]> = []
      const mayAsk = yield* makeAsks.pipe(
        Effect.provideService(SignInAskStore, {
          count: (subject, _, windowMillis) => Effect.sync(() => counts[asked.push([subject, windowMillis]) - 1]!)
        })
      )
      const { atomically } = yield* UnitOfWork
      const subjects = (["client", "address", "passkey", "invited"] as const).map((kind) => ({
        kind,
        name: "ada@acme.test",
        max: 2
      }))
      return { may: yield* atomically(mayAsk(subjects, NOON, windowMinutes)), asked }
    }).pipe(Effect.provide(service()))

  it.effect("counts every subject, by a digest that shows no address, in one order for all callers", () =>
    Effect.gen(function* () {
      const { asked, may } = yield* counted([1, 2, 1, 2])
      assert.isTrue(may)
      const names = asked.map(([subject]) => subject)
      assert.lengthOf(new Set(names), 4)
      assert.deepStrictEqual(names, names.toSorted())
      assert.notInclude(names.join(), "acme")
      assert.isTrue(asked.every(([, windowMillis]) => windowMillis === 15 * MINUTE))
    })
  )

  it.effect("allows what is within the bound of each subject, and counts the others all the same", () =>
    Effect.gen(function* () {
      for (const counts of [
        [3, 1, 1, 1],
        [1, 1, 1, 3]
      ]) {
        const { asked, may } = yield* counted(counts, 60)
        assert.isFalse(may)
        assert.lengthOf(asked, 4)
        assert.isTrue(asked.every(([, windowMillis]) => windowMillis === 60 * MINUTE))
      }
    })
  )
})
