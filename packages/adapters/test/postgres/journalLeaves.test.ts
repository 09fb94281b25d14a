import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { AdmittedCall, Settlement } from "@outbound/domain/calls/Attempt.js"
import { EnrichmentCache } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import { VerdictStore } from "@outbound/domain/data/verification/VerdictStore.js"
import { type Credits, credits, zero } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import {
  admitted,
  anAttempt,
  claimOf,
  costing,
  givenCaller,
  moneyOf,
  outcomeOf,
  settlementOf
} from "@outbound/testkit/contracts/calls.js"
import { enrichmentContract } from "@outbound/testkit/contracts/enrichment.js"
import { DAY, freshId, MINUTE, NOON, SUITE } from "@outbound/testkit/contracts/fixtures.js"
import { settledAfterContract } from "@outbound/testkit/contracts/settledAfter.js"
import { Effect, Layer, Option } from "effect"
import * as PgVerdictStore from "../../src/postgres/PgVerdictStore.js"
import { SqlClient } from "../../src/postgres/Sql.js"
import { stores } from "./stores.js"

const layer = Layer.provideMerge(PgVerdictStore.layer, stores)

settledAfterContract("postgres", layer)
enrichmentContract("postgres", stores)

const called = (keyHash: string, key: string | null) =>
  admitted(anAttempt(keyHash, { idempotency: key === null ? null : claimOf(key, "body") }))

/** All of them travel in one batch. */
const settleAtOnce = (keyHash: string, ...given: ReadonlyArray<Partial<Settlement>>) =>
  Effect.gen(function* () {
    const journal = yield* CallJournal
    const calls = yield* Effect.forEach(given, () => called(keyHash, null))
    yield* Effect.forEach(calls, (call, at) => journal.settle(settlementOf(call, given[at])), {
      concurrency: "unbounded"
    })
  })

it.layer(layer, SUITE)("what a batch of settlements leaves", (it) => {
  it.effect(
    "whom a call was about is kept with its outcome, its contact and its row of a list, and with nothing else",
    () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const sql = yield* SqlClient
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const subjects = ["ann", "bob"]
        const contact = (personKey: string) => ({
          personKey,
          contact: "{}",
          emailLookedUp: true,
          mobileSearched: false,
          expiresAtMillis: NOON + DAY
        })
        const settle = (key: string | null, given: Partial<Settlement>, body: string | null = "{}") =>
          Effect.gen(function* () {
            const call = yield* called(keyHash, key)
            const outcome = body === null ? null : outcomeOf(call, body)
            yield* journal.settle(settlementOf(call, { outcome, ...given }))
            return call.requestId
          })
        const kept = yield* settle("kept", { subjects })
        const listed = yield* settle(null, { subjects: ["cem"], isListed: true }, null)
        yield* settle("of nobody", {})
        yield* settle("without an outcome", { subjects }, null)
        yield* settle(null, { subjects, cache: contact("a contact") })
        yield* settle("a contact of nobody", { cache: contact("of nobody") })
        const ofCalls = yield* sql`
        SELECT request_id::text AS call, address_hash AS subject FROM call_subjects
        WHERE workspace_id = ${workspaceId} ORDER BY 2
      `
        assert.deepStrictEqual(ofCalls, [
          ...subjects.map((subject) => ({ call: kept, subject })),
          { call: listed, subject: "cem" }
        ])
        const ofContacts = yield* sql`
        SELECT person_key AS contact, address_hash AS subject FROM contact_subjects
        WHERE workspace_id = ${workspaceId} ORDER BY 2
      `
        assert.deepStrictEqual(
          ofContacts,
          subjects.map((subject) => ({ contact: "a contact", subject }))
        )
      })
  )

  it.effect(
    "of two contacts of one person that are found at once the later one is kept, and both of two people's",
    () =>
      Effect.gen(function* () {
        const cache = yield* EnrichmentCache
        const { keyHash, workspaceId } = yield* givenCaller("100")
        const found = (personKey: string, contact: string, settledAtMillis: number) => ({
          settledAtMillis,
          cache: { personKey, contact, emailLookedUp: true, mobileSearched: false, expiresAtMillis: NOON + DAY }
        })
        const [ann, bob] = [freshId(), freshId()]
        yield* settleAtOnce(
          keyHash,
          found(ann, "earlier", NOON),
          found(ann, "later", NOON + MINUTE),
          found(ann, "between", NOON + 1),
          found(bob, "his", NOON)
        )
        const contactOf = (personKey: string) =>
          Effect.map(cache.find(workspaceId, personKey, NOON), (one) => Option.getOrThrow(one).contact)
        assert.deepStrictEqual([yield* contactOf(ann), yield* contactOf(bob)], ["later", "his"])
      })
  )

  it.effect("of verdicts that are found at once the latest is kept, before which one that knew nothing stands", () =>
    Effect.gen(function* () {
      const verdicts = yield* VerdictStore
      const { keyHash, workspaceId } = yield* givenCaller("100")
      const judged = (addressHash: string, status: "valid" | "invalid" | "unknown", settledAtMillis: number) => ({
        settledAtMillis,
        verdict: { addressHash, status }
      })
      yield* settleAtOnce(
        keyHash,
        judged("ann", "valid", NOON),
        judged("ann", "invalid", NOON + 2),
        judged("ann", "valid", NOON + 1),
        judged("ann", "unknown", NOON + 3),
        judged("bob", "unknown", NOON)
      )
      const found = yield* verdicts.find(workspaceId, ["ann", "bob"])
      assert.deepStrictEqual(
        ["ann", "bob"].map((hash) => [found.get(hash)?.status, found.get(hash)?.checkedAtMillis]),
        [
          ["invalid", NOON + 2],
          ["unknown", NOON]
        ]
      )
    })
  )

  it.effect("a settlement that knows less of its call than the journal settles nothing", () =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const { atomically } = yield* UnitOfWork
      const { keyHash, workspaceId } = yield* givenCaller("20")
      const end = (call: AdmittedCall, charge: Credits) =>
        Effect.map(atomically(journal.settleIn(settlementOf(call, { charge }))), ({ _tag }) => _tag)
      const claimed = yield* called(keyHash, "key")
      const large = yield* admitted(anAttempt(keyHash, { plan: costing(credits("10")) }))
      const unaware = { ...claimed, idempotency: null }
      const named = { idempotency: claimOf("large", "body"), plan: costing(credits("2")) }
      const less = { ...(yield* admitted(anAttempt(keyHash, named))), reserved: credits("0.5") }
      // All of it, and a part.
      assert.deepStrictEqual([yield* end(unaware, credits("1")), yield* end(unaware, zero)], ["Fenced", "Fenced"])
      assert.strictEqual(yield* end({ ...large, reserved: credits("4") }, credits("4")), "Fenced")
      assert.strictEqual(yield* end(less, credits("0.5")), "Fenced")
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "20", reserved: "13" })
      assert.deepStrictEqual([yield* end(claimed, zero), yield* end(large, credits("4"))], ["Settled", "Settled"])
      assert.deepStrictEqual(yield* moneyOf(workspaceId), { balance: "16", reserved: "2" })
    })
  )
})
