import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Desk } from "./support/Desk.js"
import { pagesOf } from "./support/pages.js"
import { furnished, run, visitor } from "./support/Visitor.js"

describe("alerts in the console", () => {
  it.live("stand on a page of their own, with where to look, and the balance at which they begin", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { otherKeyId } = yield* furnished
        const us = yield* visitor(desk.ours)
        const page = yield* us.get("/console/alerts")
        for (const words of ["49.5 credits are available", "80 % of its monthly cap", `/console/keys/${otherKeyId}`]) {
          assert.include(page.text, words)
        }
        assert.strictEqual((yield* us.post("/console/alerts", { alert_below: "much" })).status, 400)
        assert.strictEqual((yield* us.post("/console/alerts", { alert_below: "1,250.5" })).status, 303)
        assert.include((yield* us.get("/console/alerts")).text, `value="1250.5"`)
        assert.strictEqual((yield* us.post("/console/alerts", { alert_below: "" })).status, 303)
        assert.notInclude((yield* us.get("/console/alerts")).text, "1250.5")
        const them = yield* visitor(desk.theirs)
        assert.notInclude((yield* them.get("/console/alerts")).text, "49.5")
      })
    )
  )

  it.live("are counted on every page while they are open", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const of = yield* furnished
        const us = yield* visitor(desk.ours)
        const them = yield* visitor(desk.theirs)
        const counted =
          /<a href="\/console\/alerts"[^>]*>Alerts<span class="count"> 1<span class="unseen"> open<\/span>/
        for (const { name, path } of pagesOf(of)) assert.match((yield* us.get(path)).text, counted, name)
        const { text } = yield* us.get("/console/alerts")
        assert.deepStrictEqual(
          [...text.matchAll(/badge[^>]*>(Open|Resolved)</g)].map(([, word]) => word),
          ["Open", "Resolved", "Resolved"]
        )
        assert.notInclude((yield* them.get("/console/alerts")).text, "open</span>")
      })
    )
  )
})
