import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { EventLines, EventTooLarge } from "../../src/llm/EventReader.js"

const END = fc.constantFrom("\n", "\r\n", "\r")
const DATA = fc.stringMatching(/^[^\r\n]{1,12}$/)
const NOISE = fc.constantFrom("", ": a comment", "event: message", "id: 7", "retry: 1000", "data", "unknown: x")

describe("server-sent events", () => {
  it("are the same however their text is cut, whatever ends their lines, and whatever stands between them", () => {
    const event = fc.record({ noise: NOISE, data: fc.array(DATA, { minLength: 1, maxLength: 3 }), end: END })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 6 }), fc.array(fc.integer({ min: 1, max: 9 })), (events, cuts) => {
        // After a CR, a line that begins with LF would be no line of its own.
        const text = events
          .map(({ data, end, noise }) =>
            [noise === "" ? [] : [noise], data.map((one) => `data: ${one}`), ""]
              .flat()
              .map((line) => line + end)
              .join("")
          )
          .join("")
        const lines = new EventLines(10_000)
        const found: Array<string> = []
        for (let at = 0, turn = 0; at < text.length; turn++) {
          const size = cuts[turn % Math.max(1, cuts.length)] ?? text.length
          found.push(...lines.feed(text.slice(at, at + size)))
          at += size
        }
        assert.deepStrictEqual(
          found,
          events.map(({ data }) => data.join("\n"))
        )
      })
    )
  })

  it("have a largest size, also where they never end", () => {
    const lines = new EventLines(100)
    assert.deepStrictEqual(lines.feed(`data:${"x".repeat(80)}\n\n`), ["x".repeat(80)])
    assert.throws(() => lines.feed(`data: ${"x".repeat(101)}`), EventTooLarge)
    const many = new EventLines(100)
    assert.throws(() => {
      for (let i = 0; i < 20; i++) many.feed("data: 0123456789\n")
    }, EventTooLarge)
  })
})
