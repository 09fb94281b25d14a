import { assert, layer as describeLayer } from "@effect/vitest"
import { Effect } from "effect"
import { accept, assertOfferInvalid, offered, offerOf, search } from "../../src/contracts/service/premiumSupport.js"
import { assertBalance, assertRefused, resultOf, SUITE } from "../../src/contracts/service/support.js"
import { Memory } from "../../src/memory/Memory.js"
import { MemoryFaults } from "../../src/memory/MemoryFaults.js"
import { makeClient } from "../../src/service/Client.js"
import { quietMemory } from "../../src/service/Service.js"

const failNext = (operation: string) => Effect.flatMap(MemoryFaults, (faults) => faults.failNext(operation, 1))

describeLayer(quietMemory, SUITE)("premium offers over stores that fail", (it) => {
  it.effect("a search whose offer can't be stored is not charged, and may be repeated under its key", () =>
    Effect.gen(function* () {
      const client = yield* makeClient()
      for (const operation of ["OfferStore.insert", "CallJournal.settleIn"]) {
        yield* failNext(operation)
        assertRefused(yield* search(client, {}, { key: "mine" }), "internal")
        yield* assertBalance(client, "300")
      }
      resultOf(yield* search(client, {}, { key: "mine" }))
      yield* assertBalance(client, "299")
    })
  )

  it.effect("wherever an accepting call fails, the offer is neither used nor charged", () =>
    Effect.gen(function* () {
      const client = yield* makeClient()
      const token = yield* offered(client)
      const operations = [
        "OfferStore.find",
        "KeyStore.get",
        "OfferStore.lock",
        "OfferStore.take",
        "OfferStore.use",
        "CallJournal.settleIn"
      ]
      for (const operation of operations) {
        yield* failNext(operation)
        // An outage before the admission is told as one: nothing was done.
        const isBefore = operation === "OfferStore.find" || operation === "KeyStore.get"
        const code = isBefore ? "provider_unavailable" : "internal"
        assertRefused(yield* accept(client, token, {}, { key: "mine" }), code)
        yield* assertBalance(client, "299")
      }
      assert.strictEqual(resultOf(yield* accept(client, token, {}, { key: "mine" })).leads.length, 5)
      assertOfferInvalid(yield* accept(client, token), /already used/)
      yield* assertBalance(client, "294")
    })
  )

  it.effect("a token is kept nowhere, and a repeat shows it all the same", () =>
    Effect.gen(function* () {
      const client = yield* makeClient()
      const memory = yield* Memory
      const first = yield* search(client, {}, { key: "mine" })
      const { offer_token } = offerOf(first)
      const kept = yield* memory.read(({ calls, offers, records }) =>
        [...calls.filter(() => true), ...offers.filter(() => true), ...records.filter(() => true)].map((row) =>
          JSON.stringify(row, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value))
        )
      )
      assert.isTrue(kept.some((row) => row.includes(first.requestId)))
      assert.isFalse(kept.some((row) => row.includes(offer_token)))
      const again = yield* search(client, {}, { key: "mine" })
      assert.strictEqual(offerOf(again).offer_token, offer_token)
      assert.notStrictEqual(yield* offered(client), offer_token)
    })
  )
})
