import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { makeRetention } from "../../../src/control/erasure/Retention.js"
import { RetentionStore, type SubjectCursor } from "../../../src/control/erasure/RetentionStore.js"
import { UnitOfWork } from "../../../src/kernel/ports/UnitOfWork.js"

const NOW = Date.UTC(2028, 4, 20, 12)
const DAY = 86_400_000

/** What each round asks the store to forget, and what the trail's next part is. */
const given = (cursors: ReadonlyArray<SubjectCursor | null>) => {
  const asked: Array<readonly [string, unknown]> = []
  const noting = (what: string) => (since: number) =>
    Effect.sync(() => {
      asked.push([what, since])
      return 1
    })
  const next = [...cursors]
  const store = Layer.succeed(RetentionStore, {
    forgetUnseen: (since, after) =>
      Effect.sync(() => {
        asked.push(["addresses", since], ["after", after])
        return { forgotten: 1, next: next.shift() ?? null }
      }),
    forgetOutcomes: (since, kept) =>
      Effect.sync(() => {
        asked.push(["outcomes", since], ["kept", kept.includes("launch_campaign") && !kept.includes("find_leads")])
        return 1
      }),
    forgetContacts: noting("contacts"),
    forgetPeople: noting("people"),
    forgetRows: noting("rows"),
    forgetVerdicts: noting("verdicts")
  })
  return {
    asked,
    layer: Layer.merge(store, Layer.succeed(UnitOfWork, { atomically: (body: unknown) => body } as never))
  }
}

it.effect(
  "each kind of data is forgotten after its own time: months as the calendar has them, days as they are",
  () => {
    const { asked, layer } = given([])
    return Effect.gen(function* () {
      yield* TestClock.setTime(NOW)
      assert.strictEqual(yield* yield* makeRetention, 6)
      const seen = Date.UTC(2026, 4, 20, 12)
      assert.deepStrictEqual(Object.fromEntries(asked), {
        addresses: seen,
        after: null,
        outcomes: NOW - 30 * DAY,
        kept: true,
        contacts: NOW,
        people: seen,
        rows: NOW - 30 * DAY,
        verdicts: NOW - 365 * DAY
      })
    }).pipe(Effect.provide(layer))
  }
)

it.effect("the trail is looked through part by part, and from its beginning again after its end", () => {
  const at = { workspaceId: "w", subjectId: "s" }
  const { asked, layer } = given([at, null])
  return Effect.gen(function* () {
    const round = yield* makeRetention
    yield* Effect.repeat(round, { times: 2 })
    assert.deepStrictEqual(
      asked.filter(([what]) => what === "after").map(([, after]) => after),
      [null, at, null]
    )
  }).pipe(Effect.provide(layer))
})
