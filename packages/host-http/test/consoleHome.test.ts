import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { reply } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { furnished, run, visitor } from "./support/Visitor.js"

describe("the home page", () => {
  it.live("says what is wrong with the way to mend it, and nothing where all is well", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        yield* furnished
        const page = (yield* (yield* visitor(desk.ours)).get("/console/home")).text
        const strip = /<div class="note bad">.*?<\/div>/s.exec(page)?.[0] ?? ""
        assert.include(strip, '1 paused mailbox. <a href="/console/sending">See why, and resume it</a>')
        assert.include(strip, '<a href="/console/alerts">')
        assert.notInclude(page, "Three steps")
        const other = (yield* (yield* visitor(desk.theirs)).get("/console/home")).text
        assert.notInclude(other, "note bad")
      })
    )
  )

  it.live("shows three steps where nothing is there yet, and no more once something waits", () =>
    run(
      Effect.gen(function* () {
        const { ours, ...desk } = yield* Desk
        const owner = yield* visitor(ours)
        assert.include((yield* owner.get("/console/home")).text, "Three steps to the first campaign")
        yield* desk.add(ours, reply)
        assert.notInclude((yield* owner.get("/console/home")).text, "Three steps to the first campaign")
      })
    )
  )

  it.live("lists what waits with what ends first at the top", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        for (const [to, minutes] of [
          ["late@x.test", 50],
          ["soon@x.test", 5],
          ["middle@x.test", 20]
        ] as const) {
          yield* desk.add(desk.ours, { ...reply, to_email: to }, { expiresAtMillis: Date.now() + minutes * 60_000 })
        }
        const page = (yield* (yield* visitor(desk.ours)).get("/console/home")).text
        assert.deepStrictEqual(
          [...page.matchAll(/Reply to (\w+)@x\.test/g)].map(([, name]) => name),
          ["soon", "middle", "late"]
        )
      })
    )
  )
})
