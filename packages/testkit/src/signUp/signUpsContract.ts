import { assert, it } from "@effect/vitest"
import { type SignUpLink, SignUpStore } from "@outbound/domain/control/signUp/SignUpStore.js"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId, hashOf, MINUTE, SUITE } from "../contracts/fixtures.js"

const SPENDERS = 20

/** Long after every other row, so that counts of a day are a test's own. */
let days = 0
const freshDay = (): number => Date.UTC(2100, 0, 1) + DAY * (days += 1)

/** What every store of sign-ups guarantees. */
export const signUpsContract = <E>(name: string, adapter: Layer.Layer<SignUpStore | UnitOfWork, E>): void => {
  const linkOf = (given: Partial<SignUpLink> = {}): SignUpLink => {
    const createdAtMillis = given.createdAtMillis ?? freshDay()
    return {
      linkHash: hashOf(freshId()),
      personHash: hashOf(freshId()),
      networkHash: hashOf(freshId()),
      email: "ada@acme.test",
      workspaceName: "Ada, <b>Ltd</b>",
      createdAtMillis,
      expiresAtMillis: createdAtMillis + 30 * MINUTE,
      ...given
    }
  }

  const given = (link: SignUpLink) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      const store = yield* SignUpStore
      yield* atomically(store.insert(link))
      return { atomically, store, link }
    })

  it.layer(adapter, SUITE)(`sign-ups (${name})`, (it) => {
    it.effect("a link is found as it was kept, until it runs out", () =>
      Effect.gen(function* () {
        const { link, store } = yield* given(linkOf())
        assert.deepStrictEqual(Option.getOrNull(yield* store.find(link.linkHash, link.expiresAtMillis - 1)), link)
        assert.isNull(Option.getOrNull(yield* store.find(link.linkHash, link.expiresAtMillis)))
        assert.isNull(Option.getOrNull(yield* store.find(hashOf(freshId()), link.createdAtMillis)))
        const byOperator = (yield* given(linkOf({ networkHash: null }))).link
        assert.deepStrictEqual(
          Option.getOrNull(yield* store.find(byOperator.linkHash, byOperator.createdAtMillis)),
          byOperator
        )
      })
    )

    it.effect("of many who spend a link at once, one does, and nobody once it has run out", () =>
      Effect.gen(function* () {
        const { atomically, link, store } = yield* given(linkOf())
        const late = yield* given(linkOf({ createdAtMillis: link.createdAtMillis }))
        assert.isFalse(yield* atomically(store.spend(late.link.linkHash, late.link.expiresAtMillis)))
        const spending = atomically(store.spend(link.linkHash, link.createdAtMillis))
        const spent = yield* Effect.all(
          Array.from({ length: SPENDERS }, () => spending),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(spent.filter(Boolean).length, 1)
        assert.isNull(Option.getOrNull(yield* store.find(link.linkHash, link.createdAtMillis)))
      })
    )

    it.effect("a link that ran out is forgotten with the next one", () =>
      Effect.gen(function* () {
        const { link, store } = yield* given(linkOf())
        yield* given(linkOf({ createdAtMillis: link.expiresAtMillis }))
        assert.isNull(Option.getOrNull(yield* store.find(link.linkHash, link.createdAtMillis)))
      })
    )

    it.effect("grants count for their person, for their day, and for their network", () =>
      Effect.gen(function* () {
        const { atomically, link, store } = yield* given(linkOf())
        const { networkHash, personHash } = link
        const sinceMillis = link.createdAtMillis
        const nobody = { personHash: hashOf(freshId()), networkHash, sinceMillis }
        assert.deepStrictEqual(yield* store.facts(nobody), { personHasOne: false, today: 0, ofNetworkToday: 0 })
        yield* atomically(store.grant({ personHash, networkHash, grantedAtMillis: sinceMillis }))
        yield* atomically(
          store.grant({ personHash: hashOf(freshId()), networkHash: null, grantedAtMillis: sinceMillis + 1 })
        )
        const own = { personHash, networkHash, sinceMillis }
        assert.deepStrictEqual(yield* store.facts(own), { personHasOne: true, today: 2, ofNetworkToday: 1 })
        assert.deepStrictEqual(yield* atomically(store.lockFacts(own)), yield* store.facts(own))
        const byOperator = { ...nobody, networkHash: null }
        assert.deepStrictEqual(yield* store.facts(byOperator), { personHasOne: false, today: 2, ofNetworkToday: 0 })
        const later = { ...own, sinceMillis: sinceMillis + 2 }
        assert.deepStrictEqual(yield* store.facts(later), { personHasOne: true, today: 0, ofNetworkToday: 0 })
      })
    )

    it.effect("grants that are decided at once see each other", () =>
      Effect.gen(function* () {
        const { atomically, link, store } = yield* given(linkOf())
        const sinceMillis = link.createdAtMillis
        const one = Effect.gen(function* () {
          const networkHash = hashOf(freshId())
          const personHash = hashOf(freshId())
          const { today } = yield* store.lockFacts({ personHash, networkHash, sinceMillis })
          if (today >= 3) return false
          yield* store.grant({ personHash, networkHash, grantedAtMillis: sinceMillis })
          return true
        }).pipe(atomically)
        const made = yield* Effect.all(
          Array.from({ length: SPENDERS }, () => one),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(made.filter(Boolean).length, 3)
      })
    )
  })
}
