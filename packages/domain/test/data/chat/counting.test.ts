import { assert, describe, it } from "@effect/vitest"
import { StreamTally } from "../../../src/data/chat/StreamTally.js"
import { usageOf, withPrompt } from "../../../src/data/chat/TokenUsage.js"
import { type ChatChunk, lastChunk, readEvent, writtenOf } from "../../../src/data/chat/wire.js"
import type { Json, JsonObject } from "../../../src/kernel/canonical.js"

/** One token a character. */
const tokens = { count: (texts: ReadonlyArray<string>) => texts.join("").length }

const written = (part: Json): string => writtenOf({ choices: [{ index: 0, delta: part }] })

describe("the upstream's count", () => {
  it("is all of it: thinking inside the completion, beside it, or only in the total", () => {
    const total = (usage: Json) => usageOf({ usage })?.totalTokens
    const thought = (reasoning_tokens: number) => ({ completion_tokens_details: { reasoning_tokens } })
    assert.strictEqual(total({ prompt_tokens: 10, completion_tokens: 90, total_tokens: 100, ...thought(80) }), 100)
    assert.strictEqual(total({ prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, ...thought(94) }), 135)
    assert.strictEqual(total({ prompt_tokens: 32, completion_tokens: 9, ...thought(94) }), 135)
    assert.strictEqual(total({ prompt_tokens: 17, completion_tokens: 298, total_tokens: 1_700 }), 1_700)
    assert.strictEqual(total({ prompt_tokens: 11, completion_tokens: 5 }), 16)
    assert.strictEqual(total({ prompt_tokens: 32, completion_tokens: 9, total_tokens: 41, reasoning_tokens: 94 }), 135)
    const output = { output_tokens_details: { reasoning_tokens: 94 } }
    assert.strictEqual(total({ prompt_tokens: 32, completion_tokens: 9, total_tokens: 41, ...output }), 135)
    // As much thinking as completion is all of the completion, and what is no count is no thinking.
    assert.strictEqual(total({ prompt_tokens: 10, completion_tokens: 90, ...thought(90) }), 100)
    for (const odd of ["94", 94.5, 1e12, -94, null]) {
      const details = { completion_tokens_details: { reasoning_tokens: odd } }
      assert.strictEqual(total({ prompt_tokens: 32, completion_tokens: 9, ...details }), 41, String(odd))
    }
    assert.strictEqual(total({ prompt_tokens: 1e9, completion_tokens: 1e9 }), 2e9)
  })

  it("reaches the caller as it is, its total too", () => {
    const usage = { prompt_tokens: 32, completion_tokens: 9, total_tokens: 135, of_tomorrow: { deep: 1 } }
    assert.deepStrictEqual(usageOf({ usage })?.wire, usage)
    for (const total_tokens of [null, "16", -1, 1.5, 1e12]) {
      const filled = usageOf({ usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens } })
      assert.deepStrictEqual([filled?.totalTokens, filled?.wire["total_tokens"]], [16, 16], String(total_tokens))
    }
    assert.strictEqual(
      usageOf({ usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 3 } })?.totalTokens,
      16
    )
  })

  it("is filled in where one of it was left out, and counts a cache that can't be within the prompt", () => {
    const whole = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
    for (const name of Object.keys(whole)) {
      for (const none of [null, undefined]) {
        const usage = usageOf({ usage: { ...whole, [name]: none as Json } })
        assert.deepStrictEqual([usage?.promptTokens, usage?.totalTokens, usage?.wire], [11, 16, whole], name)
      }
    }
    const cached = (tokens: number) => ({ prompt_tokens_details: { cached_tokens: tokens } })
    assert.strictEqual(usageOf({ usage: { ...whole, ...cached(11) } })?.totalTokens, 16)
    assert.strictEqual(usageOf({ usage: { ...whole, ...cached(12) } })?.totalTokens, 28)
    assert.strictEqual(usageOf({ usage: { ...whole, cache_read_input_tokens: 6 } })?.totalTokens, 16)
    const both = { ...whole, cache_read_input_tokens: 6, cache_creation_input_tokens: 6 }
    assert.deepInclude(usageOf({ usage: both }), { promptTokens: 23, totalTokens: 28, wire: both })
  })

  it("has our prompt where it has none, and is left alone where it counts nothing at all", () => {
    const of = (usage: JsonObject) => withPrompt(usageOf({ usage })!, 7)
    const uncounted = of({ prompt_tokens: 0, completion_tokens: 5, total_tokens: 5, of_tomorrow: 1 })
    assert.deepStrictEqual(uncounted, {
      promptTokens: 7,
      totalTokens: 12,
      wire: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12, of_tomorrow: 1 }
    })
    const within = { prompt_tokens: 0, completion_tokens: 5, total_tokens: 16 }
    assert.strictEqual(of(within).totalTokens, 16)
    const nothing = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    assert.deepStrictEqual(of(nothing).wire, nothing)
    assert.strictEqual(of({ prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 }).totalTokens, 8)
  })

  it("is none where it can't be one", () => {
    for (const wrong of ["5", -1, 0.5, 1e12, {}]) {
      assert.isNull(usageOf({ usage: { prompt_tokens: 11, completion_tokens: wrong as Json, total_tokens: 16 } }))
      assert.isNull(usageOf({ usage: { prompt_tokens: wrong as Json, completion_tokens: 5, total_tokens: 16 } }))
    }
    for (const usage of [null, [], "16", 16, {}, { total_tokens: 16 }, { prompt_tokens: 11 }]) {
      assert.isNull(usageOf({ usage }))
    }
    assert.isNull(usageOf({ usage: { prompt_tokens: 11, total_tokens: 3 } }))
  })
})

describe("what a model wrote", () => {
  it("is found wherever upstreams put text", () => {
    for (const part of [
      { content: "abc" },
      { content: [{ type: "text", text: "abc" }] },
      { content: ["ab", null, "c"] },
      { content: { type: "text", text: "abc" } },
      { content: [{ type: "text", content: "abc" }] },
      { reasoning: { content: "abc" } },
      { tool_calls: [{ index: 0, name: "a", arguments: "bc" }] },
      { tool_calls: { index: 0, function: { name: "a", arguments: "bc" } } },
      { reasoning: "abc", reasoning_content: "ab" },
      { reasoning: "ab", reasoning_content: "abc" },
      { content: "abc", mood: "calm" },
      {
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "ab" }] },
          { type: "text", text: "c" }
        ]
      },
      { content: null, reasoning: "abc" },
      { reasoning_content: "abc" },
      { thinking: "abc" },
      { thought_summary: "abc" },
      { reasoning_details: [{ type: "reasoning.text", text: "abc" }] },
      { reasoning_details: [{ type: "reasoning.summary", summary: "abc" }] },
      { thinking_blocks: [{ type: "thinking", thinking: "abc", signature: "x" }] },
      { refusal: "abc" },
      { audio: { id: "a", transcript: "abc" } },
      { function_call: { name: "a", arguments: "bc" } },
      { tool_calls: [{ index: 0, function: { name: "a", arguments: "bc" } }] },
      { tool_calls: [{ index: 0, custom: { name: "a", input: "bc" } }, null] }
    ]) {
      assert.strictEqual(written(part), "abc", JSON.stringify(part))
    }
    assert.strictEqual(
      written({ tool_calls: [{ function: { name: "f", arguments: { city: "x" } } }] }),
      'f{"city":"x"}'
    )
    assert.strictEqual(writtenOf({ choices: [{ index: 0, text: "abc" }] }), "abc")
    assert.strictEqual(
      writtenOf({ choices: [{ index: 0, message: { content: "abc" }, delta: { content: "d" } }] }),
      "abc"
    )
  })

  it("counts once though it comes under several names, and nothing that is no text counts", () => {
    const same = {
      reasoning: "abc",
      reasoning_content: "abc",
      reasoning_details: [{ type: "reasoning.text", text: "abc" }]
    }
    assert.strictEqual(written(same), "abc")
    for (const part of [
      { images: [{ type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } }] },
      { content: [{ type: "image_url", image_url: { url: "data:" } }] },
      { audio: { data: "AAAA" } },
      { reasoning_details: [{ type: "reasoning.encrypted", data: "AAAA" }] },
      { role: "assistant", content: null, tool_calls: null, reasoning_details: null },
      { content: 5 }
    ]) {
      assert.strictEqual(written(part), "", JSON.stringify(part))
    }
    let deep: Json = "abc"
    for (let i = 0; i < 1_000; i++) deep = [{ thinking: deep }]
    assert.strictEqual(written({ content: deep }), "")
  })
})

describe("a chunk", () => {
  const read = (json: Json) => readEvent(JSON.stringify(json))

  it("is no failure for an error that says nothing, nor a report without a usage", () => {
    const delta = { index: 0, delta: { content: "a" }, finish_reason: null }
    for (const json of [{ choices: [{ ...delta, error: {} }] }, { choices: [delta], error: null }, { choices: [] }]) {
      assert.deepInclude(read(json), { _tag: "Chunk", isReport: false }, JSON.stringify(json))
    }
    assert.deepInclude(read({ choices: [{ ...delta, error: { code: 1 } }] }), { _tag: "Error" })
    assert.deepInclude(read({ choices: [{ ...delta, finish_reason: "error" }] }), { _tag: "Error" })
    assert.strictEqual(writtenOf({ choices: [null, delta, 5, { ...delta, index: 1 }] }), "aa")
  })

  it("that ends a stream is of the same completion, as far as the upstream said which", () => {
    const counted = usageOf({ usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } })!
    const last = (latest: JsonObject): JsonObject => lastChunk(latest, counted)
    const ends = { object: "chat.completion.chunk", choices: [], usage: counted.wire }
    const of = { id: "c-1", created: 1_700_000_000, model: "m-1" }
    assert.deepInclude(last({ ...of, choices: [] }), { ...ends, ...of })
    assert.deepInclude(last({}), { ...ends, id: null, created: null, model: null })
  })
})

const usage = (completion_tokens: number): JsonObject => ({
  prompt_tokens: 10,
  completion_tokens,
  total_tokens: 10 + completion_tokens
})

const chunk = (delta: Json, finish: string | null, reported?: JsonObject, index = 0): JsonObject => ({
  choices: [{ index, delta, finish_reason: finish }],
  ...(reported === undefined ? {} : { usage: reported })
})

const tallied = (chunks: ReadonlyArray<JsonObject>, choices = 1): StreamTally => {
  const tally = new StreamTally(choices)
  for (const one of chunks) tally.add(readEvent(JSON.stringify(one)) as ChatChunk)
  return tally
}

/** The tokens that a stream of these chunks is charged, and whether it is whole without an end. */
const counted = (chunks: ReadonlyArray<JsonObject>, hasEnded = true) => {
  const tally = tallied(chunks)
  return [(tally.usage(3, tokens, hasEnded) as { totalTokens: number }).totalTokens, tally.isWhole]
}

describe("a stream's count", () => {
  const text = chunk({ content: "abcdefghij" }, null)
  const stop = chunk({}, "stop")
  const report = { choices: [], usage: usage(5) }

  it("is the report that comes after all that was written, wherever it stands", () => {
    assert.deepStrictEqual(counted([text, stop, report]), [15, true])
    assert.deepStrictEqual(counted([text, chunk({}, "stop", usage(5))]), [15, true])
    assert.deepStrictEqual(counted([text, report, stop]), [15, true])
    assert.deepStrictEqual(counted([text, report]), [15, false])
    assert.deepStrictEqual(
      counted([chunk({ content: "a" }, null, usage(1)), chunk({ content: "b" }, "stop", usage(5))]),
      [15, true]
    )
  })

  it("is ours where the upstream reports early, nothing, or what can't be", () => {
    assert.deepStrictEqual(counted([chunk({ role: "assistant" }, null, usage(1)), text, text, stop]), [30, false])
    assert.deepStrictEqual(counted([text, stop]), [13, false])
    assert.deepStrictEqual(counted([text, stop, { choices: [], usage: { ...usage(0), total_tokens: 0 } }]), [20, true])
    assert.deepStrictEqual(
      counted([text, stop, { choices: [], usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }]),
      [13, true]
    )
  })

  it("of one that broke off is what was delivered, and what the upstream had reported if that is more", () => {
    assert.deepStrictEqual(counted([chunk({ content: "abcde" }, null, usage(1))], false), [15, false])
    assert.deepStrictEqual(counted([chunk({ content: "abcde" }, null, usage(50))], false), [60, false])
    assert.deepStrictEqual(counted([text], false), [13, false])
    // Even a report of one token of prompt is the upstream's own count of it.
    const small = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 }
    assert.deepStrictEqual(counted([chunk({ content: "abcde" }, null, small)], false), [6, false])
  })

  it("is the report though the connection breaks, where all had arrived before", () => {
    assert.deepStrictEqual(counted([text, stop, report], false), [15, true])
    // The report came, but the choice never ended: what else was written, nobody knows.
    assert.deepStrictEqual(counted([text, report], false), [20, false])
  })

  it("of one in which nothing was written is its prompt, and not a token more", () => {
    assert.deepStrictEqual(counted([chunk({ role: "assistant" }, null), stop]), [3, false])
    const free = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    assert.deepStrictEqual(counted([chunk({ role: "assistant" }, null), stop, { choices: [], usage: free }]), [0, true])
    assert.deepStrictEqual(counted([]), [0, false])
  })

  it("knows whether each choice ended", () => {
    const [zero, one] = [chunk({ content: "a" }, "stop", undefined, 0), chunk({ content: "a" }, "stop", undefined, 1)]
    assert.isFalse(tallied([zero], 2).isWhole)
    assert.isFalse(tallied([zero, chunk({}, null, undefined, 1)], 2).isFinished)
    assert.isTrue(tallied([zero, one], 2).isFinished)
    assert.isTrue(tallied([one, zero, report], 2).isWhole)
    // It ignored how many were wanted, and says with its report that no more come.
    assert.isTrue(tallied([zero, report], 2).isWhole)
    assert.isFalse(tallied([], 1).isFinished)
    assert.isTrue(tallied([zero], 1).isFinished)
    // Without a report it is not whole, and a report within a choice's chunk doesn't say that no more come.
    assert.isFalse(tallied([chunk({}, "stop")], 1).isWhole)
    assert.isFalse(tallied([chunk({ content: "a" }, "stop", usage(1), 0)], 2).isWhole)
    // A choice without a number is the first.
    const unnumbered = { choices: [{ delta: { content: "a" }, finish_reason: "stop" }] }
    assert.isFalse(tallied([unnumbered, chunk({ content: "b" }, null, undefined, 1)], 2).isFinished)
    assert.isTrue(tallied([chunk({ content: "b" }, null, undefined, 0), unnumbered], 1).isFinished)
    // A choice that ended stays so, whatever comes of it later.
    assert.isTrue(tallied([zero, chunk({}, null), report], 1).isWhole)
  })
})
