import { assert, describe, it } from "@effect/vitest"
import { upstreamCall } from "../../../src/data/chat/chatPlan.js"
import { toolIssues } from "../../../src/data/chat/passedFields.js"
import type { JsonObject } from "../../../src/kernel/canonical.js"
import type { ChatTarget } from "../../../src/sources/ports/ChatUpstream.js"
import type { ChatRequest } from "../../../src/verbs/LlmChat.js"

const sent = (fields: JsonObject, allowed: ReadonlySet<string> | null = null): JsonObject => {
  const target = { upstreamModel: "m", fields: allowed } as unknown as ChatTarget
  const {
    max_tokens: _,
    messages: __,
    ...others
  } = upstreamCall(
    { model: "m", messages: [{ role: "user", content: "hi" }], ...fields } as unknown as ChatRequest,
    target
  ).fields
  return others
}

describe("what of a chat reaches an upstream", () => {
  it("lifts no limit under another name of it; below the limit it means what it says", () => {
    for (const name of ["n_predict", "max_new_tokens", "max_output_tokens", "maxOutputTokens", "num_predict"]) {
      for (const value of [6, 9_999, -1, 0, "5", null, {}]) {
        assert.deepStrictEqual(sent({ max_tokens: 5, [name]: value }), {}, `${name} ${JSON.stringify(value)}`)
        assert.deepStrictEqual(sent({ max_tokens: 5, [name]: value }, new Set([name])), {})
      }
      assert.deepStrictEqual(sent({ max_tokens: 5, [name]: 5 }), { [name]: 5 })
    }
  })

  it("names no provider, address or credential of a proxy, nothing that is paid beside, nothing that is kept", () => {
    for (const name of [
      "models",
      "providerOptions",
      "litellm_metadata",
      "user_config",
      "headers",
      "mock_testing_fallbacks",
      "aws_bedrock_runtime_endpoint",
      "vertex_credentials",
      "langfuse_host",
      "web_search",
      "search_options",
      "compound_custom",
      "best_of",
      "mcp_servers",
      "container",
      "previous_response_id",
      "deferred",
      "kv_transfer_params",
      "bootstrap_host",
      "custom_logit_processor",
      "enable_enhancement",
      "force_search_enhancement",
      "serviceTier",
      "performanceConfig",
      "candidateCount",
      "num_return_sequences"
    ]) {
      assert.deepStrictEqual(sent({ [name]: true }), {}, name)
    }
    const kept = { temperature: 1, metadata: {}, top_k: 5, reasoning_effort: "low", thinking: {}, user: "ann" }
    assert.deepStrictEqual(sent(kept), kept)
  })

  it("holds none of that in a vendor's own container either, and all else that is in there", () => {
    for (const name of ["google", "options", "generationConfig", "parameters", "sampling_params", "nvext"]) {
      const given = { max_output_tokens: 9_999, num_predict: 4, cached_content: "x", candidateCount: 3, topK: 1 }
      assert.deepStrictEqual(sent({ max_tokens: 5, [name]: given }), { [name]: { num_predict: 4, topK: 1 } }, name)
      const named = sent({ max_tokens: 5, [name]: given }, new Set([name]))
      assert.deepStrictEqual(named, { [name]: { num_predict: 4, cached_content: "x", candidateCount: 3, topK: 1 } })
      assert.deepStrictEqual(sent({ [name]: ["models"] }), { [name]: ["models"] })
    }
    const callers = { metadata: { tags: "x", max_output_tokens: 9_999 }, chat_template_kwargs: { cache: true } }
    assert.deepStrictEqual(sent(callers), callers)
  })

  it("holds options of a stream with a stream alone", () => {
    const stream_options = { include_usage: true }
    assert.deepStrictEqual(sent({ stream: true, stream_options }), { stream_options })
    assert.deepStrictEqual(sent({ stream: false, stream_options }), {})
    assert.deepStrictEqual(sent({ stream_options }), {})
  })

  it("runs no tool there: one that describes nothing, or switches one on, is refused", () => {
    for (const tool of [
      { google_search: {} },
      { googleSearch: {} },
      { urlContext: {} },
      { type: "web_search" },
      { type: "builtin_function", function: { name: "$web_search" } },
      { type: "function", function: { name: "f" }, google_search: {} }
    ]) {
      assert.strictEqual(toolIssues({ tools: [tool] })[0]?.path, "tools.0.type", JSON.stringify(tool))
    }
    for (const tool of [
      { type: "function", function: { name: "f", parameters: {}, strict: true }, cache_control: { type: "ephemeral" } },
      { type: "custom", custom: { name: "f" } },
      { function: { name: "f" } },
      { name: "f", input_schema: { type: "object" } },
      { type: "function", name: "f", parameters: {}, strict: null }
    ]) {
      assert.deepStrictEqual(toolIssues({ tools: [tool] }), [], JSON.stringify(tool))
    }
    assert.strictEqual(toolIssues({ tools: { google_search: {} } })[0]?.path, "tools")
    assert.deepStrictEqual(toolIssues({ tools: null }), [])
  })
})
