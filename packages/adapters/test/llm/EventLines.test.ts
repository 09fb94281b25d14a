import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { EVENT_CHARS_MAX, EventLines, EventTooLarge, Room } from "../../src/llm/EventLines.js"

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
          // What is blank says nothing.
          events.map(({ data }) => data.join("\n")).filter((data) => data.trim() !== "")
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

  it("need no end of the last line, nor a blank line, at the end of the text", () => {
    for (const last of ["data: 2\n\n", "data: 2\n", "data: 2", "data: 2\r", "data: 2\r\n\r", ": bye\ndata: 2"]) {
      const lines = new EventLines()
      const found = [...lines.feed("data: 1\n\n"), ...lines.feed(last), ...lines.end()]
      assert.deepStrictEqual(found, ["1", "2"], JSON.stringify(last))
      assert.deepStrictEqual([...lines.end()], [])
    }
    assert.deepStrictEqual([...new EventLines().end()], [])
  })

  it("without data are none", () => {
    const lines = new EventLines()
    assert.deepStrictEqual(lines.feed("data:\n\ndata: \n\ndata\n\nevent: ping\n\n: x\n\ndata: 1\n\n"), ["1"])
  })

  it("take time linear in their size, however they are cut, and may be as large as pictures are", () => {
    const text = `data: ${"x".repeat(EVENT_CHARS_MAX - 1)}\n\n`
    const before = process.cpuUsage()
    const lines = new EventLines()
    let found: ReadonlyArray<string> = []
    for (let at = 0; at < text.length; at += 1_024) found = [...found, ...lines.feed(text.slice(at, at + 1_024))]
    assert.strictEqual(found[0]?.length, EVENT_CHARS_MAX - 1)
    // Reading each piece again from the start would take minutes.
    assert.isBelow(process.cpuUsage(before).user, 6_000_000)
  })

  it("that are large share their room, and give it back when they end or are given up", () => {
    const room = new Room(3_000_000)
    const [one, other, small] = [1, 2, 3].map(() => new EventLines(EVENT_CHARS_MAX, room)) as [
      EventLines,
      EventLines,
      EventLines
    ]
    one.feed(`data: ${"x".repeat(2_000_000)}`)
    assert.throws(() => other.feed(`data: ${"x".repeat(2_000_000)}`), /too large together/)
    other.drop()
    assert.strictEqual(small.feed(`data: ${"x".repeat(900_000)}\n\n`).length, 1)
    assert.strictEqual(one.feed("\n\n").length, 1)
    assert.strictEqual(other.feed(`data: ${"x".repeat(2_500_000)}`).length, 0)
    assert.throws(() => one.feed(`data: ${"x".repeat(2_000_000)}`), /too large together/)
    one.drop()
    other.drop()
    assert.isTrue(room.take(3_000_000))
  })
})
