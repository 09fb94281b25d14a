import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "@outbound/domain/kernel/canonical.js"
import { Effect, Redacted } from "effect"
import { LimitFields } from "../../src/llm/limitFields.js"
import { makeOpenAiChat } from "../../src/llm/OpenAiChat.js"
import { type Behave, completion, endpoint, json } from "./TestEndpoint.js"

const { signal } = new AbortController()

/** A server whose models know the limit by this name alone, and refuse the other one in these words. */
const knows =
  (name: string, words: (other: string) => unknown): Behave =>
  (response, request) => {
    const other = ["max_tokens", "max_completion_tokens"].find((one) => one !== name && one in request.body)
    if (other === undefined) completion("hi")(response, request)
    else json(400, words(other))(response)
  }

const REFUSALS: ReadonlyArray<(other: string) => unknown> = [
  (other) => ({
    error: {
      message: `Unsupported parameter: '${other}' is not supported with this model. Use the newer one instead.`,
      type: "invalid_request_error",
      param: other,
      code: "unsupported_parameter"
    }
  }),
  (other) => ({ detail: [{ type: "extra_forbidden", loc: ["body", other], msg: "Extra inputs are not permitted" }] }),
  (other) => ({ error: `Unrecognized request argument supplied: ${other}` }),
  (other) => ({ message: `property '${other}' is not allowed` })
]

const sent = (bodies: ReadonlyArray<{ readonly body: JsonObject }>) =>
  bodies.map(({ body }) => [body["max_tokens"], body["max_completion_tokens"]])

describe("the name of the output limit", () => {
  it.live("is learned from a model's refusal, in either direction, and asked for once", () =>
    Effect.gen(function* () {
      for (const words of REFUSALS) {
        for (const [name, limitField] of [
          ["max_completion_tokens", "max_tokens"],
          ["max_tokens", "max_completion_tokens"]
        ] as const) {
          const server = yield* endpoint(knows(name, words))
          const apiKey = Redacted.make("a-secret")
          const chat = yield* makeOpenAiChat({ name: "local", baseUrl: server.baseUrl, apiKey, limitField })
          const call = (model: string) => chat.complete({ model, fields: { messages: [], max_tokens: 77 } }, signal)
          yield* call("one")
          yield* call("one")
          const [refused, known] =
            name === "max_tokens"
              ? [
                  [undefined, 77],
                  [77, undefined]
                ]
              : [
                  [77, undefined],
                  [undefined, 77]
                ]
          assert.deepStrictEqual(sent(server.received), [refused, known, known])
          yield* call("another")
          assert.deepStrictEqual(sent(server.received).slice(3), [refused, known])
        }
      }
    })
  )

  it.live("is not the matter where the limit itself is refused, or something else is", () =>
    Effect.gen(function* () {
      for (const message of [
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
        "max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens",
        "Unsupported parameter: 'temperature' is not supported with this model."
      ]) {
        const server = yield* endpoint(json(400, { error: { message } }))
        const chat = yield* makeOpenAiChat({ name: "local", baseUrl: server.baseUrl, apiKey: Redacted.make("x") })
        const failure = yield* Effect.flip(chat.complete({ model: "m", fields: { max_tokens: 9 } }, signal))
        assert.deepStrictEqual([failure.reason, failure.said, server.received.length], ["invalid", message, 1])
      }
    })
  )

  it.live("stays as it was if neither is taken", () =>
    Effect.gen(function* () {
      const server = yield* endpoint((response, { body }) =>
        json(400, { error: { message: `unknown field ${"max_tokens" in body ? "max_tokens" : "x"}` } })(response)
      )
      const chat = yield* makeOpenAiChat({ name: "local", baseUrl: server.baseUrl, apiKey: Redacted.make("x") })
      const ask = Effect.flip(chat.complete({ model: "m", fields: { max_tokens: 9 } }, signal))
      yield* ask
      yield* ask
      assert.deepStrictEqual(sent(server.received), [
        [9, undefined],
        [undefined, 9],
        [9, undefined],
        [undefined, 9]
      ])
    })
  )

  it("is kept for so many models, and no more", () => {
    const limits = new LimitFields("max_tokens", 2)
    for (const model of ["1", "2", "3"]) limits.learn(model, "max_completion_tokens")
    assert.deepStrictEqual(
      ["1", "2", "3"].map((model) => limits.of(model)),
      ["max_completion_tokens", "max_completion_tokens", "max_tokens"]
    )
    limits.learn("1", "max_tokens")
    assert.strictEqual(limits.of("1"), "max_tokens")
  })
})
