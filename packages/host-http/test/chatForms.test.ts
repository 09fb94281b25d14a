import { assert, describe, it } from "@effect/vitest"
import { answers, pieces, type Script } from "@outbound/testkit/providers/ScriptedUpstream.js"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { bed, chunk, DONE, event, FAR, HELLO, plain, REPORT, STOP, TEN_WORDS, USAGE } from "./support/ChatBed.js"

describe("an error inside of a success", () => {
  const error = (code: unknown) => ({ code, message: "prompt is too long: 9 tokens" })

  it.live("at the start is an ordinary refusal, and another upstream is asked where that may help", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [first, code, reason] of [
          [{ error: error(502), choices: [] }, "provider_unavailable", null],
          [{ error: error(429) }, "provider_unavailable", null],
          [{ error: error(401) }, "tool_unavailable", null],
          [{ error: error(400) }, "invalid_request", "prompt is too long: 9 tokens"],
          [{ error: error("context_length_exceeded") }, "invalid_request", "prompt is too long: 9 tokens"],
          [
            { choices: [{ index: 0, delta: {}, finish_reason: "error", error: error(400) }] },
            "invalid_request",
            "prompt is too long: 9 tokens"
          ]
        ] as const) {
          const what = JSON.stringify(first)
          const script = pieces([": processing\n\n", event(first), DONE])
          const alone = yield* ask(script)
          assert.deepStrictEqual(
            [alone.code, alone.reason, alone.charged, alone.status, alone.last],
            [code, reason, "0", "failed", null],
            what
          )
          const two = yield* ask(script, { far: FAR })
          assert.deepStrictEqual(
            [two.code, two.said],
            code === "invalid_request" ? [code, ""] : [null, "from afar"],
            what
          )
        }
      })
    )
  )

  it.live("in the middle breaks the stream off: charged what was delivered, the error last, no [DONE]", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const broken of [
          { error: error(502), choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }] },
          { error: error(400), choices: [] },
          { choices: [{ index: 0, delta: { content: "" }, finish_reason: "error" }] }
        ]) {
          const seen = yield* ask(pieces([...HELLO, event(broken), REPORT, DONE]), { far: FAR })
          assert.deepInclude(seen, {
            said: "Hello there",
            code: "provider_unavailable",
            status: "failed",
            interrupted: true
          })
          // The prompt's one word, and two.
          assert.strictEqual(seen.charged, "0.0003")
          assert.include(seen.last, '"code":"provider_unavailable"')
        }
      })
    )
  )

  it.live("of a plain call is a refusal too", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [script, code] of [
          [answers(200, { error: error(429) }), "provider_unavailable"],
          [answers(200, { error: error(400) }), "invalid_request"],
          [answers(200, { error: "overloaded" }), "provider_unavailable"],
          [plain({ content: "" }, {}, { finish_reason: "error", error: error(502) }), "provider_unavailable"],
          [plain({ content: "" }, {}, { finish_reason: "error", error: error(400) }), "invalid_request"]
        ] as const) {
          const seen = yield* ask(script, { stream: false })
          assert.deepStrictEqual([seen.code, seen.charged, seen.status], [code, "0", "failed"])
        }
      })
    )
  )
})

describe("what is charged", () => {
  it.live("is the upstream's count with all of its thinking, and its total reaches the caller", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [usage, charged] of [
          [
            {
              prompt_tokens: 32,
              completion_tokens: 9,
              total_tokens: 135,
              completion_tokens_details: { reasoning_tokens: 94 }
            },
            "0.0135"
          ],
          [{ prompt_tokens: 17, completion_tokens: 298, total_tokens: 1_700 }, "0.17"],
          [
            {
              prompt_tokens: 10,
              completion_tokens: 90,
              total_tokens: 100,
              completion_tokens_details: { reasoning_tokens: 80 }
            },
            "0.01"
          ]
        ] as const) {
          for (const stream of [false, true]) {
            const script = stream
              ? pieces([...HELLO, STOP, event({ choices: [], usage }), DONE])
              : plain({ content: "Hello" }, { usage })
            const seen = yield* ask(script, { stream })
            assert.deepStrictEqual([seen.charged, seen.usage], [charged, usage])
          }
        }
      })
    )
  )

  it.live("is counted by us where the upstream counts nothing, or only at the start", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const deltas = [
          { content: TEN_WORDS },
          { content: [{ type: "text", text: TEN_WORDS }] },
          { reasoning_details: [{ type: "reasoning.text", text: TEN_WORDS }], reasoning: TEN_WORDS },
          { tool_calls: [{ index: 0, type: "custom", custom: { name: "", input: TEN_WORDS } }] },
          { audio: { transcript: TEN_WORDS } }
        ]
        for (const delta of deltas) {
          const begin = chunk({ role: "assistant" }, null, {
            usage: { prompt_tokens: 20, completion_tokens: 1, total_tokens: 21 }
          })
          const text = Array.from({ length: 10 }, () => chunk(delta))
          assert.strictEqual((yield* ask(pieces([...text, STOP, DONE]))).charged, "0.0101", JSON.stringify(delta))
          assert.strictEqual((yield* ask(pieces([begin, ...text, STOP, DONE]))).charged, "0.012", JSON.stringify(delta))
        }
        const unread = yield* ask(
          plain({ content: [{ type: "text", text: TEN_WORDS }] }, { usage: { ...USAGE, completion_tokens: "5" } }),
          { stream: false }
        )
        assert.strictEqual(unread.charged, "0.0011")
      })
    )
  )

  it.live("after a client left is what it was handed, in whatever form", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const thought = chunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: TEN_WORDS }] }] })
        const endless: Script = (asked) =>
          pieces(
            Array.from({ length: 5 }, () => thought),
            () => undefined
          )(asked)
        const seen = yield* ask(endless, { leavesAfter: 5 })
        assert.deepInclude(seen, { status: "succeeded", interrupted: true, charged: "0.0051" })
      })
    )
  )
})

describe("a stream that people get", () => {
  it.live("is whole, whatever stands between its chunks and however it ends", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const odd = [
          event({ choices: null }),
          event({ type: "ping" }),
          event({ object: "chat.completion.chunk" }),
          "data:\n\n",
          "data: \r\n\r\n",
          event("ping"),
          event("null"),
          "event: ping\ndata: {}\n\n",
          ": keep-alive\n\n",
          "\n\n",
          "id: 7\nretry: 10\n\n",
          event({ choices: [], prompt_filter_results: [] })
        ]
        for (const one of odd) {
          const seen = yield* ask(pieces([one, HELLO[0] ?? "", one, HELLO[1] ?? "", STOP, one, REPORT, one, DONE]))
          assert.deepInclude(seen, { said: "Hello there", status: "succeeded", charged: "0.0016", last: "[DONE]" }, one)
        }
        const begun = HELLO.join("")
        for (const [ending, charged] of [
          [`${STOP}${REPORT}data: [DONE]`, "0.0016"],
          [`${STOP}${REPORT}data:  [DONE]  \n`, "0.0016"],
          [`${STOP}data: [DONE]`, "0.0003"],
          [`${STOP}${event({ usage: USAGE })}${DONE}`, "0.0016"],
          [`${STOP}${REPORT.trimEnd()}`, "0.0016"],
          [STOP.trimEnd(), "0.0003"],
          [`${REPORT}${STOP}`, "0.0016"],
          [chunk({}, "stop", { usage: USAGE }).trimEnd(), "0.0016"],
          [`${REPORT}${DONE}`, "0.0016"]
        ] as const) {
          for (const lines of ["\n", "\r\n", "\r"]) {
            const text = `\ufeff${begun}${ending}`.replaceAll("\n", lines)
            const seen = yield* ask(pieces(lines === "\r\n" ? text.split(/(?<=\r)/) : [text]))
            assert.deepInclude(
              seen,
              { said: "Hello there", status: "succeeded", charged, last: "[DONE]" },
              JSON.stringify(ending)
            )
          }
        }
        const last = yield* ask(pieces([HELLO[0] ?? "", chunk({ content: " there" }, "stop").trimEnd()]))
        assert.deepInclude(last, { said: "Hello there", status: "succeeded" })
      })
    )
  )

  it.live("may hold pictures, and is broken where it is", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const picture = chunk({
          content: "see",
          images: [{ image_url: { url: `data:image/png;base64,${"A".repeat(3_000_000)}` } }]
        })
        const seen = yield* ask(pieces([picture, STOP, REPORT, DONE]))
        assert.deepInclude(seen, { said: "see", status: "succeeded", charged: "0.0016" })
        for (const broken of ['data: {"choices":[{"index":0,"delta":{"content":" the', event("<html>"), ""]) {
          const cut = yield* ask(pieces([...HELLO, broken]))
          assert.deepInclude(
            cut,
            { said: "Hello there", status: "failed", interrupted: true, charged: "0.0003" },
            broken
          )
        }
        const nothing = yield* ask(pieces([": hello\n\n", event({ type: "ping" }), DONE]))
        assert.deepInclude(nothing, { code: "provider_unavailable", charged: "0", status: "failed" })
      })
    )
  )

  it.live("may be compressed, and so may an answer and a refusal", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        const headers = { "content-encoding": "gzip" }
        const text = [...HELLO, STOP, REPORT, DONE].join("")
        const events = answers(200, gzipSync(text), { ...headers, "content-type": "text/event-stream" })
        assert.deepInclude(yield* ask(events), { said: "Hello there", status: "succeeded", charged: "0.0016" })
        const completion = {
          choices: [{ index: 0, message: { content: "Hello" }, finish_reason: "stop" }],
          usage: USAGE
        }
        const answer = answers(200, gzipSync(JSON.stringify(completion)), headers)
        assert.deepInclude(yield* ask(answer, { stream: false }), { said: "Hello", charged: "0.0016" })
        const refusal = answers(400, gzipSync('{"error":"too long"}'), headers)
        assert.deepInclude(yield* ask(refusal), { code: "invalid_request", reason: "too long" })
      })
    )
  )
})

describe("a refusal", () => {
  it.live("of the operator's key is never the caller's mistake, and the next upstream is asked", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [status, body] of [
          [
            400,
            [
              {
                error: {
                  code: 400,
                  message: "API key not valid. Please pass a valid API key.",
                  status: "INVALID_ARGUMENT"
                }
              }
            ]
          ],
          [400, { code: "Client specified an invalid argument", error: "Incorrect API key provided: sk-x." }],
          [401, { error: { message: "no" } }],
          [403, "Forbidden"],
          [402, { message: "Insufficient credits" }]
        ] as const) {
          const script = answers(status, body)
          assert.strictEqual((yield* ask(script)).code, "tool_unavailable")
          assert.strictEqual((yield* ask(script, { far: FAR })).said, "from afar")
        }
      })
    )
  )

  it.live("keeps its reason in whatever form it comes", () =>
    bed(({ ask }) =>
      Effect.gen(function* () {
        for (const [status, body] of [
          [400, { error: "too long" }],
          [400, [{ error: { message: "too long" } }]],
          [422, { detail: "too long" }],
          [400, { message: "too long" }],
          [400, "too long"],
          [413, "<html><head><title>too long</title></head></html>"]
        ] as const) {
          for (const stream of [false, true]) {
            const seen = yield* ask(answers(status, body), { stream })
            assert.deepInclude(seen, { code: "invalid_request", reason: "too long", charged: "0" })
          }
        }
      })
    )
  )
})

describe("the output limit", () => {
  it.live("reaches an upstream under the name that it knows, and means what the caller meant", () =>
    bed(({ ask, near }) =>
      Effect.gen(function* () {
        for (const [input, sent] of [
          [{ max_completion_tokens: 77 }, 77],
          [{ max_tokens: 77 }, 77],
          [{ max_tokens: 5, max_completion_tokens: 77 }, 77],
          [{ max_tokens: null, max_completion_tokens: null }, 4_096],
          [{}, 4_096]
        ] as const) {
          yield* ask(plain({ content: "Hello" }), { stream: false, input })
          const newest = Array.from({ length: 50 }, (_, at) => near.bodies(`m${at}`)).findLast(
            ({ length }) => length > 0
          )
          assert.deepStrictEqual([newest?.[0].max_tokens, newest?.[0].max_completion_tokens], [sent, undefined])
        }
      })
    )
  )
})
