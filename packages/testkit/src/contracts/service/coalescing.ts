import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Coalesce } from "@outbound/domain/sources/Coalesce.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { Effect, Fiber, type Layer } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { Behaviour } from "../../providers/Faulty.js"
import { type Answered, type Client, makeClient, makeKey } from "../../service/Client.js"
import { Faults, type Service } from "../../service/Service.js"
import { person, wants } from "./enrichCalls.js"
import { eventLoopTurn, patience } from "../../service/patience.js"
import { assertBalance, assertRefused, ENRICHERS, MOBILE_FINDER, resultOf, SUITE, VERIFIERS } from "./support.js"

const [INDEX] = ENRICHERS
const [PROBE] = VERIFIERS
const READER = "sandbox_sites"

const LATE = Behaviour.Late({ after: "2 seconds" })

/** Goes on once so many callers wait for lookups. */
const untilWaiting = (callers: number) =>
  Effect.gen(function* () {
    const coalesce = yield* Coalesce
    for (const isPatient = patience(); isPatient();) {
      yield* eventLoopTurn
      if ((yield* coalesce.underWay).callers >= callers) return
    }
    return yield* Effect.die(new Error(`fewer than ${callers} wait`))
  })

/** Lets time pass until the calls have ended, each lookup at its own time. */
const ended = (fiber: Fiber.Fiber<Array<Answered>>) =>
  Effect.gen(function* () {
    for (const isPatient = patience(); isPatient();) {
      if (fiber.pollUnsafe() !== undefined) break
      yield* TestClock.adjust("100 millis")
      yield* eventLoopTurn
    }
    return yield* Fiber.join(fiber)
  })

type Asked = readonly [client: Client, verb: VerbName, input: JsonObject]

/** Calls that are all under way before any of their lookups ends, and how often each source was asked. */
const atOnce = (calls: ReadonlyArray<Asked>) =>
  Effect.gen(function* () {
    const faults = yield* Faults
    yield* faults.forgetCalls
    const all = Effect.forEach(calls, ([client, verb, input]) => client.call(verb, input), { concurrency: "unbounded" })
    const fiber = yield* Effect.forkChild(all)
    yield* untilWaiting(calls.length)
    const answers = yield* ended(fiber)
    return [answers, (yield* faults.calls()).map(({ source }) => source)] as const
  })

const whileLate = <A, E, R>(sources: ReadonlyArray<string>, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { behave } = yield* Faults
    yield* Effect.forEach(sources, (source) => behave(source, LATE))
    const restore = Effect.forEach(sources, (source) => behave(source, Behaviour.Answer()))
    return yield* Effect.ensuring(effect, restore)
  })

const chargesOf = (answers: ReadonlyArray<Answered>): ReadonlyArray<string> =>
  answers.map((answer) => resultOf(answer) && answer.svc.credits_charged)

const timesIn = (asked: ReadonlyArray<string>, source: string): number => asked.filter((one) => one === source).length

/** What is asked once where several ask it at the same time, and what each of them pays. */
export const coalescingContract = <E>(name: string, service: Layer.Layer<Service, E>, runs = 12) => {
  describeLayer(service, SUITE)(`identical lookups under way (${name})`, (it) => {
    it.effect("an address is verified once; every call is its own charge, and a later one asks anew", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const colleague = yield* makeKey(client.workspaceId, client.ownerEmail)
        const input = { email: "valid+once@magic.test" }
        const calls = [client, colleague, client].map((one): Asked => [one, "verify_email", input])
        const [answers, asked] = yield* whileLate([PROBE], atOnce(calls))
        assert.deepStrictEqual(chargesOf(answers), ["1", "1", "1"])
        assert.deepStrictEqual(asked, [PROBE])
        assert.deepStrictEqual(resultOf(answers[0] ?? assert.fail()), resultOf(answers[2] ?? assert.fail()))
        const faults = yield* Faults
        resultOf(yield* client.call("verify_email", input))
        assert.lengthOf(yield* faults.calls(PROBE), 2)
        yield* assertBalance(client, "296")
      })
    )

    it.effect("nothing is shared between workspaces, nor between what is not identical", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const stranger = yield* makeClient()
        const [answers, asked] = yield* whileLate(
          [PROBE, INDEX],
          atOnce([
            [client, "verify_email", { email: "valid+one@magic.test" }],
            [client, "verify_email", { email: "valid+two@magic.test" }],
            [stranger, "verify_email", { email: "valid+one@magic.test" }],
            [client, "enrich", person("email-only+one@magic.test")],
            [stranger, "enrich", person("email-only+one@magic.test")]
          ])
        )
        assert.deepStrictEqual(chargesOf(answers), ["1", "1", "1", "5", "5"])
        assert.deepStrictEqual([timesIn(asked, INDEX), timesIn(asked, PROBE)], [2, 3])
        for (const answer of answers.slice(3)) assert.isFalse(answer.result.from_cache)
        yield* assertBalance(client, "293")
        yield* assertBalance(stranger, "294")
      })
    )

    it.effect("a person is looked up once and paid for once: the others find them in the cache", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = wants("mobile-search+once@magic.test", "work_email", "mobile_phone")
        const calls = Array.from({ length: 5 }, (): Asked => [client, "enrich", input])
        const [answers, asked] = yield* whileLate([...ENRICHERS, MOBILE_FINDER], atOnce(calls))
        assert.deepStrictEqual([...chargesOf(answers)].sort(), ["0", "0", "0", "0", "22"])
        assert.strictEqual(new Set(asked).size, asked.length, "each source once")
        assert.includeMembers([...asked], [INDEX, MOBILE_FINDER])
        for (const { result, svc } of answers) {
          assert.strictEqual(result.from_cache, svc.credits_charged === "0")
          assert.deepStrictEqual(result.contact, answers[0]?.result.contact)
        }
        yield* assertBalance(client, "278")
      })
    )

    it.effect(
      "only calls that get a result pay for a shared lookup: a phone alone is free where only an email is found",
      () =>
        Effect.gen(function* () {
          const client = yield* makeClient()
          const email = "email-only+unpaid@magic.test"
          const [answers, asked] = yield* whileLate(
            [INDEX],
            atOnce([
              [client, "enrich", wants(email, "mobile_phone")],
              [client, "enrich", person(email)],
              [client, "enrich", person(email)]
            ])
          )
          assert.strictEqual(timesIn(asked, INDEX), 1)
          assert.deepStrictEqual(
            answers.map(({ result }) => result.outcome),
            ["miss", "hit", "hit"]
          )
          assert.deepStrictEqual([...chargesOf(answers)].sort(), ["0", "0", "5"])
          yield* assertBalance(client, "295")
        })
    )

    it.effect("whatever is wanted of a person at once, it costs what it costs in some order, one after the other", () =>
      Effect.gen(function* () {
        const client = yield* makeClient({ credits: "100000" })
        const want = fc.constantFrom(["work_email"], ["mobile_phone"], ["profile"], ["work_email", "mobile_phone"])
        const who = fc.constantFrom("email-only", "email-and-mobile", "mobile-search", "miss")
        const scenario = fc.record({ who, wanted: fc.array(want, { minLength: 2, maxLength: 4 }) })
        let number = 0
        const paid = (answers: ReadonlyArray<Answered>) =>
          chargesOf(answers).reduce((sum, charge) => sum + Number(charge), 0)
        for (const { wanted, who } of fc.sample(scenario, { numRuns: runs, seed: 7 })) {
          const email = `${who}+${(number += 1)}@magic.test`
          const calls = wanted.map((each): Asked => [client, "enrich", wants(email, ...each)])
          const [answers] = yield* whileLate([...ENRICHERS, MOBILE_FINDER], atOnce(calls))
          const possible: Array<number> = []
          for (const [turn] of wanted.entries()) {
            const after = `${who}+${number}-${turn}@magic.test`
            const order = [...wanted.slice(turn), ...wanted.slice(0, turn)]
            const one = yield* Effect.forEach(order, (each) => client.call("enrich", wants(after, ...each)))
            possible.push(paid(one))
          }
          assert.isAtMost(paid(answers), Math.max(...possible), `${who} ${JSON.stringify(wanted)}`)
          assert.isAtLeast(paid(answers), Math.min(...possible), `${who} ${JSON.stringify(wanted)}`)
        }
      })
    )

    it.effect("a lookup that fails fails those who waited for it, refunded, and nobody after them", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { behave } = yield* Faults
        yield* Effect.forEach(VERIFIERS, (source) => behave(source, Behaviour.Never()))
        const call: Asked = [client, "verify_email", { email: "valid+down@magic.test" }]
        const [answers, asked] = yield* atOnce([call, call])
        for (const answer of answers) assertRefused(answer, "provider_unavailable")
        assert.deepStrictEqual(asked, [...VERIFIERS])
        yield* Effect.forEach(VERIFIERS, (source) => behave(source, Behaviour.Answer()))
        assert.deepStrictEqual(chargesOf([yield* client.call(call[1], call[2])]), ["1"])
        yield* assertBalance(client, "299")
      })
    )

    it.effect("a site is read once for the same question, and answered to everyone", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const input = { question: "Do they sell software to hospitals?", company_domains: ["yes-1.test"] }
        const call: Asked = [client, "check_companies", input]
        const [answers, asked] = yield* whileLate([READER], atOnce([call, call]))
        assert.deepStrictEqual(chargesOf(answers), ["3", "3"])
        assert.strictEqual(timesIn(asked, READER), 1)
      })
    )
  })
}
