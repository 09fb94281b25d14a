import { assert, describe, it } from "@effect/vitest"
import {
  choicesOf,
  largestPrompt,
  limitOf,
  measurePrompt,
  promptOf,
  upstreamCall
} from "../../../src/data/chat/chatPlan.js"
import { type ChatRequest, MAX_TOKENS_DEFAULT } from "../../../src/verbs/LlmChat.js"
import type { Json, JsonObject } from "../../../src/kernel/canonical.js"
import type { ChatTarget } from "../../../src/sources/ports/ChatUpstream.js"

/** One token a character. */
const tokens = { count: (texts: ReadonlyArray<string>) => texts.reduce((sum, text) => sum + text.length, 0) }

const counted = (fields: JsonObject) => measurePrompt(fields, tokens) as { counted: number; reserved: number }

const message = (content: Json, more: JsonObject = {}): JsonObject => ({
  messages: [{ role: "user", content, ...more }]
})

describe("what a prompt is counted as", () => {
  it("is every text that the model reads: contents, names, tool calls, and what isn't a message at all", () => {
    assert.deepStrictEqual(promptOf(message("abc")).texts, ["abc"])
    assert.deepStrictEqual(promptOf(message("abc", { name: "Ann" })).texts, ["Ann", "abc"])
    assert.deepStrictEqual(promptOf(message(null, { tool_calls: [{ id: "a" }] })).texts, ['[{"id":"a"}]'])
    assert.deepStrictEqual(promptOf({ messages: ["abc", null, 5] }).texts, ["abc", "5"])
    assert.deepStrictEqual(promptOf({ messages: [{ role: "user" }] }).texts, [])
    const parts = [
      { type: "text", text: "abc" },
      { type: "input_text", text: "def" }
    ]
    assert.deepStrictEqual(promptOf(message(parts, { name: "Ann" })), {
      texts: ["Ann", "abc", "def"],
      attachmentTokens: 0,
      messages: 1
    })
    for (const none of [undefined, null, "abc", {}]) {
      const prompt = promptOf(none === undefined ? {} : { messages: none })
      assert.deepStrictEqual([prompt.messages, prompt.attachmentTokens], [0, 0], String(none))
    }
  })

  it("holds tools and formats, and none of the settings that models never see", () => {
    const tools = [{ type: "function", function: { name: "f" } }]
    assert.deepStrictEqual(promptOf({ ...message("abc"), tools }).texts, ["abc", JSON.stringify(tools)])
    const settings = {
      stream_options: {},
      metadata: { a: "b" },
      logit_bias: {},
      stop: ["x"],
      modalities: [],
      audio: {}
    }
    assert.deepStrictEqual(
      promptOf({ ...message("abc"), ...settings, temperature: 1, user: "ann", seed: null }).texts,
      ["abc"]
    )
  })

  it("allows for pictures, sound and files, the more the larger, each by itself", () => {
    const picture = { type: "image_url", image_url: { url: "x".repeat(3_200) } }
    const allowed = 2_000 + Math.ceil(JSON.stringify(picture).length / 32)
    assert.strictEqual(promptOf(message([picture])).attachmentTokens, allowed)
    assert.isAbove(allowed, 2_100)
    assert.strictEqual(promptOf(message([picture, { type: "text", text: "a" }, picture])).attachmentTokens, 2 * allowed)
    assert.strictEqual(promptOf(message(["abc", { type: "file", text: "a" }])).attachmentTokens, 4_002)
    assert.strictEqual(promptOf(message([null])).attachmentTokens, 2_001)
    const two = { messages: [{ content: [picture] }, { content: [picture] }] }
    assert.deepStrictEqual(promptOf(two), { texts: [], attachmentTokens: 2 * allowed, messages: 2 })
  })
})

describe("what is reserved for a prompt", () => {
  it("is at least what is charged if the upstream counts nothing, with a fifth more and each message's marks", () => {
    assert.deepStrictEqual(counted(message("a".repeat(100))), { counted: 100, reserved: 100 + 20 + 16 + 64 })
    assert.deepStrictEqual(counted({ messages: ["a".repeat(50), "b".repeat(50)] }), {
      counted: 100,
      reserved: 100 + 20 + 2 * 16 + 64
    })
    const { counted: charged, reserved } = counted(message([{ type: "image_url" }, { type: "text", text: "a" }]))
    assert.strictEqual(charged, 1 + 2_001)
    assert.strictEqual(reserved, charged + 16 + 64)
  })

  it("is an upper bound where nothing was counted: three tokens for each UTF-16 unit", () => {
    assert.strictEqual(largestPrompt({ messages: ["abc", "de"] }).counted, 15)
    assert.strictEqual(largestPrompt({ messages: [] }).counted, 0)
    const euros = "€".repeat(40)
    assert.isAtLeast(largestPrompt(message(euros)).counted, Buffer.from(euros).length)
  })

  it("is for each choice that was asked for, with the limit that was given, or the one that everybody gets", () => {
    const asked = (fields: Partial<ChatRequest>) => {
      const request = { model: "m", messages: [], ...fields } as unknown as ChatRequest
      return [limitOf(request), choicesOf(request)]
    }
    assert.deepStrictEqual(asked({}), [MAX_TOKENS_DEFAULT, 1])
    assert.deepStrictEqual(asked({ max_tokens: 5, n: 3 }), [5, 3])
    assert.deepStrictEqual(asked({ max_tokens: 5, max_completion_tokens: 7 }), [7, 1])
  })
})

it("an upstream hears of options of a stream only in a stream that has some", () => {
  const target = { upstreamModel: "up", fields: null } as ChatTarget
  const fieldsOf = (fields: JsonObject) =>
    upstreamCall({ model: "m", messages: [], max_tokens: 5, ...fields } as unknown as ChatRequest, target).fields
  const plain = { messages: [], max_tokens: 5 }
  const options = { include_usage: true }
  assert.deepStrictEqual(fieldsOf({ stream: true, stream_options: options }), { ...plain, stream_options: options })
  for (const none of [{ stream: true }, { stream: false, stream_options: options }, { stream_options: options }]) {
    assert.deepStrictEqual(fieldsOf(none), plain)
  }
})
