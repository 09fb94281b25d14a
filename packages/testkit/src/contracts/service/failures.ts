import { assert, layer as describeLayer } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { AsksAgain } from "../../service/AsksAgain.js"
import { encodeError, storeUnavailable, WIRE } from "@outbound/domain/kernel/errors/Wire.js"
import type { VerbName } from "@outbound/domain/verbs/verbs.js"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { MemoryFaults } from "../../memory/MemoryFaults.js"
import { Behaviour } from "../../providers/Faulty.js"
import { type Answered, type Client, makeClient } from "../../service/Client.js"
import type { Service } from "../../service/Service.js"
import {
  asking,
  assertBalance,
  ENRICHERS,
  LEAD_SOURCE,
  MOBILE_FINDER,
  resultOf,
  SUITE,
  VERIFIERS,
  whileSources
} from "./support.js"

const SECRET = "postgres://user:hunter2@db/outbound"

const CALLS: ReadonlyArray<readonly [VerbName, JsonObject, sources: ReadonlyArray<string>]> = [
  ["verify_email", { email: "valid@magic.test" }, VERIFIERS],
  ["enrich", { person: { email: "email-only@magic.test" } }, ENRICHERS],
  ["enrich", { person: { email: "mobile-search@magic.test" }, want: ["mobile_phone"] }, [MOBILE_FINDER]],
  ["find_leads", { audience: "anybody" }, [LEAD_SOURCE]]
]

/** An internal error says nothing but the id under which the operator finds what happened. */
const assertMasked = (answer: Answered): void => {
  assert.strictEqual(answer.status, 500, answer.text)
  assert.deepStrictEqual(answer.error, {
    code: "internal",
    message: WIRE.internal.message({}),
    request_id: answer.requestId
  } as never)
}

/** An outage of the store says that nothing was done, and when to ask again. */
const assertOutage = (answer: Answered): void => {
  assert.strictEqual(answer.status, 503, answer.text)
  const refused = storeUnavailable()
  assert.deepStrictEqual(answer.error, { ...encodeError(refused), request_id: answer.requestId } as never)
}

const statusOfRecord = (client: Client, { requestId }: Answered) =>
  Effect.map(client.call("get_request", { request_id: requestId }), (answer) => {
    const { credits_charged, credits_reserved, error_code, status } = resultOf(answer)
    return [status, error_code, credits_reserved, credits_charged]
  })

/** What a caller sees of defects, and what they leave behind (contract: calls, errors; credits, reservation). */
export const failuresContract = <E>(name: string, service: Layer.Layer<Service, E>) => {
  describeLayer(service, SUITE)(`defects (${name})`, (it) => {
    it.effect("a defect is masked, costs nothing, reserves nothing, and leaves the Idempotency-Key free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        for (const [index, [verb, input, sources]] of CALLS.entries()) {
          const call = client.call(verb, input, { key: `k${index}` })
          for (const defect of [new Error(SECRET), SECRET, undefined]) {
            const broken = yield* whileSources(sources, Behaviour.Die({ defect }), call)
            assertMasked(broken)
            assert.notInclude(broken.text, "hunter2")
            assert.deepStrictEqual(yield* statusOfRecord(client, broken), ["failed", "internal", "0", "0"])
          }
        }
        yield* assertBalance(client, "300")
        for (const [index, [verb, input]] of CALLS.entries()) {
          const answer = yield* client.call(verb, input, { key: `k${index}` })
          assert.isUndefined(resultOf(answer) && answer.svc.replayed)
        }
        yield* assertBalance(client, "272")
      })
    )

    it.effect("a defect in one of identical calls fails that one alone", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const call = client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
        const broken = whileSources(VERIFIERS, Behaviour.Die({ defect: SECRET }), call)
        const answers = yield* Effect.all([broken, call, call], { concurrency: "unbounded" })
        for (const answer of answers) if (answer.status !== 200) assertMasked(answer)
        assert.strictEqual(resultOf(yield* call).status, "valid")
        yield* assertBalance(client, "299")
      })
    )
  })
}

/** The same of stores that fail, where a test can make them. */
export const storeFailuresContract = <E>(name: string, service: Layer.Layer<Service | MemoryFaults, E>) => {
  describeLayer(service, SUITE)(`stores that fail (${name})`, (it) => {
    it.effect("a call that can't be admitted did nothing", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { failNext } = yield* MemoryFaults
        for (const [verb, input] of CALLS) {
          yield* failNext("CallJournal.admit", 1)
          const [answer, asked] = yield* asking(client.call(verb, input, { key: "k" }))
          assertOutage(answer)
          assert.deepStrictEqual(asked, [])
        }
        resultOf(yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k" }))
        yield* assertBalance(client, "299")
      })
    )

    it.effect("who asks again where there was no room is answered, and pays once", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { failNext } = yield* MemoryFaults
        yield* failNext("CallJournal.admit", 3)
        const answer = yield* client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
        assert.strictEqual(resultOf(answer).status, "valid")
        yield* assertBalance(client, "299")
      }).pipe(Effect.provideService(AsksAgain, true))
    )

    it.effect("a call that can't be settled is not charged, and its reservation is released at last", () =>
      Effect.gen(function* () {
        const { failNext } = yield* MemoryFaults
        // Once: the release right after it gets through. More often: it is tried again for as long as it takes.
        for (const times of [1, 2, 3, 10]) {
          const client = yield* makeClient({ credits: "1" })
          const call = client.call("verify_email", { email: "valid@magic.test" }, { key: "k" })
          yield* failNext("CallJournal.settle", times)
          const broken = yield* call
          assertMasked(broken)
          yield* TestClock.adjust("2 minutes")
          assert.deepStrictEqual(yield* statusOfRecord(client, broken), ["failed", "internal", "0", "0"])
          yield* assertBalance(client, "1")
          const again = yield* call
          assert.isUndefined(resultOf(again) && again.svc.replayed)
          yield* assertBalance(client, "0")
        }
      })
    )

    it.effect("whatever store a verb reads, its failure is told as an outage where nothing was done, and is free", () =>
      Effect.gen(function* () {
        const client = yield* makeClient()
        const { failNext } = yield* MemoryFaults
        const reads: ReadonlyArray<readonly [string, VerbName, JsonObject]> = [
          ["CreditStore.balance", "get_usage", {}],
          ["CreditStore.usageSince", "get_usage", {}],
          ["CallJournal.standing", "get_me", {}],
          ["WorkspaceStore.get", "get_me", {}],
          ["CallJournal.request", "get_request", { request_id: "018f3a5e-7b1c-7d2e-9f10-2b3c4d5e6f70" }]
        ]
        for (const [operation, verb, input] of reads) {
          yield* failNext(operation, 1)
          assertOutage(yield* client.call(verb, input))
        }
        yield* failNext("EnrichmentCache.find", 1)
        assertMasked(yield* client.call("enrich", { person: { email: "email-only@magic.test" } }))
        yield* assertBalance(client, "300")
      })
    )
  })
}
