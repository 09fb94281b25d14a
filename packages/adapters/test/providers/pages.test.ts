import { assert, describe, it } from "@effect/vitest"
import { ProviderFailure } from "@outbound/domain/sources/ports/Source.js"
import { SOURCE_TIMEOUT_SECONDS } from "@outbound/domain/sources/Waterfall.js"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { gather, type Page, SEARCH_MILLIS_MAX } from "../../src/providers/pages.js"

type Pages = Readonly<Record<number, Effect.Effect<Page<string, number>, ProviderFailure>>>

/** Three pages at most; and what of them was asked for. */
const gathering = (pages: Pages, beganMillis?: number) => {
  const asked: Array<number> = []
  const gathered = gather({
    first: 1,
    pagesMax: 3,
    itemsMax: 10,
    ...(beganMillis === undefined ? {} : { beganMillis }),
    ask: (page: number) =>
      Effect.suspend(() => {
        asked.push(page)
        return pages[page] ?? Effect.die(`page ${page}`)
      })
  })
  return { asked, gathered }
}

const page = (item: string, next: number | null) => Effect.succeed({ items: [item], next })

describe("a search, page after page", () => {
  it("ends before its source is given up, which would lose what was paid for", () => {
    assert.isBelow(SEARCH_MILLIS_MAX, SOURCE_TIMEOUT_SECONDS * 1000)
  })

  it.effect("tells what came before a page that does not come in time", () =>
    Effect.gen(function* () {
      const { asked, gathered } = gathering({ 1: page("a", 2), 2: Effect.never })
      const searching = yield* Effect.forkChild(gathered)
      yield* TestClock.adjust(SEARCH_MILLIS_MAX - 1)
      assert.isUndefined(searching.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(searching), { items: ["a"], isMore: true })
      assert.deepStrictEqual(asked, [1, 2])
    })
  )

  it.effect("begins no page that could hardly come in time, counted from where the search began", () =>
    Effect.gen(function* () {
      const pages = { 1: page("a", 2), 2: page("b", null) }
      yield* TestClock.adjust(SEARCH_MILLIS_MAX)
      const late = gathering(pages, 1)
      assert.deepStrictEqual(yield* late.gathered, { items: ["a"], isMore: true })
      assert.deepStrictEqual(late.asked, [1])
      const now = yield* Clock.currentTimeMillis
      for (const began of [undefined, now]) {
        assert.deepStrictEqual(yield* gathering(pages, began).gathered, { items: ["a", "b"], isMore: false })
      }
    })
  )

  it.effect("tells what came before a page that failed, and fails with the first alone", () =>
    Effect.gen(function* () {
      const failure = new ProviderFailure({ provider: "some_vendor", reason: "transient" })
      const second = gathering({ 1: page("a", 2), 2: Effect.fail(failure) })
      assert.deepStrictEqual(yield* second.gathered, { items: ["a"], isMore: true })
      assert.strictEqual(yield* Effect.flip(gathering({ 1: Effect.fail(failure) }).gathered), failure)
    })
  )
})
