import { assert, layer as describeLayer } from "@effect/vitest"
import type { ContactEnricher, EnrichedContact } from "@outbound/domain/sources/ports/ContactEnricher.js"
import type { EmailVerifier } from "@outbound/domain/sources/ports/EmailVerifier.js"
import { noProviders, type ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { verbs } from "@outbound/domain/verbs/verbs.js"
import { ROUTES, type Source } from "@outbound/domain/sources/ports/Source.js"
import { DOUBTED_SECONDS, FAILURES_MAX, OPEN_SECONDS } from "@outbound/domain/sources/Circuit.js"
import { Circuits } from "@outbound/domain/sources/Circuits.js"
import { WATERFALL_SECONDS_MAX } from "@outbound/domain/sources/Waterfall.js"
import { Clock, Effect, Fiber, type Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Behaviour, makeFaulty } from "../../providers/Faulty.js"
import { type Answered, type Client, makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import { assertBalance, assertRefused, resultOf, SUITE } from "./support.js"
import { callEntries } from "./wellFormed.js"

/** The cheaper a source, the earlier it is asked; the dearer, the faster it says to be. */
const sourceOf = (name: string, rank: number): Source => ({
  name,
  costMicros: rank * 1000,
  missRate: 0,
  latencyMillis: 1000 * (4 - rank)
})

const NAMES = ["first", "second", "third"] as const
const [FIRST, SECOND, THIRD] = NAMES

const verifier = (name: string, index: number): EmailVerifier => ({
  ...sourceOf(name, index + 1),
  verify: (email) =>
    Effect.succeed({ status: email.startsWith("unknown") ? "unknown" : "valid", isCatchAllDomain: false })
})

const CONTACT: EnrichedContact = {
  fullName: "Ada Example",
  firstName: "Ada",
  lastName: "Example",
  title: null,
  companyName: null,
  companyDomain: null,
  companyHeadcount: null,
  companyIndustry: null,
  city: null,
  country: null,
  socialUrl: null,
  observedAt: null,
  workEmail: "ada@corp.example",
  workEmailStatus: "valid",
  emailVerdict: "valid",
  mobilePhone: null
}

const enricher = (name: string, index: number): ContactEnricher => ({
  ...sourceOf(name, index + 1),
  lookup: () => Effect.succeed(Option.some(CONTACT))
})

const faulty = Effect.runSync(
  makeFaulty({
    ...noProviders,
    emailVerifiers: NAMES.map(verifier),
    contactEnrichers: NAMES.map((name, index) => enricher(`${name}_contacts`, index))
  })
)

/** The providers of live workspaces for this suite: three of a kind. */
export const waterfallProviders: ProviderSet = faulty.providers

const fails = (reason: "transient" | "account") => Behaviour.Fail({ reason })
const limited = (retryAfterSeconds: number) => Behaviour.Fail({ reason: "rate_limited", retryAfterSeconds })

let people = 0

/** A workspace whose sources are all well again, whatever an earlier test made of them. */
const live = Effect.gen(function* () {
  yield* Effect.forEach(faulty.providers.emailVerifiers, ({ name }) => faulty.behave(name, Behaviour.Answer()))
  yield* Effect.forEach(faulty.providers.contactEnrichers, ({ name }) => faulty.behave(name, Behaviour.Answer()))
  yield* TestClock.adjust("2 hours")
  const client = yield* makeClient({ kind: "live" })
  yield* client.call("verify_email", { email: "unknown@corp.example" })
  return client
})

/** An address that no other call asks about, and who was asked about it. */
const verify = (client: Client) =>
  Effect.gen(function* () {
    yield* faulty.forgetCalls
    const answer = yield* client.call("verify_email", { email: `person${people++}@corp.example` })
    return [answer, (yield* faulty.calls()).map(({ source }) => source)] as const
  })

/** How many addresses in a row are verified, by whom. */
const askedBy = (client: Client, sources: ReadonlyArray<string>) =>
  Effect.map(verify(client), ([answer, asked]) => {
    assert.strictEqual(resultOf(answer).status, "valid")
    assert.strictEqual(answer.svc.credits_charged, "1")
    assert.deepStrictEqual(asked, sources)
  })

const viewOf = (source: string) =>
  Effect.map(
    Effect.flatMap(Circuits, ({ view }) => view),
    (all) => all.find((one) => one.kind === "email_verifier" && one.source === source) ?? assert.fail(source)
  )

/** What several sources of one kind are worth together (contract: data, sources). */
export const waterfallContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`waterfalls (${name})`, (it) => {
    it.effect("of three sources one is down and one asked too often: the third answers, and the next calls learn", () =>
      Effect.gen(function* () {
        const client = yield* live
        yield* faulty.behave(FIRST, fails("account"))
        yield* faulty.behave(SECOND, limited(200))
        yield* askedBy(client, [FIRST, SECOND, THIRD])
        yield* askedBy(client, [THIRD])
        for (let call = 1; call < FAILURES_MAX; call++) {
          yield* TestClock.adjust(`${DOUBTED_SECONDS} seconds`)
          yield* askedBy(client, [FIRST, THIRD])
          yield* askedBy(client, [THIRD])
        }
        assert.deepInclude(yield* viewOf(FIRST), { state: "open", waitSeconds: OPEN_SECONDS, failed: FAILURES_MAX })
        assert.deepInclude(yield* viewOf(SECOND), { state: "closed", waitSeconds: 80 })

        const neighbour = yield* makeClient({ kind: "live" })
        yield* askedBy(neighbour, [THIRD])

        yield* TestClock.adjust(`${OPEN_SECONDS} seconds`)
        yield* askedBy(client, [FIRST, THIRD])
        yield* askedBy(client, [THIRD])
        yield* faulty.behave(FIRST, Behaviour.Answer())
        yield* TestClock.adjust(`${2 * OPEN_SECONDS} seconds`)
        yield* askedBy(client, [FIRST])
        assert.deepInclude(yield* viewOf(FIRST), { state: "closed", waitSeconds: 0 })

        yield* faulty.behave(FIRST, fails("account"))
        yield* faulty.behave(SECOND, Behaviour.Answer())
        yield* TestClock.adjust("10 seconds")
        yield* askedBy(client, [FIRST, SECOND])
      })
    )

    it.effect("where all are to be left alone nobody is asked, and the call says when the first is back", () =>
      Effect.gen(function* () {
        const client = yield* live
        for (const [source, seconds] of [
          [FIRST, 40],
          [SECOND, 20],
          [THIRD, 60]
        ] as const) {
          yield* faulty.behave(source, limited(seconds))
        }
        const [refused, asked] = yield* verify(client)
        assertRefused(refused, "provider_unavailable", { retry_after_seconds: 20 })
        assert.deepStrictEqual(asked, [...NAMES])
        yield* TestClock.adjust("12500 millis")
        const [again, none] = yield* verify(client)
        assertRefused(again, "provider_unavailable", { retry_after_seconds: 8 })
        assert.deepStrictEqual(none, [])
        yield* faulty.behave(SECOND, Behaviour.Answer())
        yield* TestClock.adjust("7500 millis")
        yield* askedBy(client, [SECOND])
        yield* assertBalance(client, "299")
      })
    )

    it.effect("what every source refuses for good is refused, free, in their words, and never to be tried again", () =>
      Effect.gen(function* () {
        const client = yield* live
        const refuses = (said?: string) =>
          Behaviour.Fail({ reason: "invalid", status: 422, ...(said === undefined ? {} : { said }) })
        const messagesOf = (answer: Answered) => {
          assert.deepStrictEqual([answer.status, answer.error?.code], [400, "invalid_request"], answer.text)
          assert.notProperty(answer.error?.details ?? {}, "retry_after_seconds")
          const issues = (answer.error?.details?.["issues"] ?? []) as ReadonlyArray<{ readonly message: string }>
          return issues.map(({ message }) => message)
        }
        yield* faulty.behave(FIRST, refuses("no such mailbox provider"))
        yield* faulty.behave(SECOND, refuses())
        yield* faulty.behave(THIRD, refuses("too long"))
        const [both, asked] = yield* verify(client)
        assert.deepStrictEqual(messagesOf(both), [
          "was refused by the source: no such mailbox provider",
          "was refused by the source: too long"
        ])
        assert.deepStrictEqual(asked, [...NAMES], "each may know better than the one before")

        for (const name of NAMES) yield* faulty.behave(name, refuses())
        const [silent] = yield* verify(client)
        assert.deepStrictEqual(messagesOf(silent), ["was refused by the source, which did not say why"])

        // One that may still answer makes another try worthwhile.
        yield* faulty.behave(SECOND, fails("transient"))
        assertRefused((yield* verify(client))[0], "provider_unavailable", { retry_after_seconds: 5 })

        // What is refused as to its address is no mistake of the caller's.
        for (const name of NAMES) yield* faulty.behave(name, Behaviour.Fail({ reason: "invalid", status: 404 }))
        const [ours] = yield* verify(client)
        assert.deepStrictEqual([ours.status, ours.error?.code], [503, "tool_unavailable"], ours.text)

        yield* assertBalance(client, "300")
        // None of them is left alone for it, and a refusal is not kept under its key.
        yield* faulty.behave(FIRST, Behaviour.Answer())
        yield* askedBy(client, [FIRST])
      })
    )

    it.effect("a broken source is tried by one call alone, while the others go on without it", () =>
      Effect.gen(function* () {
        const client = yield* live
        yield* faulty.behave(FIRST, fails("account"))
        for (let call = 0; call < FAILURES_MAX; call++) {
          yield* askedBy(client, [FIRST, SECOND])
          yield* TestClock.adjust(`${DOUBTED_SECONDS} seconds`)
        }
        yield* TestClock.adjust(`${OPEN_SECONDS} seconds`)
        yield* faulty.behave(FIRST, Behaviour.Late({ after: "5 seconds" }))
        yield* faulty.forgetCalls
        const probing = yield* Effect.forkChild(client.call("verify_email", { email: "probe@corp.example" }))
        while ((yield* faulty.calls(FIRST)).length === 0) {
          yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
        }
        yield* askedBy(client, [SECOND])
        yield* askedBy(client, [SECOND])
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(resultOf(yield* Fiber.join(probing)).status, "valid")
        yield* faulty.behave(FIRST, Behaviour.Answer())
        yield* askedBy(client, [FIRST])
      })
    )

    it.effect("sources that never answer are given up in time, each asked once, and nothing is charged", () =>
      Effect.gen(function* () {
        const client = yield* live
        for (const source of NAMES) yield* faulty.behave(source, Behaviour.Never())
        const before = yield* Clock.currentTimeMillis
        yield* faulty.forgetCalls
        const call = yield* Effect.forkChild(client.call("verify_email", { email: "slow@corp.example" }))
        while (call.pollUnsafe() === undefined) {
          yield* TestClock.adjust("100 millis")
          yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
          assert.isAtMost((yield* Clock.currentTimeMillis) - before, 10 * WATERFALL_SECONDS_MAX * 1000)
        }
        assertRefused(yield* Fiber.join(call), "provider_unavailable")
        assert.deepStrictEqual(
          (yield* faulty.calls()).map(({ source }) => source),
          [...NAMES]
        )
        yield* assertBalance(client, "300")
      })
    )

    it.effect("where all fail, the first that did nothing is asked once more; one whose account is empty is not", () =>
      Effect.gen(function* () {
        const client = yield* live
        yield* faulty.script(FIRST, [fails("account")])
        yield* faulty.script(SECOND, [fails("transient")])
        yield* faulty.script(THIRD, [fails("transient")])
        yield* askedBy(client, [FIRST, SECOND, THIRD, SECOND])
        const inOrderAgain = TestClock.adjust(`${DOUBTED_SECONDS} seconds`)
        yield* inOrderAgain
        for (const source of NAMES) yield* faulty.behave(source, fails("transient"))
        const [refused, asked] = yield* verify(client)
        assertRefused(refused, "provider_unavailable")
        assert.deepStrictEqual(asked, [...NAMES, FIRST])
        yield* inOrderAgain
        for (const source of NAMES) yield* faulty.behave(source, fails("account"))
        assert.deepStrictEqual((yield* verify(client))[1], [...NAMES])
        yield* inOrderAgain
        for (const source of NAMES) yield* faulty.behave(source, Behaviour.Garbage())
        assert.deepStrictEqual((yield* verify(client))[1], [...NAMES])
      })
    )

    it.effect("the fastest route is told by what was measured, for a while; the route is always said", () =>
      Effect.gen(function* () {
        const client = yield* live
        const ask = (route?: string) =>
          Effect.gen(function* () {
            yield* faulty.forgetCalls
            const person = { email: `person${people++}@corp.example` }
            const call = yield* Effect.forkChild(
              client.call("enrich", { person, ...(route === undefined ? {} : { route }) })
            )
            while ((yield* faulty.calls()).length === 0) {
              yield* Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
            }
            yield* TestClock.adjust("10 seconds")
            const answer = yield* Fiber.join(call)
            assert.strictEqual(resultOf(answer).outcome, "hit")
            assert.strictEqual(answer.svc.credits_charged, "5")
            const expected = { used: route ?? "balanced", source: route === undefined ? "default" : "request" }
            assert.deepStrictEqual(answer.svc.route, expected)
            return (yield* faulty.calls()).map(({ source }) => source)
          })
        assert.deepStrictEqual(yield* ask("fastest"), ["third_contacts"])
        assert.deepStrictEqual(yield* ask("cheapest"), ["first_contacts"])
        assert.deepStrictEqual(yield* ask(), ["first_contacts"])
        yield* TestClock.adjust("2 hours")
        yield* faulty.behave("third_contacts", Behaviour.Late({ after: "9 seconds" }))
        assert.deepStrictEqual(yield* ask("fastest"), ["third_contacts"])
        assert.deepStrictEqual(yield* ask("fastest"), ["second_contacts"])
        assert.deepStrictEqual(yield* ask("cheapest"), ["first_contacts"])
        yield* TestClock.adjust("2 hours")
        assert.deepStrictEqual(yield* ask("fastest"), ["third_contacts"])
      })
    )

    it.effect(
      "every verb that takes a route says which it took and why, at the same price; the others say nothing",
      () =>
        Effect.gen(function* () {
          const client = yield* makeClient({ credits: "1000" })
          const taking: ReadonlyArray<string> = ["find_leads", "find_companies", "enrich"]
          for (const [verb, [scope, input]] of callEntries) {
            // A read of one thing needs a thing.
            if (scope !== "data:read" || verb === "get_reply") continue
            if ("campaign_id" in input || "operation_id" in input || verbs[verb].accepts) continue
            const plain = yield* client.call(verb, input)
            resultOf(plain)
            if (!taking.includes(verb)) {
              assert.isUndefined(plain.svc.route, verb)
              continue
            }
            assert.deepStrictEqual(plain.svc.route, { used: "balanced", source: "default" }, verb)
            for (const route of ROUTES) {
              const chosen = yield* client.call(verb, { ...input, route })
              assert.deepStrictEqual(resultOf(chosen) && chosen.svc.route, { used: route, source: "request" }, verb)
              assert.strictEqual(chosen.svc.credits_charged, plain.svc.credits_charged, verb)
              const dry = yield* client.call(verb, { ...input, route, dry_run: true })
              assert.deepStrictEqual(resultOf(dry) && dry.svc.route, { used: route, source: "request" }, verb)
            }
          }
        })
    )

    it.effect("the sandbox learns nothing: the same request gets the same answer, whatever failed before it", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (let call = 0; call < 4 * FAILURES_MAX; call++) {
          const refused = yield* client.call("verify_email", { email: `unavailable+${call}@magic.test` })
          assertRefused(refused, "provider_unavailable")
        }
        assert.strictEqual(resultOf(yield* client.call("verify_email", { email: "valid@magic.test" })).status, "valid")
        yield* assertBalance(client, "299")
      })
    )
  })
}
