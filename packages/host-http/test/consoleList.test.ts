import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { launch } from "./support/ConsoleHost.js"
import { Desk } from "./support/Desk.js"
import { SCORECARD } from "./support/scorecard.js"
import { run, visitor } from "./support/Visitor.js"

describe("the list of a launch, on its approval's page", () => {
  it.live("shows verdicts, their age, kinds and receiving organisations as they were when it was asked for", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approvalId } = yield* desk.add(desk.ours, { ...launch, list: SCORECARD })
        const { text } = yield* (yield* visitor(desk.ours)).get(`/console/approvals/${approvalId}`)
        for (const words of [
          "820 of 1,000",
          "A verification counts for 90 days. At most 20% may be without one.",
          "Unknown, in a domain that takes every address",
          "Not verified, or too long ago",
          "Disposable addresses",
          "8 to 30 days ago",
          "912 organisations, those with the most people",
          "company-1.test"
        ]) {
          assert.include(text, words)
        }
        assert.match(text, /Not verified, or too long ago<\/td><td class="number">100<\/td><td class="number">10%/)
        assert.notInclude(text, "91 to 365 days ago")
        assert.include(text, "50 addresses were found invalid")
        assert.include(text, "130 addresses are not verified")
      })
    )
  )

  it.live("a request from before lists were scored has no such part", () =>
    run(
      Effect.gen(function* () {
        const desk = yield* Desk
        const { approvalId } = yield* desk.add(desk.ours, launch)
        const { text } = yield* (yield* visitor(desk.ours)).get(`/console/approvals/${approvalId}`)
        assert.notInclude(text, "The list</h2>")
      })
    )
  )
})
