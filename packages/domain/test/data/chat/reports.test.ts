import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/kernel/canonical.js"
import { StreamTally } from "../../../src/data/chat/StreamTally.js"
import { isCredible, type TokenUsage, usageOf, usageOfCounts, withPrompt } from "../../../src/data/chat/TokenUsage.js"
import { type ChatChunk, readEvent } from "../../../src/data/chat/wire.js"

const WHOLE = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }

const counted = (usage: JsonObject) => {
  const found = usageOf({ usage })
  return found === null ? null : [found.promptTokens, found.totalTokens]
}

describe("a report", () => {
  it("is read under newer names too, and the larger of both counts", () => {
    assert.deepStrictEqual(counted({ input_tokens: 11, output_tokens: 5 }), [11, 16])
    assert.deepStrictEqual(counted({ ...WHOLE, input_tokens: 0, output_tokens: 0 }), [11, 16])
    // What the caller reads is the report as it is.
    const both = { ...WHOLE, input_tokens: 12 }
    assert.deepStrictEqual(usageOf({ usage: both })?.wire, both)
    assert.deepStrictEqual(counted(both), [12, 17])
    assert.deepStrictEqual(counted({ ...WHOLE, input_tokens_details: { cached_tokens: 12 } }), [23, 28])
  })

  it("may leave out what the rest of it tells, and nothing else", () => {
    assert.deepStrictEqual(counted({ completion_tokens: 25 }), [0, 25])
    assert.deepStrictEqual(counted({ completion_tokens: 5, total_tokens: 16 }), [11, 16])
    assert.deepStrictEqual(counted({ prompt_tokens: 11, total_tokens: 11 }), [11, 11])
    assert.isNull(counted({ prompt_tokens: 0 }))
  })

  it("has our prompt only where it has none at all", () => {
    assert.strictEqual(withPrompt(usageOfCounts(1, 5), 7).totalTokens, 6)
    assert.strictEqual(withPrompt(usageOfCounts(0, 5), 7).totalTokens, 12)
    assert.strictEqual(withPrompt(usageOfCounts(0, 0), 7).totalTokens, 0)
  })

  it("can't be true of words that cost nothing", () => {
    const [prompt, more] = [usageOfCounts(5, 0), usageOfCounts(5, 1)]
    assert.deepStrictEqual([isCredible(prompt, true), isCredible(more, true)], [false, true])
    assert.deepStrictEqual([isCredible(prompt, false), isCredible(more, false)], [true, true])
  })

  it("is found where Groq and Moonshot put it, and not in one of several choices", () => {
    const of = (json: JsonObject) => usageOf(json)?.totalTokens ?? null
    assert.strictEqual(of({ usage: null, x_groq: { id: "r", usage: WHOLE } }), 16)
    assert.isNull(of({ usage: null, x_groq: { id: "r" } }))
    const choice = { index: 0, usage: WHOLE }
    assert.strictEqual(of({ x_groq: { id: "r" }, choices: [choice] }), 16)
    assert.isNull(of({ choices: [choice, { index: 1 }] }))
    assert.isNull(of({ choices: [] }))
    assert.isNull(of({ choices: [null] }))
    assert.strictEqual(of({ usage: WHOLE, choices: [{ index: 0, usage: { ...WHOLE, total_tokens: 99 } }] }), 16)
  })
})

const usage = (completion_tokens: number, more: JsonObject = {}): JsonObject => ({
  prompt_tokens: 10,
  completion_tokens,
  total_tokens: 10 + completion_tokens,
  ...more
})
const NOTHING = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }

const chunk = (content: string, finish: string | null, reported?: JsonObject, index = 0): JsonObject => ({
  choices: [{ index, delta: { content }, finish_reason: finish }],
  ...(reported === undefined ? {} : { usage: reported })
})

/** What a stream of these chunks is charged, by one token a character. */
const used = (chunks: ReadonlyArray<JsonObject>, choices = 1): TokenUsage => {
  const tally = new StreamTally(choices)
  for (const one of chunks) tally.add(readEvent(JSON.stringify(one)) as ChatChunk)
  return tally.usage(3, { count: (texts) => texts.join("").length }, true) as TokenUsage
}

const total = (...chunks: ReadonlyArray<JsonObject>): number => used(chunks).totalTokens

describe("which report of a stream counts", () => {
  const text = chunk("abcdefghij", null)
  const stop = chunk("", "stop")
  const report = (of: JsonObject): JsonObject => ({ choices: [], usage: of })

  it("is the last, and one of nothing only where none was before", () => {
    assert.strictEqual(total(chunk("", null, usage(1)), text, stop, report(usage(5))), 15)
    assert.strictEqual(total(text, stop, report(usage(5)), report(NOTHING)), 15)
    assert.strictEqual(total(chunk("abcdefghij", null, usage(5)), chunk("klmno", "stop", NOTHING)), 25)
    // Even a single token is more than nothing.
    const single = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 }
    assert.strictEqual(total(chunk("", "stop", NOTHING), report(single)), 1)
  })

  it("is none that is beside several choices and of one of them, unless all that was written is within it", () => {
    const told = usage(5, { of_tomorrow: 1 })
    const two = (one: string, other: string) => [chunk(one, "stop", told, 0), chunk(other, "stop", told, 1)]
    assert.strictEqual(total(...two("abcdef", "ghi")), 19)
    assert.strictEqual(total(...two("abcdef", "ghi"), report(usage(7))), 17)
    for (const within of [two("ab", "cd"), two("abc", "de")]) assert.deepStrictEqual(used(within).wire, told)
  })

  it("is none that has a token for more than 32 characters", () => {
    assert.strictEqual(total(chunk("a".repeat(64), "stop"), report(usage(2))), 12)
    assert.strictEqual(total(chunk("a".repeat(65), "stop"), report(usage(2))), 75)
    assert.strictEqual(total(chunk("a", "stop"), report(usage(0))), 11)
  })
})
