import { assert, it } from "@effect/vitest"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { type Offer, OfferStore } from "@outbound/domain/data/leads/OfferStore.js"
import { OFFER_REASONS } from "@outbound/domain/verbs/FindLeads.js"
import { credits } from "@outbound/domain/kernel/money/Credits.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { admitted, anAttempt, givenCaller, settlementOf } from "./calls.js"
import { DAY, freshId, NOON, SUITE } from "./fixtures.js"

const AT_ONCE = 20

export const anOffer = (given: Partial<Offer> = {}): Offer => ({
  offerId: freshId(),
  workspaceId: freshId(),
  keyId: freshId(),
  baseFingerprint: "fingerprint",
  tokenHash: freshId(),
  reason: "partially_filled",
  maxResults: 5,
  maxCredits: credits("5.000001"),
  known: ["a", "b"],
  requestId: freshId(),
  createdAtMillis: NOON,
  expiresAtMillis: NOON + 15 * 60_000,
  takenByRequestId: null,
  usedAtMillis: null,
  ...given
})

/** What every store of premium offers guarantees. */
export const offersContract = <E>(
  name: string,
  adapter: Layer.Layer<CallJournal | CreditStore | KeyStore | OfferStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const given = (offer: Offer) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* OfferStore
      yield* atomically(store.insert(offer))
      return offer
    })

  const find = ({ tokenHash, workspaceId }: Offer) =>
    Effect.flatMap(OfferStore, (store) => store.find(workspaceId, tokenHash))

  /** What accepting an offer does to it: true for the one that took it. */
  const taking = ({ offerId, tokenHash, workspaceId }: Offer, requestId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* OfferStore
      return yield* atomically(
        Effect.gen(function* () {
          const { isTaken, offer } = Option.getOrThrow(yield* store.lock(workspaceId, tokenHash))
          if (isTaken || offer.usedAtMillis !== null) return false
          yield* store.take(workspaceId, offerId, requestId)
          return true
        })
      )
    })

  const using = ({ offerId, workspaceId }: Offer, requestId: string) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* OfferStore
      return yield* atomically(store.use(workspaceId, offerId, requestId, NOON + 1))
    })

  it.layer(adapter, SUITE)(`premium offers (${name})`, (it) => {
    it.effect("an offer is found as it was, by its token, in its workspace alone", () =>
      Effect.gen(function* () {
        const store = yield* OfferStore
        for (const reason of OFFER_REASONS) {
          const offer = yield* given(anOffer({ reason }))
          assert.deepStrictEqual(Option.getOrNull(yield* find(offer)), { offer, isTaken: false })
          assert.isTrue(Option.isNone(yield* store.find(freshId(), offer.tokenHash)))
          assert.isTrue(Option.isNone(yield* store.find(offer.workspaceId, freshId())))
        }
      })
    )

    it.effect("it is taken while the call that took it runs, and free again once that has ended", () =>
      Effect.gen(function* () {
        const journal = yield* CallJournal
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const offer = yield* given(anOffer({ workspaceId }))
        const first = yield* admitted(anAttempt(keyHash))
        assert.isTrue(yield* taking(offer, first.requestId))
        assert.isTrue(Option.getOrThrow(yield* find(offer)).isTaken)
        const second = yield* admitted(anAttempt(keyHash))
        assert.isFalse(yield* taking(offer, second.requestId))
        yield* journal.settle(settlementOf(first, { status: "failed" }))
        assert.isFalse(Option.getOrThrow(yield* find(offer)).isTaken)
        assert.isTrue(yield* taking(offer, second.requestId))
        assert.isFalse(yield* using(offer, first.requestId))
        assert.isTrue(yield* using(offer, second.requestId))
        assert.isFalse(yield* using(offer, second.requestId))
        // Once used it is nobody's any more, though the call that used it has ended.
        yield* journal.settle(settlementOf(second))
        const third = yield* admitted(anAttempt(keyHash))
        assert.isFalse(yield* taking(offer, third.requestId))
        assert.deepInclude(Option.getOrThrow(yield* find(offer)).offer, {
          takenByRequestId: second.requestId,
          usedAtMillis: NOON + 1
        })
      })
    )

    it.effect("what is taken and used is one offer: another one of the workspace, and of the call, stays free", () =>
      Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const [offer, beside] = [yield* given(anOffer({ workspaceId })), yield* given(anOffer({ workspaceId }))]
        const { requestId } = yield* admitted(anAttempt(keyHash))
        assert.isTrue(yield* taking(offer, requestId))
        assert.isFalse(yield* using(beside, requestId))
        assert.isTrue(yield* using(offer, requestId))
        assert.deepStrictEqual(Option.getOrNull(yield* find(beside)), { offer: beside, isTaken: false })
        assert.isNull(Option.getOrThrow(yield* find(beside)).offer.usedAtMillis)
      })
    )

    it.effect("of many calls that take it at once one does", () =>
      Effect.gen(function* () {
        const { keyHash, workspaceId } = yield* givenCaller("1000")
        const offer = yield* given(anOffer({ workspaceId }))
        const calls = yield* Effect.forEach(Array.from({ length: AT_ONCE }), () => admitted(anAttempt(keyHash)))
        const takings = calls.map(({ requestId }) => taking(offer, requestId))
        const took = yield* Effect.all(takings, { concurrency: "unbounded" })
        assert.strictEqual(took.filter((one) => one).length, 1)
      })
    )

    it.effect("a use that is rolled back was none", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const offer = yield* given(anOffer({ workspaceId }))
        const { requestId } = yield* admitted(anAttempt(keyHash))
        yield* taking(offer, requestId)
        yield* Effect.result(atomically(Effect.andThen(using(offer, requestId), Effect.fail("refused"))))
        assert.isTrue(yield* using(offer, requestId))
      })
    )

    it.effect("what expired long ago is forgotten, no more at once than said, the oldest first", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const store = yield* OfferStore
        const purge = (beforeMillis: number, limit: number) => atomically(store.purge(beforeMillis, limit))
        const since = NOON - 1000 * DAY
        yield* purge(since, 10_000)
        const old = yield* Effect.forEach([1, 2, 3], (age) => given(anOffer({ expiresAtMillis: since - age })))
        const [youngest, , oldest] = old
        const kept = yield* given(anOffer({ expiresAtMillis: since }))
        assert.strictEqual(yield* purge(since, 1), 1)
        assert.isTrue(Option.isNone(yield* find(oldest ?? kept)))
        assert.isTrue(Option.isSome(yield* find(youngest ?? kept)))
        assert.strictEqual(yield* purge(since, 10), 2)
        assert.strictEqual(yield* purge(since, 10), 0)
        assert.isTrue(Option.isSome(yield* find(kept)))
      })
    )
  })
}
