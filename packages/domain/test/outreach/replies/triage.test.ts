import { assert, describe, it } from "@effect/vitest"
import type { Classification } from "../../../src/outreach/meaning/Classification.js"
import { triageOf } from "../../../src/outreach/replies/triage.js"

const NOW = Date.UTC(2026, 5, 1, 12)

const of = (classification: Classification | null, bodyText: string, at = NOW, handledAtMillis: number | null = null) =>
  triageOf({ classification, bodyText, fromEmail: "ann@acme.test", receivedAtMillis: NOW }, { handledAtMillis }, at)

describe("what is left to do about a reply", () => {
  it("is to answer, to meet, or a question; what asks for nothing is closed by itself", () => {
    assert.strictEqual(of("interested", "Let's meet on Thursday at 10. Here is my calendar."), "meeting")
    assert.strictEqual(of("other", "Who gave you this address?"), "question")
    assert.strictEqual(of("interested", "Sounds good, tell me more."), "answer")
    assert.strictEqual(of(null, "Hm."), "answer")
    for (const classification of ["not_interested", "unsubscribe", "bounce", "out_of_office"] as const) {
      assert.strictEqual(of(classification, "Text."), "closed", classification)
    }
  })

  it("is nothing once somebody handled it", () => {
    assert.strictEqual(of("interested", "Let's meet on Thursday at 10.", NOW, NOW), "closed")
  })

  it("waits for the day that the writer names, and is to be answered from then on", () => {
    const away = "I am out of the office until June 15, 2026."
    assert.strictEqual(of("out_of_office", away), "later")
    assert.strictEqual(of("out_of_office", away, Date.UTC(2026, 6, 1)), "closed")
    const day = Date.UTC(2026, 5, 15)
    assert.deepStrictEqual(
      [day - 1, day].map((at) => of("out_of_office", away, at)),
      ["later", "closed"]
    )
  })
})
