import { assert, it } from "@effect/vitest"
import { UnitOfWork } from "@outbound/domain/kernel/ports/UnitOfWork.js"
import {
  BOARD_PROOFS,
  LAPSED_PER_WRITE_MAX,
  type LearntPlace,
  OUTCOMES_KEPT_DAYS,
  SourceMemoryStore
} from "@outbound/domain/sources/SourceMemoryStore.js"
import { Effect, type Layer, Option } from "effect"
import { DAY, freshId } from "./fixtures.js"

const NOW = Date.UTC(2026, 4, 4, 23, 30)

/** What every memory of sources guarantees. */
export const sourceMemoryContract = <E>(
  name: string,
  adapter: Layer.Layer<SourceMemoryStore | UnitOfWork, E>
): void => {
  const inStore = <A, E2, R>(use: (store: (typeof SourceMemoryStore)["Service"]) => Effect.Effect<A, E2, R>) =>
    Effect.gen(function* () {
      const { atomically } = yield* UnitOfWork
      return yield* atomically(use(yield* SourceMemoryStore))
    })

  const aPlace = (given: Partial<LearntPlace> = {}): LearntPlace => ({
    companyDomain: `${freshId()}.example`,
    place: {
      kind: "board",
      system: "lever_eu",
      board: "Acme & Söhne",
      provenBy: "postings",
      foundOn: "https://acme.example/karriere?a=1"
    },
    learntAtMillis: NOW,
    keptUntilMillis: NOW + DAY,
    ...given
  })

  const placeAt = (companyDomain: string, nowMillis: number) =>
    Effect.flatMap(SourceMemoryStore, (store) => Effect.map(store.place(companyDomain, nowMillis), Option.getOrNull))

  it.layer(adapter, { timeout: "60 seconds" })(`the memory of sources, ${name}`, (it) => {
    it.effect("keeps where a company's openings stand, by each proof, on its own pages, or nowhere, for its time", () =>
      Effect.gen(function* () {
        const { place: board } = aPlace()
        const places = [
          ...BOARD_PROOFS.map((provenBy) => ({ ...board, provenBy }) as LearntPlace["place"]),
          { kind: "pages" as const },
          { kind: "none" as const }
        ].map((place) => aPlace({ place }))
        yield* Effect.forEach(places, (one) => inStore((store) => store.putPlace(one)))
        for (const one of places) {
          assert.deepStrictEqual(yield* placeAt(one.companyDomain, NOW + DAY - 1), one)
          assert.isNull(yield* placeAt(one.companyDomain, NOW + DAY))
        }
        assert.isNull(yield* placeAt("unknown.example", NOW))
      })
    )

    it.effect("replaces what was known of a company, also by what is older on a clock that was set back", () =>
      Effect.gen(function* () {
        const before = aPlace()
        const after = { ...before, place: { kind: "none" as const }, learntAtMillis: NOW - DAY }
        yield* inStore((store) => store.putPlace(before))
        yield* inStore((store) => store.putPlace(after))
        assert.deepStrictEqual(yield* placeAt(before.companyDomain, NOW), after)
      })
    )

    it.effect("removes what is past its time as it is written to, a bounded number at once, and nothing else", () =>
      Effect.gen(function* () {
        const old = Array.from({ length: LAPSED_PER_WRITE_MAX + 5 }, (_, at) =>
          aPlace({ learntAtMillis: NOW - 9_000 * DAY, keptUntilMillis: NOW - 8_000 * DAY + at })
        )
        const live = aPlace()
        yield* Effect.forEach([...old, live], (one) => inStore((store) => store.putPlace(one)))
        const standing = Effect.map(
          Effect.forEach(old, ({ companyDomain }) => placeAt(companyDomain, NOW - 8_500 * DAY)),
          (found) => found.filter((one) => one !== null).length
        )
        // The last write removed the first of them.
        assert.strictEqual(yield* standing, 5)
        yield* inStore((store) => store.putPlace(live))
        assert.strictEqual(yield* standing, 0)
        assert.deepStrictEqual(yield* placeAt(live.companyDomain, NOW), live)
      })
    )

    it.effect("loses nothing of two hosts that learn of one company, or count one source, at once", () =>
      Effect.gen(function* () {
        const one = aPlace()
        const source = `s_${freshId()}`
        yield* Effect.all(
          Array.from({ length: 20 }, (_, at) => [
            inStore((store) => store.putPlace({ ...one, learntAtMillis: NOW + at })),
            inStore((store) => store.addOutcome({ source, isFound: at % 4 === 0, tookMillis: 10 }, NOW))
          ]).flat(),
          { concurrency: "unbounded" }
        )
        assert.strictEqual((yield* placeAt(one.companyDomain, NOW))?.companyDomain, one.companyDomain)
        const store = yield* SourceMemoryStore
        assert.deepStrictEqual(yield* store.outcomes(source, NOW), { asked: 20, found: 5, tookMillis: 200 })
      })
    )

    it.effect("counts outcomes of each source apart, of the last days only", () =>
      Effect.gen(function* () {
        const [source, other] = [`s_${freshId()}`, `s_${freshId()}`]
        const store = yield* SourceMemoryStore
        assert.deepStrictEqual(yield* store.outcomes(source, NOW), { asked: 0, found: 0, tookMillis: 0 })
        const add = (of: string, isFound: boolean, tookMillis: number, at: number) =>
          inStore((one) => one.addOutcome({ source: of, isFound, tookMillis }, at))
        yield* add(source, true, 1_500, NOW)
        yield* add(other, true, 7, NOW)
        assert.deepStrictEqual(yield* add(source, false, 500.4, NOW + DAY), { asked: 2, found: 1, tookMillis: 2_000 })
        const last = NOW + OUTCOMES_KEPT_DAYS * DAY
        assert.deepStrictEqual(yield* store.outcomes(source, last - DAY), { asked: 2, found: 1, tookMillis: 2_000 })
        assert.deepStrictEqual(yield* store.outcomes(source, last), { asked: 1, found: 0, tookMillis: 500 })
        // What is no longer counted is gone.
        yield* add(source, true, 1, last)
        assert.deepStrictEqual(yield* store.outcomes(source, NOW + DAY), { asked: 2, found: 1, tookMillis: 501 })
      })
    )
  })
}
