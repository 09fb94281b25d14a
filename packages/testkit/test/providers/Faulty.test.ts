import { assert, describe, it } from "@effect/vitest"
import { Behaviour, makeFaulty } from "@outbound/testkit/providers/Faulty.js"
import { providerSet } from "@outbound/sandbox/providers/Sandbox.js"
import { Cause, Effect, Exit, Fiber, Ref } from "effect"
import { TestClock } from "effect/testing"

const VERIFIER = "sandbox_probe_deep"
const ADDRESS = "valid@magic.test"

const given = Effect.gen(function* () {
  const received = yield* Ref.make(0)
  const faulty = yield* makeFaulty(providerSet({ receive: () => Ref.update(received, (n) => n + 1) }))
  const verifier = faulty.providers.emailVerifiers.find(({ name }) => name === VERIFIER)
  const [leads] = faulty.providers.leadSources
  if (verifier === undefined || leads === undefined || faulty.providers.sending?.schedules !== "outbound") {
    return yield* Effect.die(new Error("the sandbox lacks a source"))
  }
  return { ...faulty, received, leads, sending: faulty.providers.sending, verify: verifier.verify(ADDRESS) }
})

const query = {
  audience: "",
  titles: [],
  locations: [],
  industries: [],
  companyDomains: [],
  headcountMin: null,
  headcountMax: null,
  limit: 3
}

describe("a faulty source", () => {
  it.effect("answers as the one beneath until told otherwise, and remembers what it was asked", () =>
    Effect.gen(function* () {
      const { calls, forgetCalls, verify } = yield* given
      assert.strictEqual((yield* verify).status, "valid")
      assert.deepStrictEqual(yield* calls(VERIFIER), [{ source: VERIFIER, method: "verify", request: ADDRESS }])
      assert.deepStrictEqual(yield* calls("sandbox_probe"), [])
      yield* forgetCalls
      assert.deepStrictEqual(yield* calls(), [])
    })
  )

  it.effect.each(["invalid", "rate_limited", "account", "transient", "unknown_outcome"] as const)(
    "fails with %s for as long as it is told to",
    (reason) =>
      Effect.gen(function* () {
        const { behave, verify } = yield* given
        yield* behave(VERIFIER, Behaviour.Fail({ reason, retryAfterSeconds: 7 }))
        for (let n = 0; n < 3; n++) {
          const failure = yield* Effect.flip(verify)
          assert.deepStrictEqual([failure.provider, failure.reason, failure.retryAfterSeconds], [VERIFIER, reason, 7])
        }
        yield* behave(VERIFIER, Behaviour.Answer())
        assert.strictEqual((yield* verify).status, "valid")
      })
  )

  it.effect("follows a script, one line per request, then its standing order", () =>
    Effect.gen(function* () {
      const { script, verify } = yield* given
      yield* script(VERIFIER, [Behaviour.Fail({ reason: "transient" }), Behaviour.Answer(), Behaviour.Garbage()])
      assert.strictEqual((yield* Effect.flip(verify)).reason, "transient")
      assert.strictEqual((yield* verify).status, "valid")
      assert.strictEqual<string>((yield* verify).status, "splendid")
      assert.strictEqual((yield* verify).status, "valid")
    })
  )

  it.effect("answers late by the clock, or never", () =>
    Effect.gen(function* () {
      const { behave, verify } = yield* given
      yield* behave(VERIFIER, Behaviour.Late({ after: "1 minute" }))
      const late = yield* Effect.forkChild(verify)
      yield* TestClock.adjust(59_999)
      assert.isUndefined(late.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(late)).status, "valid")
      yield* behave(VERIFIER, Behaviour.Never())
      const never = yield* Effect.forkChild(verify)
      yield* TestClock.adjust("365 days")
      assert.isUndefined(never.pollUnsafe())
      yield* Fiber.interrupt(never)
    })
  )

  it.effect("does what it was asked and then fails: what an unknown outcome is", () =>
    Effect.gen(function* () {
      const { behave, received, sending } = yield* given
      const message = {
        workspaceId: "w",
        campaignId: "c",
        campaignLeadId: "l",
        stepIndex: 0,
        messageId: "m@try-acme.example",
        from: { address: "ada@try-acme.example", name: "Ada" },
        to: { address: "interested@magic.test", name: null },
        subject: "s",
        text: "t",
        references: [],
        unsubscribeUrl: "https://outbound.example/u",
        mark: { header: "X-Lunedaki", value: "mark" }
      }
      yield* behave(sending.name, Behaviour.ActThenFail({ reason: "unknown_outcome" }))
      assert.strictEqual((yield* Effect.flip(sending.deliver(message))).reason, "unknown_outcome")
      assert.strictEqual(yield* Ref.get(received), 1)
      yield* behave(sending.name, Behaviour.Fail({ reason: "transient" }))
      yield* Effect.flip(sending.deliver(message))
      assert.strictEqual(yield* Ref.get(received), 1)
      yield* behave(sending.name, Behaviour.Twice())
      yield* sending.deliver(message)
      assert.strictEqual(yield* Ref.get(received), 3)
    })
  )

  it.effect("lists twice, lists more nonsense than was asked for, or dies", () =>
    Effect.gen(function* () {
      const { behave, leads } = yield* given
      yield* behave(leads.name, Behaviour.Twice())
      assert.strictEqual((yield* leads.search(query)).people.length, 6)
      yield* behave(leads.name, Behaviour.Garbage())
      const garbage = yield* leads.search(query)
      assert.isAbove(garbage.people.length, query.limit)
      assert.isNaN(garbage.totalFound)
      yield* behave(leads.name, Behaviour.Die({ defect: "bug" }))
      const exit = yield* Effect.exit(leads.search(query))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
    })
  )
})
