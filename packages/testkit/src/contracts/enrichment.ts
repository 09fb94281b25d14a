import { assert, it } from "@effect/vitest"
import type { Settlement } from "@outbound/domain/calls/Attempt.js"
import { CallJournal } from "@outbound/domain/calls/CallJournal.js"
import type { CreditStore } from "@outbound/domain/calls/credits/CreditStore.js"
import { EnrichmentCache } from "@outbound/domain/data/enrichment/EnrichmentCache.js"
import type { KeyStore } from "@outbound/domain/calls/keys/KeyStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import type { WorkspaceStore } from "@outbound/domain/kernel/workspaces/WorkspaceStore.js"
import { Effect, type Layer, Option } from "effect"
import { admitted, anAttempt, givenCaller, settlementOf } from "./calls.js"
import { addressHashOf, DAY, freshId, NOON, SUITE } from "./fixtures.js"

/** What every cache of found contacts guarantees, and the journal that fills it. */
export const enrichmentContract = <E>(
  name: string,
  adapter: Layer.Layer<CallJournal | CreditStore | EnrichmentCache | KeyStore | UnitOfWork | WorkspaceStore, E>
): void => {
  const cached = (contact: string, given: Partial<NonNullable<Settlement["cache"]>> = {}) => ({
    personKey: addressHashOf("person", freshId()),
    contact,
    emailLookedUp: true,
    mobileSearched: false,
    expiresAtMillis: NOON + 90 * DAY,
    ...given
  })

  const given = (keyHash: string, cache: NonNullable<Settlement["cache"]>) =>
    Effect.gen(function* () {
      const journal = yield* CallJournal
      const call = yield* admitted(anAttempt(keyHash, { verb: "enrich" }))
      yield* journal.settle(settlementOf(call, { cache }))
    })

  it.layer(adapter, SUITE)(`enrichment cache (${name})`, (it) => {
    it.effect("what a settlement kept is found as it was, until it expires", () =>
      Effect.gen(function* () {
        const cache = yield* EnrichmentCache
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const contact = '{"full_name":"Ünïcode \u{1F4EC}",  "b":1.0,"a":null}'
        const kept = cached(contact)
        yield* given(keyHash, kept)
        const find = (nowMillis: number) => cache.find(workspaceId, kept.personKey, nowMillis)
        const found = Option.some({ contact, emailLookedUp: true, mobileSearched: false })
        assert.deepStrictEqual(yield* find(NOON), found)
        assert.deepStrictEqual(yield* find(kept.expiresAtMillis - 1), found)
        assert.isTrue(Option.isNone(yield* find(kept.expiresAtMillis)))
        assert.isTrue(Option.isNone(yield* cache.find(workspaceId, addressHashOf("person", freshId()), NOON)))
      })
    )

    it.effect("a newer contact takes the place of the older one", () =>
      Effect.gen(function* () {
        const cache = yield* EnrichmentCache
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const older = cached("older")
        const { personKey } = older
        yield* given(keyHash, older)
        yield* given(keyHash, cached("newer", { personKey, mobileSearched: true, expiresAtMillis: NOON + 100 * DAY }))
        const found = yield* cache.find(workspaceId, personKey, NOON + 95 * DAY)
        assert.deepStrictEqual(Option.getOrNull(found), { contact: "newer", emailLookedUp: true, mobileSearched: true })
      })
    )

    it.effect("no workspace ever sees what another has found", () =>
      Effect.gen(function* () {
        const cache = yield* EnrichmentCache
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const other = yield* givenCaller("10")
        const kept = cached("ours")
        yield* given(keyHash, kept)
        assert.isTrue(Option.isNone(yield* cache.find(other.workspaceId, kept.personKey, NOON)))
        yield* given(other.keyHash, { ...kept, contact: "theirs" })
        const ours = Option.getOrThrow(yield* cache.find(workspaceId, kept.personKey, NOON))
        assert.strictEqual(ours.contact, "ours")
      })
    )

    it.effect("a settlement that is fenced or rolled back leaves nothing in the cache", () =>
      Effect.gen(function* () {
        const { atomically } = yield* UnitOfWork
        const journal = yield* CallJournal
        const cache = yield* EnrichmentCache
        const { keyHash, workspaceId } = yield* givenCaller("10")
        const kept = cached("never")
        const call = yield* admitted(anAttempt(keyHash))
        const settle = journal.settleIn(settlementOf(call, { cache: kept }))
        yield* Effect.result(atomically(Effect.andThen(settle, Effect.fail("refused"))))
        yield* journal.settle(settlementOf(call))
        yield* journal.settle(settlementOf(call, { cache: kept }))
        assert.isTrue(Option.isNone(yield* cache.find(workspaceId, kept.personKey, NOON)))
      })
    )
  })
}
