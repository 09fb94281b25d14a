import { assert, describe, it } from "@effect/vitest"
import { errorIn, reasonOf, reasonOfStatus } from "../../../src/data/chat/UpstreamError.js"
import { readAnswer, readEvent } from "../../../src/data/chat/wire.js"
import type { Json } from "../../../src/kernel/canonical.js"

const choice = (members: Json = {}) => ({
  index: 0,
  delta: { content: "" },
  finish_reason: null,
  ...(members as object)
})

/** What an event of a stream is: the reason of an error, or the name of what else it is. */
const eventOf = (event: unknown): string => {
  const read = readEvent(typeof event === "string" ? event : JSON.stringify(event))
  if (read === null) return "nothing"
  return read._tag === "Error" ? reasonOf(read.error) : read._tag
}

const answerOf = (answer: Json): string => {
  const read = readAnswer(answer as never)
  return read._tag === "Error" ? reasonOf(read.error) : read._tag
}

describe("an error inside of a success", () => {
  it("is one in a stream wherever it stands: alone, beside choices, within a choice", () => {
    const error = { code: 502, message: "Provider disconnected" }
    for (const event of [
      { id: "1", object: "chat.completion.chunk", error, choices: [choice({ finish_reason: "error" })] },
      { error, choices: [] },
      { error },
      [{ error }],
      { choices: [choice({ finish_reason: "error" })] },
      { choices: [choice({ error })] },
      { error: "overloaded" },
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      { object: "error", message: "went wrong", code: 500 },
      { base_resp: { status_code: 1000, status_msg: "unknown error" }, choices: null },
      { detail: "went wrong" },
      { code: 500, message: "went wrong" }
    ]) {
      assert.strictEqual(eventOf(event), "transient", JSON.stringify(event))
    }
  })

  it("is none where a member of that name says nothing", () => {
    for (const error of [null, "", false, {}, []]) {
      assert.strictEqual(eventOf({ error, choices: [choice()] }), "Chunk", JSON.stringify(error))
      assert.strictEqual(answerOf({ error, choices: [{ index: 0, message: {}, finish_reason: "stop" }] }), "Completion")
    }
    assert.strictEqual(eventOf({ base_resp: { status_code: 0, status_msg: "" }, choices: [choice()] }), "Chunk")
  })

  it("in one piece fails where every choice has failed, and not where one of several has", () => {
    const bad = {
      index: 0,
      message: { content: "" },
      finish_reason: "error",
      error: { code: 400, message: "too long" }
    }
    const good = { index: 1, message: { content: "Hello" }, finish_reason: "stop" }
    assert.strictEqual(answerOf({ choices: [bad] }), "invalid")
    assert.strictEqual(answerOf({ choices: [bad, good] }), "Completion")
    assert.strictEqual(answerOf({ choices: [] }), "Nonsense")
    assert.strictEqual(answerOf({ error: { code: 429, message: "slow down" } }), "rate_limited")
    assert.strictEqual(answerOf({ text: "hello" }), "Nonsense")
  })

  it("means what its code, its type or its words say", () => {
    for (const [error, reason] of [
      [{ code: 400, message: "no" }, "invalid"],
      [{ code: "400", message: "no" }, "invalid"],
      [{ code: "context_length_exceeded", message: "no" }, "invalid"],
      [{ type: "invalid_request_error", code: null, message: "no" }, "invalid"],
      [{ message: "This model's maximum context length is 8192 tokens." }, "invalid"],
      [{ code: 429, message: "no" }, "rate_limited"],
      [{ status: "RESOURCE_EXHAUSTED", message: "no" }, "rate_limited"],
      [{ code: 401, message: "no" }, "account"],
      [{ type: "authentication_error", message: "no" }, "account"],
      [{ code: "insufficient_quota", type: "invalid_request_error", message: "no" }, "account"],
      [{ code: 502, message: "no" }, "transient"],
      [{ code: 7, message: "no" }, "transient"],
      [{ code: "constructor", message: "no" }, "transient"],
      [{ message: "no" }, "transient"],
      ["no", "transient"]
    ] as const) {
      assert.strictEqual(eventOf({ error }), reason, JSON.stringify(error))
    }
  })
})

describe("a refusal's reason", () => {
  const said = (body: Json) => errorIn(body).said

  it("is read from every form in which upstreams give one", () => {
    for (const body of [
      { error: { message: "too long" } },
      { error: "too long" },
      [{ error: { message: "too long" } }],
      { message: "too long" },
      { detail: "too long" },
      { msg: "too long" },
      { title: "Bad Request", detail: "too long" },
      { errors: ["too long"] },
      { error: { error: { message: "too long" } } },
      { object: "error", message: "too long", type: "BadRequestError", param: null, code: 400 },
      { object: "error", message: { detail: "too long" } },
      { statusCode: 400, error: "Bad Request", message: "too long" },
      { error: "invalid_request", error_description: "too long" },
      { error: { reason: "too long" } },
      { detail: { error: "too long" } },
      { Message: "too long" },
      { code: "Client specified an invalid argument", error: "too long" },
      { error: { message: "Provider returned error", metadata: { raw: '{"error":{"message":"too long"}}' } } },
      { error: { message: "Provider returned error", metadata: { raw: "too long" } } },
      "  too\u0007\nlong",
      "<html><head><title>too long</title></head><body>nginx</body></html>"
    ]) {
      assert.strictEqual(said(body)?.replace(/\s+/, " "), "too long", JSON.stringify(body))
    }
    const errors = { "messages[0].role": ["is unknown"], max_tokens: ["is too large", "must be a number"] }
    assert.strictEqual(
      said({ title: "One or more validation errors occurred.", errors }),
      "messages[0].role: is unknown; max_tokens: is too large; must be a number"
    )
    const detail = [{ type: "missing", loc: ["body", "messages", 0, "content"], msg: "Field required", input: null }]
    assert.strictEqual(said({ detail }), "messages.0.content: Field required")
    assert.strictEqual(
      said({ detail: [...detail, { loc: [], msg: "too long" }] }),
      "messages.0.content: Field required; too long"
    )
  })

  it("is at most 300 characters, and never a page or half a character", () => {
    assert.isNull(said("<!doctype html><html><body><p>Sorry</p></body></html>"))
    assert.isNull(said({ foo: "bar" }))
    assert.isNull(said(""))
    assert.isNull(said(null))
    assert.strictEqual(said("x".repeat(5_000))?.length, 300)
    assert.strictEqual(said("x".repeat(299) + "😀"), "x".repeat(299))
  })

  it("tells that the service is refused, in whatever words, but not in words that the caller may have put there", () => {
    const certain = (body: Json) => errorIn(body).certain
    for (const message of [
      "API key not valid. Please pass a valid API key.",
      "Incorrect API key provided: sk-abc.",
      "Invalid API Key",
      "Error: Invalid api token",
      "Your API key has expired",
      "You didn't provide an API key.",
      "Authentication failed",
      "Authentication Fails (no such user)",
      "Please provide a valid API key.",
      "Missing Authorization header",
      "Your credit balance is too low to access the API.",
      "Insufficient credits",
      "You have reached your specified API usage limits. You will regain access on 2026-12-01.",
      "This organization has been disabled.",
      "Your organization must be verified to stream this model.",
      "Your account org-1 is suspended, please check your plan and billing details",
      "Budget has been exceeded! Current cost: 1.0, Max budget: 0.5",
      "Missing or invalid Authorization header.",
      "Multiple authentication credentials received. Please pass only one.",
      "Gemini API free tier is not available in your country. Please enable billing on your project.",
      "API version not supported",
      "Model Not Exist",
      "Invalid model: some-model",
      "{'error': '/chat/completions: Invalid model name passed in model=some-model.'}",
      "The model `some-model` has been decommissioned and is no longer supported.",
      "The model `some-model` is blocked at the organization level.",
      "The model `some-model` does not exist",
      "some/model is not a valid model ID"
    ]) {
      assert.strictEqual(certain({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }), "account", message)
    }
    assert.strictEqual(certain({ error: { type: "authentication_error", message: "no" } }), "account")
    const details = [{ "@type": "x", reason: "API_KEY_INVALID" }]
    assert.strictEqual(
      certain([{ error: { code: 400, message: "no", status: "INVALID_ARGUMENT", details } }]),
      "account"
    )
    for (const message of [
      "Invalid schema for function 'x': 'API key not valid' is not of type 'object'",
      "messages.0.content: invalid api key",
      "Unknown parameter: 'api_key'.",
      "The input holds: Incorrect API key provided",
      // Members that a caller named so.
      "authorization: Extra inputs are not permitted",
      "credentials.user: Extra inputs are not permitted",
      "unauthorized: extra fields not permitted",
      "Invalid model parameter: temperature",
      "Your input has more organization is than it may"
    ]) {
      assert.isNull(certain({ error: { code: 400, message } }), message)
    }
    for (const member of ["credentials", "access_token", "authentication", "unauthorized"]) {
      const detail = [{ type: "extra_forbidden", loc: ["body", member], msg: "Extra inputs are not permitted" }]
      assert.isNull(certain({ detail }), member)
    }
  })

  it("is the operator's by a vendor's own code, and by each status that another request can't help", () => {
    for (const [status, error] of [
      [400, { code: "Arrearage", message: "no" }],
      [400, { type: "budget_exceeded", code: "400", message: "no" }],
      [429, { type: "exceeded_current_quota_error", message: "no" }],
      [429, { code: "credit_balance_exhausted", message: "no" }],
      [403, { code: "model_permission_blocked_org", message: "no" }]
    ] as const) {
      assert.strictEqual(errorIn({ error: { ...error, status } }).certain, "account", JSON.stringify(error))
    }
    for (const status of [301, 401, 406, 411, 412, 415, 426, 431]) {
      assert.strictEqual(reasonOfStatus(status), "account", String(status))
    }
    for (const status of [408, 409, 423, 424, 425, 449, 498, 499, 500, 520, 529]) {
      assert.strictEqual(reasonOfStatus(status), "transient", String(status))
    }
  })

  it("goes before the status of a flagged text", () => {
    const metadata = { reasons: ["violence"], flagged_input: "x" }
    assert.strictEqual(reasonOf(errorIn({ error: { code: 403, message: "flagged", metadata } })), "invalid")
    assert.strictEqual(reasonOfStatus(403), "account")
  })

  it("says how long to wait where it does so in its body", () => {
    const details = [{ "@type": "RetryInfo", retryDelay: "37s" }]
    assert.strictEqual(errorIn([{ error: { code: 429, message: "no", details } }]).retryAfterSeconds, 37)
    assert.isNull(errorIn({ error: { code: 429, message: "no" } }).retryAfterSeconds)
  })

  it("is read in time linear in what it is read from", () => {
    const hostile = [
      "<script".repeat(9_000),
      "<title>".repeat(9_000),
      "[".repeat(60_000),
      "the ".repeat(16_000),
      " ".repeat(64_000) + "<html>"
    ]
    const before = performance.now()
    for (const text of hostile) errorIn(text)
    let nested: Json = "deep"
    for (let i = 0; i < 5_000; i++) nested = { error: nested }
    errorIn(nested)
    assert.isBelow(performance.now() - before, 250)
  })
})

describe("an event of a stream", () => {
  it("that tells nothing is passed over, and only a broken one makes no sense", () => {
    for (const event of [
      "",
      " ",
      "ping",
      "[KEEP-ALIVE]",
      "null",
      '""',
      "1",
      "true",
      "[]",
      "{}",
      '{"type":"ping"}',
      '{"choices":null}'
    ]) {
      assert.strictEqual(eventOf(event), "nothing", event)
    }
    for (const event of ['{"choices":[{"delta":{"content":"Hel', "<html>", "Internal server error", '{"choices":[}']) {
      assert.strictEqual(eventOf(event), "Nonsense", event)
    }
    assert.strictEqual(eventOf('{"choices":[null]}'), "nothing")
  })

  it("that holds only the usage is a report, with or without choices", () => {
    const usage = { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 }
    for (const event of [{ usage }, { choices: [], usage }, { choices: null, usage }]) {
      const read = readEvent(JSON.stringify(event))
      assert.isTrue(read?._tag === "Chunk" && read.isReport && read.usage?.totalTokens === 16, JSON.stringify(event))
    }
  })
})
